/** The report of a run: one page that opens from disk, with the replay inside. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contactSummary, describeContacts } from '../explain/contact-summary.js';
import { describeStress } from '../explain/stress-text.js';
import { describeTrust } from '../explain/trust-text.js';
import type { Recording } from '../results/recording.js';
import { filmBytes } from '../viewer/playback/film.js';
import { runReport } from '../viewer/run-report.js';
import { partsAt } from '../viewer/scene-parts.js';
import { daylightOf } from '../viewer/standard-views.js';
import { drawStill } from '../viewer/still.js';
import { scalesOf } from '../viewer/still-legend.js';
import { FIELD_OF_VIEW } from '../viewer/still-projection.js';
import { surfaceRanges } from '../viewer/surface-parts.js';
import { PACKAGE_ROOT } from './package-root.js';
import { encodePng } from './png.js';

/** Of the film in a report, bytes; as text in the page it takes a third more. */
const FILM_BUDGET = 5e6;

/**
 * The page of a run that opens from disk: animation, plots, trust report.
 *
 * @example await writeFile('report.html', reportOf('pendulum', recording));
 */
export function reportOf(name: string, recording: Recording): string {
  const contacts = contactSummary(recording);
  const trust = [
    ...(contacts ? describeContacts(contacts) : []),
    ...describeStress(recording),
    ...describeTrust(recording.trust),
  ];
  // Stills for readers without WebGL, and for paper
  const rows = recording.rows === 0 ? [] : [0, 1 / 3, 2 / 3, 1].map((part) => Math.round(part * (recording.rows - 1)));
  const ranges = surfaceRanges(recording);
  const scenes = rows
    .map((row) => ({ time: recording.times[row], ...partsAt(recording, row, 1, [], { ranges }) }))
    .filter(({ parts }) => parts.length > 0);
  const look = { transparent: true, field: FIELD_OF_VIEW, daylight: daylightOf(recording.scene?.up ?? [0, 0, 1]) };
  const pictures = scenes.map(({ time, parts }) => ({
    time,
    png: encodePng(
      drawStill(parts, { ...look, width: 480, height: 360, samples: 2, fit: scenes.flatMap((scene) => scene.fit) }),
    ),
  }));
  const replay =
    scenes.length > 0
      ? { film: filmBytes(recording, { budget: FILM_BUDGET }), script: page('inline.js'), style: page('inline.css') }
      : undefined;
  return runReport({
    name,
    recording,
    pictures,
    scales: scalesOf(scenes.flatMap(({ parts }) => parts)),
    trust,
    ...(replay && { replay }),
  });
}

/** Part of the viewer that the build left for reports. */
const page = (file: string): string => readFileSync(join(PACKAGE_ROOT, 'dist/viewer/page', file), 'utf8');
