/** Every box against every other: O(n²), without any preparation the fastest for few shapes (Elmqvist et al. 2015, §5.1). */
import type { AllowedPairs } from './allowed-pairs.js';
import type { PairList } from './candidate-pairs.js';

/** Writes all allowed pairs whose boxes meet; they come out sorted. */
export function everyPair(boxes: Float64Array, allowed: AllowedPairs, pairs: PairList): void {
  pairs.clear();
  const end = boxes.length;
  for (let i = 0; i < end; i += 6) {
    const minX = boxes[i];
    const minY = boxes[i + 1];
    const minZ = boxes[i + 2];
    const maxX = boxes[i + 3];
    const maxY = boxes[i + 4];
    const maxZ = boxes[i + 5];
    for (let j = i + 6; j < end; j += 6) {
      if (boxes[j] > maxX || boxes[j + 3] < minX) continue;
      if (boxes[j + 1] > maxY || boxes[j + 4] < minY) continue;
      if (boxes[j + 2] > maxZ || boxes[j + 5] < minZ) continue;
      if (allowed.allows(i / 6, j / 6)) pairs.push(i / 6, j / 6);
    }
  }
}
