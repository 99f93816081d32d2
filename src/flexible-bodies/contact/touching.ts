/** What computes how bodies that deform touch, as a value: assembly hands it on with the pairs that need it (`FlexibleContactPlan`), so that models without such pairs do without. */
import { ContactRegions } from './contact-regions.js';
import { ContactSurface } from './contact-surface.js';
import { PlaneContact } from './plane-contact.js';
import { SLOTS } from './plane-friction.js';
import { HARDNESS } from './plane-places.js';
import { ResidualCompliance } from './residual-compliance.js';
import { RigidOutline } from './rigid-outline.js';
import { bristlesOf, SolidContact } from './solid/solid-contact.js';
import { SolidSurface } from './solid/solid-surface.js';

export const TOUCHING = {
  ContactRegions,
  ContactSurface,
  HARDNESS,
  PlaneContact,
  ResidualCompliance,
  RigidOutline,
  SLOTS,
  SolidContact,
  SolidSurface,
  bristlesOf,
};
export type Touching = typeof TOUCHING;
