/** What the numbers of a model mean before it runs: freedom, states, frequencies, stiffness, contact pairs. `tippetop explain` prints it. */
export { type Explanation, explain } from './explanation.js';
export { explanationText } from './text.js';
