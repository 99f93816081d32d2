/**
 * How bristles are handed on when contact regions merge or split, between accepted steps. A region has the displacement
 * (s₁, s₂) of its centroid c and the twist φ = ψ/b, b the effective radius of its patch; its stiffness is k along the plane
 * and k b² about the normal.
 *
 * **Merge**, force and torque about any point kept:
 *
 *   K = Σ k_i,   c = Σ k_i c_i/K,   s = Σ k_i s_i/K
 *   K_φ = Σ (k_i b_i² + k_i |c_i − c|²),   φ = Σ (k_i b_i² φ_i + k_i (c_i − c) × s_i)/K_φ
 *
 * then rescaled to the stiffness k_new and radius b_new of the merged region: s K/k_new, ψ = φ K_φ/(k_new b_new). Before that
 * rescaling energy can only be lost; the loss is to be booked as dissipation.
 *
 * **Split**, the children stand where the rigid displacement of the parent puts them: s_i = s + φ n × (c_i − c), φ_i = φ.
 *
 * A loaded bristle must never be dropped: the body would slip by F/k at once. All coordinates are in the tangent plane
 * with normal n, in one basis.
 */
export interface BristleState {
  /** Centroid, m */
  readonly c1: number;
  readonly c2: number;
  /** Displacement, m */
  readonly s1: number;
  readonly s2: number;
  /** Twist times effective radius, m */
  readonly psi: number;
  /** k, N/m */
  readonly stiffness: number;
  /** b, m; 0 for a point */
  readonly effectiveRadius: number;
}

/** Where the merged region lies and how stiff it is. */
export type BristlePlace = Pick<BristleState, 'c1' | 'c2' | 'stiffness' | 'effectiveRadius'>;

/** @param place of the merged region; unless given, the sums above */
export function mergeBristles(parts: readonly BristleState[], place?: BristlePlace): BristleState {
  let stiffness = 0;
  let c1 = 0;
  let c2 = 0;
  let f1 = 0;
  let f2 = 0;
  for (const part of parts) {
    stiffness += part.stiffness;
    c1 += part.stiffness * part.c1;
    c2 += part.stiffness * part.c2;
    f1 += part.stiffness * part.s1;
    f2 += part.stiffness * part.s2;
  }
  const at1 = place?.c1 ?? c1 / stiffness;
  const at2 = place?.c2 ?? c2 / stiffness;
  // torque of the parts about the new centroid, and the angular stiffness they have together
  let torque = 0;
  let angular = 0;
  for (const part of parts) {
    const x = part.c1 - at1;
    const y = part.c2 - at2;
    torque += part.stiffness * (part.effectiveRadius * part.psi + x * part.s2 - y * part.s1);
    angular += part.stiffness * (part.effectiveRadius * part.effectiveRadius + x * x + y * y);
  }
  const newStiffness = place?.stiffness ?? stiffness;
  const radius = place?.effectiveRadius ?? Math.sqrt(angular / stiffness);
  return {
    c1: at1,
    c2: at2,
    s1: f1 / newStiffness,
    s2: f2 / newStiffness,
    psi: radius > 0 ? torque / (newStiffness * radius) : 0,
    stiffness: newStiffness,
    effectiveRadius: radius,
  };
}

/** The children's displacements; their stiffnesses should add up to the parent's. */
export function splitBristle(parent: BristleState, places: readonly BristlePlace[]): BristleState[] {
  const twist = parent.effectiveRadius > 0 ? parent.psi / parent.effectiveRadius : 0;
  return places.map((place) => ({
    ...place,
    s1: parent.s1 - twist * (place.c2 - parent.c2),
    s2: parent.s2 + twist * (place.c1 - parent.c1),
    psi: twist * place.effectiveRadius,
  }));
}
