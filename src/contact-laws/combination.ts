/**
 * From two materials and two bodies to the numbers of a contact:
 *
 *   1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂                        reduced modulus, Pa
 *   1/G* = (2 − ν₁)/G₁ + (2 − ν₂)/G₂,   G = E/(2(1 + ν))       reduced shear modulus, Pa (Mindlin 1949)
 *   1/R  = 1/R₁ + 1/R₂                                        effective radius, m; plane: Infinity, hollow: negative
 *   1/m  = 1/m₁ + 1/m₂                                        effective mass, kg; fixed: Infinity
 *   k_t/k_n = 4 G* / E*                                       tangential against normal stiffness;
 *                                                             2(1 − ν)/(2 − ν) for equal materials
 *   µ, e = 2 p₁p₂/(p₁ + p₂)                                   harmonic mean (Buse et al. 2023), where no pair value is known
 */
export interface Elastic {
  /** E, Pa; Infinity for a rigid partner */
  readonly youngsModulus: number;
  /** ν */
  readonly poissonRatio: number;
}

/** E*, Pa */
export function reducedModulus(a: Elastic, b: Elastic): number {
  return 1 / (compliance(a) + compliance(b));
}

const compliance = ({ youngsModulus, poissonRatio }: Elastic): number =>
  (1 - poissonRatio * poissonRatio) / youngsModulus;

/** G*, Pa */
export function reducedShearModulus(a: Elastic, b: Elastic): number {
  return 1 / (shearCompliance(a) + shearCompliance(b));
}

const shearCompliance = ({ youngsModulus, poissonRatio }: Elastic): number =>
  (2 * (1 + poissonRatio) * (2 - poissonRatio)) / youngsModulus;

/** k_t/k_n */
export function tangentialRatio(a: Elastic, b: Elastic): number {
  return (4 * reducedShearModulus(a, b)) / reducedModulus(a, b);
}

/** R or m of two in series: 1/(1/a + 1/b); Infinity leaves the other. */
export function inSeries(a: number, b: number): number {
  return 1 / (1 / a + 1 / b);
}

/** 2ab/(a + b), 0 for two zeros. */
export function harmonicMean(a: number, b: number): number {
  return a + b > 0 ? (2 * a * b) / (a + b) : 0;
}
