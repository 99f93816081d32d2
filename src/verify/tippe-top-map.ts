/** When the axis of the published tippe top is level, by other means than the product's: rigid bodies in eight coordinates; tests/papers/tippe-top.test.ts computes the table anew. */

export const SPINS = [100, 140, 180, 220, 260]; // rad/s
export const FRICTIONS = [0.1, 0.2, 0.3, 0.4, 0.5];

/** s, by spin and friction; NaN: not within 4 s */
export const LEVEL = [
  [1.7039628, 0.8752879, 0.7018193, 0.6938161, 0.780703],
  [2.178293, 1.1327894, 0.7519825, 0.5856476, 0.5168735],
  [2.8237753, 1.4060646, 0.9729472, 0.7183107, 0.5874041],
  [3.4351155, 1.7195906, 1.1572477, 0.8734225, 0.7332943],
  [Number.NaN, 2.2126658, 1.4990395, 1.1414992, 0.9291591],
];
