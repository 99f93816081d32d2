/** What is said of the stress in a run. */
import { quantity } from '../math/quantity.js';
import type { Recording } from '../results/recording.js';
import { type StressPeak, stressPeaks } from '../results/stress-summary.js';
import { number } from './format.js';

export const describePeak = ({ body, stress, at, time }: StressPeak): string =>
  `${body} ${quantity(stress, 'Pa')} at (${at.map((x) => quantity(x, 'm')).join(', ')}), t = ${number(time, 4)} s`;

/** Lines for the summary of a run; none where nothing deforms */
export function describeStress(recording: Recording): string[] {
  const peaks = stressPeaks(recording);
  const shown = peaks.slice(0, 4).map((peak, k) => `${k === 0 ? 'stress      ' : '            '}${describePeak(peak)}`);
  if (peaks.length > shown.length) shown.push(`            … and ${peaks.length - shown.length} more: tippetop stress`);
  return shown;
}
