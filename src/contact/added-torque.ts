/** Torque about the normal of a region beyond that of the friction law: those of the papers, with their derivatives. */
import type { PairLaw } from '../contact-laws/pair-law.js';
import {
  contactCircleTorque,
  contactCircleTorqueByRadius,
  contactCircleTorqueBySpin,
} from '../contact-laws/torsion/contact-circle-torque.js';
import {
  rotationalDamping,
  rotationalDampingByArea,
  rotationalDampingByForce,
  rotationalDampingBySpin,
} from '../contact-laws/torsion/rotational-damping.js';

export class AddedTorque {
  /** N m, and by N, spin, |S|, depth */
  torque = 0;
  byForce = 0;
  bySpin = 0;
  byArea = 0;
  byDepth = 0;

  /** @param load N, @param spin rad/s, @param area m², @param depth m */
  evaluate(law: PairLaw, load: number, spin: number, area: number, depth: number): void {
    this.torque = this.byForce = this.bySpin = this.byArea = this.byDepth = 0;
    const { torsion } = law;
    if (typeof torsion === 'string') return;
    if (torsion.kind === 'elmqvist') {
      const c = torsion.constant;
      this.torque = rotationalDamping(c, area, load, spin);
      this.byForce = rotationalDampingByForce(c, area, spin);
      this.bySpin = rotationalDampingBySpin(c, area, load);
      this.byArea = rotationalDampingByArea(c, load, spin);
      return;
    }
    if (!(depth > 0)) return;
    const round = Number.isFinite(law.effectiveRadius) ? law.effectiveRadius : law.rollingRadius;
    const circle = { friction: law.properties.kineticFriction, deadBand: torsion.deadBand };
    const radius = Math.sqrt(round * depth);
    this.torque = contactCircleTorque(circle, load, radius, spin);
    this.byForce = load > 0 ? this.torque / load : 0;
    this.bySpin = contactCircleTorqueBySpin(circle, load, radius, spin);
    this.byDepth = (contactCircleTorqueByRadius(circle, load, radius, spin) * radius) / (2 * depth);
  }
}
