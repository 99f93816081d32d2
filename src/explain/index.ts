/** What the numbers of a model mean before it runs: freedom, states, frequencies, stiffness, contact pairs. `tippetop explain` prints it. */

export { type ContactSummary, contactSummary, describeContacts } from './contact-summary.js';
export { type Explanation, explain } from './explanation.js';
export { describeStress } from './stress-text.js';
export { explanationText } from './text.js';
export { describeTrust } from './trust-text.js';
