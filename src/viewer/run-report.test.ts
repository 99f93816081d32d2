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

  test('tells under the pictures what their colours mean', () => {
    const scales = [{ quantity: 'von Mises stress', unit: 'Pa', low: 0, high: 4e7, largest: 4e7, exaggeration: 1 }];
    const page = runReport({ name: 'x', recording: recording(), pictures: [], scales, trust: [] });
    expect(page).toContain('<span>von Mises stress, MPa; deformation to scale</span><span>0</span>');
    expect(page).toMatch(/linear-gradient\(to right, rgb\([^"]*"><\/i><span>40\.00<\/span>/);
  });

  test('plots the stress of what deforms where a model says nothing of plots', () => {
    const made = new Recording([{ name: 'beam.stress.largest', unit: 'Pa' }], { title: 'x' });
    made.append(0, [0]);
    made.append(1, [4e6]);
    expect(runReport({ name: 'x', recording: made, pictures: [], trust: [] })).toContain('<h3>largest stress</h3>');
  });

  test('forbids everything that is not in the page', () => {
    const page = runReport({ name: 'x', recording: recording(), pictures: [], trust: [] });
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'/);
    expect(page).not.toContain('<script');
    expect(page).toContain('<td>height</td><td>2</td>');
  });
});
