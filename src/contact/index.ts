/** Contacts of a run: pairs that are near, regions followed in time, friction states, the step guard. */
export { ContactPair } from './contact-pair.js';
export { ContactSystem } from './contact-system.js';
