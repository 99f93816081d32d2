/** Where B stands seen from A. Differences of positions are taken first, so that places far from the world's origin cost no digits. */
import type { ShapePoses } from '../route.js';

export class RelativePose {
  /** 9, by rows: from B's axes to A's */
  readonly rotation_AB = new Float64Array(9);
  /** 3: B's origin in A's frame, m */
  readonly position_AB = new Float64Array(3);

  set({ position, rotation }: ShapePoses, a: number, b: number): void {
    const { rotation_AB: r, position_AB: t } = this;
    const i = 9 * a;
    const j = 9 * b;
    const dx = position[3 * b] - position[3 * a];
    const dy = position[3 * b + 1] - position[3 * a + 1];
    const dz = position[3 * b + 2] - position[3 * a + 2];
    for (let k = 0; k < 3; k++) {
      const x = rotation[i + k];
      const y = rotation[i + 3 + k];
      const z = rotation[i + 6 + k];
      t[k] = x * dx + y * dy + z * dz;
      r[3 * k] = x * rotation[j] + y * rotation[j + 3] + z * rotation[j + 6];
      r[3 * k + 1] = x * rotation[j + 1] + y * rotation[j + 4] + z * rotation[j + 7];
      r[3 * k + 2] = x * rotation[j + 2] + y * rotation[j + 5] + z * rotation[j + 8];
    }
  }
}
