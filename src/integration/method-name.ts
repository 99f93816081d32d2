/** Methods by the names users write. */
export const METHOD_NAMES = [
  'dopri5',
  'dop853',
  'rodas4',
  'rodas4p',
  'esdirk4',
  'radau5',
  'verlet',
  'symplecticEuler',
] as const;

export type MethodName = (typeof METHOD_NAMES)[number];

/** What a run may be asked for beside them: steps of a known length in which contact is a convex problem (src/time-stepping) */
export const TIME_STEPPING = 'time-stepping';
export const INTEGRATOR_NAMES = [...METHOD_NAMES, TIME_STEPPING] as const;
export type IntegratorName = (typeof INTEGRATOR_NAMES)[number];
