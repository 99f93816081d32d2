/** Components of e_k × v, the rate of v in a turn about axis k at 1 rad/s. */
export const turnX = (k: number, y: number, z: number): number => (k === 1 ? z : k === 2 ? -y : 0);
export const turnY = (k: number, z: number, x: number): number => (k === 2 ? x : k === 0 ? -z : 0);
export const turnZ = (k: number, x: number, y: number): number => (k === 0 ? y : k === 1 ? -x : 0);
