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
