/** Every claim of the package, to be re-run on the user's machine: figure, reference, error, verdict, time. `tippetop verify` prints them. */
import { performance } from 'node:perf_hooks';
import type { Check, CheckResult } from './check.js';
import { coilSpringChecks } from './coil-spring.js';
import { contactChecks } from './contacts.js';
import { exampleChecks } from './examples.js';
import { flexibleChecks } from './flexible.js';
import { flexibleContactChecks } from './flexible-contact.js';
import { genevaChecks } from './geneva.js';
import { grainBilliardChecks } from './grain-billiard.js';
import { grainCostChecks } from './grain-costs.js';
import { grainFlowChecks } from './grain-flows.js';
import { grainLawChecks } from './grain-laws.js';
import { grainMachineChecks } from './grain-machines.js';
import { grainMeshChecks } from './grain-meshes.js';
import { grainSettlingChecks } from './grain-settling.js';
import { grainChecks } from './grains.js';
import { integratorChecks } from './integrators.js';
import { islandChecks } from './islands.js';
import { escapementChecks } from './lever-escapement.js';
import { limitSurfaceChecks } from './limit-surface.js';
import { polyhedronChecks } from './polyhedra.js';
import { restartChecks } from './restart.js';
import { soilChecks } from './soil.js';
import { solidChecks } from './solids.js';
import { studyChecks } from './studies.js';
import { timeSteppingChecks } from './time-stepping.js';
import { wingFlapChecks } from './wing-flap.js';

export const allChecks = (): Check[] => [
  ...solidChecks,
  ...integratorChecks,
  ...islandChecks,
  ...contactChecks,
  ...timeSteppingChecks,
  ...limitSurfaceChecks,
  ...genevaChecks,
  ...escapementChecks,
  ...coilSpringChecks,
  ...grainChecks,
  ...grainLawChecks,
  ...grainBilliardChecks,
  ...grainSettlingChecks,
  ...grainMeshChecks,
  ...grainFlowChecks,
  ...grainMachineChecks,
  ...grainCostChecks,
  ...polyhedronChecks,
  ...restartChecks,
  ...studyChecks,
  ...soilChecks,
  ...flexibleChecks,
  ...flexibleContactChecks,
  ...wingFlapChecks,
  ...exampleChecks(),
];

export async function runCheck({ id, title, source, limit, measure }: Check): Promise<CheckResult> {
  const started = performance.now();
  const common = { id, title, limit, source };
  try {
    const { value, reference, error = Math.abs(value - reference) } = await measure();
    return { ...common, value, reference, error, pass: error <= limit, seconds: (performance.now() - started) / 1000 };
  } catch (problem) {
    const failure = problem instanceof Error ? problem.message : String(problem);
    return {
      ...common,
      value: NaN,
      reference: NaN,
      error: NaN,
      pass: false,
      seconds: (performance.now() - started) / 1000,
      failure,
    };
  }
}
