/** The stress of the flexible bodies of a run: the largest over time, with its place and instant. */
import type { Recording } from './recording.js';

export interface StressPeak {
  readonly body: string;
  /** von Mises, Pa */
  readonly stress: number;
  /** In the plane of the outline; of solids also z, m */
  readonly at: readonly number[];
  /** s */
  readonly time: number;
}

/** One per body that deforms, the largest first */
export function stressPeaks(recording: Recording): StressPeak[] {
  const suffix = '.stress.largest';
  return recording.signals
    .filter(({ name }) => name.endsWith(suffix))
    .map(({ name }): StressPeak => {
      const body = name.slice(0, -suffix.length);
      const { values } = recording.signal(name);
      let row = 0;
      for (let i = 1; i < values.length; i++) if (values[i] > values[row]) row = i;
      const places = ['x', 'y', 'z'].map((axis) => `${body}.stress.${axis}`).filter((place) => recording.has(place));
      return {
        body,
        stress: values[row],
        at: places.map((place) => recording.signal(place).values[row]),
        time: recording.times[row],
      };
    })
    .filter(({ stress }) => stress !== undefined)
    .sort((a, b) => b.stress - a.stress);
}
