/**
 * Signed distance g of a point from an idealized surface, in the surface's frame, with its first two derivatives:
 *
 *   n = ∇g,     H = ∇∇g = β (1 − n nᵀ) + γ t tᵀ,     t a unit vector across n
 *
 *   sphere             g = |x| − R                    β = 1/|x|
 *   cylinder           g = ρ − R                      γ = 1/ρ, t around the axis
 *   cylinder, rim      g = √((ρ−R)² + (|z|−L/2)²)     β = 1/g, γ = n_ρ/ρ − 1/g     (also the edge of a disc)
 *   face               g = z                          β = γ = 0
 *   face, edge         g = distance from the edge     β = 1/g, γ = −1/g, t along the edge
 *   face, corner       g = distance from the corner   β = 1/g
 *
 * A lateral surface has no end faces: whatever lies in front of its end nearer to the axis than R does not touch it
 * (`touchable` is false), as in Oestersötebier et al. (2014), eq. 1. A rim seen from outside is touched, by the same equation. The
 * edge of a face is touched by balls if `edges`, else not at all, as in their eqs 2 and 5.
 */
import { type IdealizedSurface, layerThickness, sides } from './surface.js';

export class DistanceField {
  distance = 0;
  nx = 0;
  ny = 0;
  nz = 0;
  /** β and γ, 1/m */
  bend = 0;
  bendAlong = 0;
  tx = 0;
  ty = 0;
  tz = 0;
  touchable = true;
  /** deepest penetration that still counts as contact, m */
  readonly thickness: number;
  private readonly radius: number;
  private readonly halfX: number;
  private readonly halfY: number;
  /** half length of a cylinder */
  private readonly halfZ: number;

  constructor(
    private readonly surface: IdealizedSurface,
    private readonly edges: boolean,
    thickness?: number,
  ) {
    this.thickness = thickness ?? layerThickness(surface);
    this.radius = 'radius' in surface ? surface.radius : 0;
    this.halfX = surface.kind === 'rectangle' ? sides(surface)[0] / 2 : 0;
    this.halfY = surface.kind === 'rectangle' ? sides(surface)[1] / 2 : 0;
    this.halfZ = surface.kind === 'cylinder' ? surface.length / 2 : 0;
  }

  locate(x: number, y: number, z: number): void {
    this.bend = this.bendAlong = this.tx = this.ty = this.tz = 0;
    this.touchable = true;
    switch (this.surface.kind) {
      case 'sphere':
        this.locateSphere(x, y, z);
        break;
      case 'cylinder':
        this.locateCylinder(x, y, z);
        break;
      case 'rectangle':
        this.locateRectangle(x, y, z);
        break;
      default:
        this.locateCircle(x, y, z);
    }
  }

  /** As `locate`, of the lateral surface of a cylinder without ends. */
  locateBeside(x: number, y: number): void {
    const rho = Math.sqrt(x * x + y * y);
    const inverse = rho > 0 ? 1 / rho : 0;
    this.touchable = true;
    this.distance = rho - this.radius;
    this.nx = rho > 0 ? x * inverse : 1;
    this.ny = y * inverse;
    this.nz = 0;
    this.bend = 0;
    this.bendAlong = inverse;
    this.tx = -this.ny;
    this.ty = this.nx;
    this.tz = 0;
  }

  private locateSphere(x: number, y: number, z: number): void {
    const length = Math.sqrt(x * x + y * y + z * z);
    const inverse = length > 0 ? 1 / length : 0;
    this.distance = length - this.radius;
    this.nx = length > 0 ? x * inverse : 1;
    this.ny = y * inverse;
    this.nz = z * inverse;
    this.bend = inverse;
  }

  private locateCylinder(x: number, y: number, z: number): void {
    const beyond = Math.abs(z) - this.halfZ;
    if (beyond <= 0) this.locateBeside(x, y);
    else this.locateRim(x, y, z < 0 ? -beyond : beyond);
  }

  private locateCircle(x: number, y: number, z: number): void {
    if (x * x + y * y <= this.radius * this.radius) this.locateFace(z);
    else {
      this.locateRim(x, y, z);
      this.touchable = this.edges;
    }
  }

  private locateRectangle(x: number, y: number, z: number): void {
    const overX = Math.max(0, Math.abs(x) - this.halfX);
    const overY = Math.max(0, Math.abs(y) - this.halfY);
    if (overX === 0 && overY === 0) {
      this.locateFace(z);
      return;
    }
    const distance = Math.sqrt(overX * overX + overY * overY + z * z);
    this.distance = distance;
    this.nx = (x < 0 ? -overX : overX) / distance;
    this.ny = (y < 0 ? -overY : overY) / distance;
    this.nz = z / distance;
    this.bend = 1 / distance;
    this.touchable = this.edges;
    if (overX > 0 && overY > 0) return;
    this.bendAlong = -this.bend;
    this.tx = overX > 0 ? 0 : 1;
    this.ty = overX > 0 ? 1 : 0;
    this.tz = 0;
  }

  /** As `locate`, of a face without end. */
  locateFace(z: number): void {
    this.touchable = true;
    this.distance = z;
    this.nx = this.ny = 0;
    this.nz = 1;
    this.bend = this.bendAlong = this.tx = this.ty = this.tz = 0;
  }

  /** Circle of the radius at height 0. */
  private locateRim(x: number, y: number, z: number): void {
    const rho = Math.sqrt(x * x + y * y);
    const out = rho - this.radius;
    const distance = Math.sqrt(out * out + z * z);
    const inverse = distance > 0 ? 1 / distance : 0;
    const ex = rho > 0 ? x / rho : 1;
    const ey = rho > 0 ? y / rho : 0;
    const radial = distance > 0 ? out * inverse : 1;
    this.distance = distance;
    this.nx = radial * ex;
    this.ny = radial * ey;
    this.nz = z * inverse;
    this.bend = inverse;
    this.bendAlong = (rho > 0 ? radial / rho : 0) - inverse;
    this.tx = -ey;
    this.ty = ex;
    this.tz = 0;
    this.touchable = out >= 0;
  }
}
