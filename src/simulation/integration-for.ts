/** Makes integrations of a run, of the whole or of islands, by the method and with the steps that the model and the options say. */
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError, suggestion } from '../errors.js';
import { Integration } from '../integration/integration.js';
import { firstStiffMethod, stiffMethodFor } from '../integration/method-choice.js';
import { INTEGRATOR_NAMES, type MethodName } from '../integration/method-name.js';
import type { ZeroCrossing } from '../integration/problem.js';
import type { Statistics } from '../integration/statistics.js';
import type { Model } from '../model/model.js';
import { positive, type SimulationOptions } from './simulation-options.js';

export type Integrate = (
  mechanics: MechanicalSystem,
  contacts: ContactSystem | undefined,
  t: number,
  y: Float64Array,
  /** s, first step to try */
  h?: number,
  crossings?: readonly ZeroCrossing[],
) => Integration;

/** What a user's function does for this part of the row interval is not missed. */
const FINEST = 20;
const FIXED_STEP: readonly string[] = ['verlet', 'symplecticEuler'];

export const hasFixedSteps = (integrator: string): boolean => FIXED_STEP.includes(integrator);

/** @throws ModelError where what is asked for contradicts itself */
export function integrationFor(
  { simulation, grains }: Model,
  options: SimulationOptions,
  run: { readonly rtol: number; readonly interval: number; readonly stopTime: number; readonly statistics: Statistics },
): Integrate {
  const {
    integrator = simulation.integrator ?? 'automatic',
    step = simulation.step,
    longestStep = simulation.longestStep,
  } = options;
  const methods: readonly string[] = ['automatic', ...INTEGRATOR_NAMES];
  if (integrator === 'grains')
    throw new ModelError(
      'integrator',
      "'grains' is no integrator: stones are species with a shape in model({ grains }), e.g. species: { stone: { shape: { polyhedron: box(0.1) }, material } }",
    );
  if (!methods.includes(integrator))
    throw new ModelError(
      'integrator',
      `expected one of ${methods.join(', ')}, got "${integrator}"${suggestion(integrator, methods)}`,
    );
  const fixed = hasFixedSteps(integrator);
  if (step !== undefined) positive(step, 'step', 's');
  if (longestStep !== undefined) positive(longestStep, 'longestStep', 's');
  if (step !== undefined && longestStep !== undefined && step > longestStep && fixed)
    throw new ModelError(
      'longestStep',
      `the integrator "${integrator}" takes steps of ${step} s: expected no less, got ${longestStep}`,
    );
  if (step === undefined && fixed)
    throw new ModelError(
      'step',
      `the integrator "${integrator}" takes steps of one length: expected it in s, got ${step}`,
    );
  const { rtol, interval, stopTime, statistics } = run;
  return (mechanics, contacts, t, y, h, crossings) => {
    mechanics.fixedSteps = fixed;
    if (contacts) contacts.fixedStep = fixed ? step! : 0;
    return new Integration(mechanics, {
      t0: t,
      y0: y,
      // A machine among grains needs a method that is stable whatever its drives are (grains/grain-coupling.ts)
      method:
        grains && integrator === 'automatic'
          ? firstStiffMethod(mechanics.timeDependent)
          : (integrator as MethodName | 'automatic'),
      stiffMethod: stiffMethodFor(mechanics.timeDependent, mechanics.lasting.hasKinks),
      rtol,
      statistics,
      ...(crossings && { crossings }),
      ...(h !== undefined && h > 0 && { hInitial: h }),
      ...(step !== undefined && { fixedStep: step }),
      ...(longestStep !== undefined && { hMax: longestStep }),
      probe: { finest: interval / FINEST, until: stopTime },
    });
  };
}
