/** What computes how bodies that deform touch, as a value: assembly hands it on with the pairs that need it (`FlexibleContactPlan`), so that models without such pairs do without. */
import { ContactRegions } from './contact-regions.js';
import { ContactSurface } from './contact-surface.js';
import { LocalCompliance } from './local-compliance.js';
import { PlaneContact, SLOTS } from './plane-contact.js';
import { RigidOutline } from './rigid-outline.js';
import { SolidContact } from './solid/solid-contact.js';
import { SolidSurface } from './solid/solid-surface.js';
import { SurfaceCompliance } from './solid/surface-compliance.js';
import { HARDNESS } from './touch-search.js';

export const TOUCHING = {
  ContactRegions,
  ContactSurface,
  HARDNESS,
  LocalCompliance,
  PlaneContact,
  RigidOutline,
  SLOTS,
  SolidContact,
  SolidSurface,
  SurfaceCompliance,
};
export type Touching = typeof TOUCHING;
