/** What computes how bodies that deform touch, as a value: assembly hands it on with the pairs that need it (`FlexibleContactPlan`), so that models without such pairs do without. */
import { ContactRegions } from './contact-regions.js';
import { ContactSurface } from './contact-surface.js';
import { PlaneContact, SLOTS } from './plane-contact.js';
import { ResidualCompliance } from './residual-compliance.js';
import { RigidOutline } from './rigid-outline.js';
import { bristlesOf, SolidContact } from './solid/solid-contact.js';
import { SolidSurface } from './solid/solid-surface.js';
import { HARDNESS } from './touch-search.js';

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
