/**
 * Two Rosenbrock methods of order 4(3) with 6 stages, L-stable and stiffly accurate, γ = 1/4.
 * RODAS4: Hairer & Wanner, Solving ODEs II (1996), §VI.4, with the dense output of its code. RODAS4P: Steinebach (1995), TH Darmstadt
 * preprint 1741: it also keeps its order on linear parabolic problems and on y' = λ(y − φ(t)) + φ'(t) with large −λ.
 *
 * They are written for U = Γ k, which needs no product with the Jacobian J: with e = γ h
 *
 *   (I − e J) U_i = e f(t + α_i h, y + Σ_j a_ij U_j) + γ Σ_j c_ij U_j + e h γ_i ∂f/∂t,   y₁ = y + Σ m_i U_i,   error = U₆
 *
 * where for both a₆ = (a₅, 1) and m = (a₅, 1, 1). Γ = (I/γ − C)⁻¹, and α_i, γ_i are the row sums of A Γ and Γ.
 * Between the ends, y(θ) = (1 − θ) y + θ y₁ + θ (1 − θ) Σ_j (d2_j + θ d3_j) U_j, of order 3.
 */
export interface RosenbrockTableau {
  readonly gamma: number;
  /** Rows 2 … 5; row 6 and the weights of the result follow from row 5. */
  readonly a: readonly (readonly number[])[];
  /** Rows 2 … 6 */
  readonly c: readonly (readonly number[])[];
  /** Times of the stages, in steps */
  readonly alpha: readonly number[];
  /** Factors of ∂f/∂t */
  readonly gammas: readonly number[];
  readonly d2: readonly number[];
  readonly d3: readonly number[];
}

export const RODAS4: RosenbrockTableau = {
  gamma: 0.25,
  a: [
    [1.544],
    [0.9466785280815826, 0.2557011698983284],
    [3.314825187068521, 2.896124015972201, 0.9986419139977817],
    [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895],
  ],
  c: [
    [-5.6688],
    [-2.430093356833875, -0.2063599157091915],
    [-0.1073529058151375, -9.594562251023355, -20.47028614809616],
    [7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616],
    [8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054],
  ],
  alpha: [0, 0.386, 0.21, 0.63, 1, 1],
  gammas: [0.25, -0.1043, 0.1035, -0.0362, 0, 0],
  d2: [10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662],
  d3: [-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872],
};

export const RODAS4P: RosenbrockTableau = {
  gamma: 0.25,
  a: [
    [3],
    [1.831036793486759, 0.4955183967433795],
    [2.304376582692669, -0.05249275245743001, -1.176798761832782],
    [-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401],
  ],
  c: [
    [-12],
    [-8.791795173947035, -2.207865586973518],
    [10.81793056857153, 6.780270611428266, 19.5348594464241],
    [34.19095006749676, 15.49671153725963, 54.7476087596413, 14.16005392148534],
    [34.62605830930532, 15.30084976114473, 56.99955578662667, 18.40807009793095, -5.714285714285717],
  ],
  alpha: [0, 0.75, 0.21, 0.63, 1, 1],
  gammas: [0.25, -0.5, -0.023504, -0.0362, 0, 0],
  d2: [25.09876703708589, 11.62013104361867, 28.49148307714626, -5.664021568594133, 0],
  d3: [1.638054557396973, -0.7373619806678748, 8.47791821923899, 15.9925314877952, -1.882352941176471],
};
