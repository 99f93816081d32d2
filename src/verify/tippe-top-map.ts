/**
 * When the axis of the published tippe top is level, by other means than the product's: rigid bodies in eight coordinates; tests/papers/tippe-top.test.ts computes the table anew.
 *
 * Left out, for reasons that the rigid bodies themselves tell: at 260 rad/s a rigid table would have to pull (the top leaves it); at 220 rad/s and 0.4 the axis passes level by 0.2° only,
 * falls back, and is level for good 36 ms later, so that a thousandth of the radius decides which of the two it is.
 */

export const SPINS = [100, 140, 180, 220]; // rad/s
export const FRICTIONS = [0.1, 0.2, 0.3, 0.4, 0.5];
export const GRAZING = { spin: 220, friction: 0.4 };
export const LIFTING = 260; // rad/s

/** s, by spin and friction */
export const LEVEL = [
  [1.7039628, 0.8752879, 0.7018193, 0.6938161, 0.780703],
  [2.178293, 1.1327894, 0.7519825, 0.5856476, 0.5168735],
  [2.8237753, 1.4060646, 0.9729472, 0.7183107, 0.5874041],
  [3.4351155, 1.7195906, 1.1572477, 0.8734225, 0.7332943],
];
