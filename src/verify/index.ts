/** Every claim of the package as a check that can be re-run: figure, reference, error, verdict. Needs Node. `tippetop verify` prints them. */
export { type Check, type CheckResult, type Measured, relative } from './check.js';
export { allChecks, runCheck } from './checks.js';
export {
  checksOf,
  type Expected,
  type ExpectedFigure,
  type ExpectedRun,
  exampleChecks,
  expectedOf,
} from './examples.js';
