/** A run as one HTML file: the report of the command line with its replay, made in the page. */
import { runReport } from '../../viewer/run-report.js';
import type { Runs } from './runs.js';

export async function reportOf(runs: Runs, name: string): Promise<string> {
  const { playback } = runs;
  if (!playback || playback.hash === '') throw new Error('there is no run that has ended; run the model first');
  const [{ bytes }, script, style] = await Promise.all([
    runs.ask('film'),
    asset('viewer/inline.js'),
    asset('viewer/inline.css'),
  ]);
  playback.recording.state = playback.state === 'model' ? 'finished' : playback.state;
  playback.recording.trust = playback.trust;
  return runReport({
    name,
    recording: playback.recording,
    pictures: [],
    trust: (playback.trust.verdict?.reasons ?? []).map(({ reason }) => `${playback.trust.verdict?.word}: ${reason}`),
    ...(bytes && { replay: { film: bytes, script, style } }),
  });
}

async function asset(path: string): Promise<string> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} cannot be loaded: the server says ${answer.status}`);
  return answer.text();
}
