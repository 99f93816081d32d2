import { describe, expect, test } from 'vitest';
import { Recording } from '../results/recording.js';
import { runReport } from './run-report.js';

const recording = (): Recording => {
  const made = new Recording([{ name: 'ball.position.z', unit: 'm' }], {
    title: '</title><b>',
    parameters: { height: 2 },
  });
  made.append(0, [1]);
  made.append(1, [2]);
  return made;
};
const replay = { film: Uint8Array.of(1, 2, 3), script: 'const a = "</script><!--";', style: '.a{}' };

describe('report of a run', () => {
  test('holds the film as text and a script that its own end tags do not cut', () => {
    const page = runReport({ name: 'x', recording: recording(), pictures: [], trust: ['fine'], replay });
    expect(page).toContain('data-film="&lt;/title&gt;&lt;b&gt;">AQID</script>');
    expect(page).toContain('const a = "<\\/script><\\!--";');
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(page).toContain('<title>&lt;/title&gt;&lt;b&gt;</title>');
  });

  test('forbids everything that is not in the page', () => {
    const page = runReport({ name: 'x', recording: recording(), pictures: [], trust: [] });
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'/);
    expect(page).not.toContain('<script');
    expect(page).toContain('<td>height</td><td>2</td>');
  });
});
