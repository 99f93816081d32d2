import { expect, test } from 'vitest';
import { boxesMeet } from '../broad-phase/boxes.js';
import { random } from '../math/random.js';
import { IslandQueue } from './island-queue.js';
import type { MovingIsland } from './moving-island.js';

// Held to a look at every island, as islands come, move on, go back and go: the same one first, the same ones near in the same order.
test('who is furthest behind and whose boxes meet, as a search of all has it', () => {
  const chance = random(7);
  const queue = new IslandQueue();
  const all = new Set<MovingIsland>();
  const place = (box: Float64Array): void => {
    for (let k = 0; k < 3; k++) {
      box[k] = chance.uniform();
      box[k + 3] = box[k] + 0.2 * chance.uniform();
    }
  };
  for (let turn = 0; turn < 3000; turn++) {
    const what = chance.uniform();
    if (all.size < 2 || what < 0.3) {
      const island = { t: Math.floor(10 * chance.uniform()), members: [turn], sweep: { box: new Float64Array(6) } };
      place(island.sweep.box);
      const added = island as unknown as MovingIsland;
      all.add(added);
      queue.add(added);
    } else {
      const one = [...all][Math.floor(chance.uniform() * all.size)];
      if (what < 0.55) {
        all.delete(one);
        queue.remove(one);
      } else {
        // few times, so that islands are equally far behind
        (one as { t: number }).t = Math.floor(10 * chance.uniform());
        place(one.sweep.box);
        queue.moved(one);
      }
    }
    if (all.size === 0) continue;
    const sorted = [...all].sort((a, b) => a.t - b.t || a.members[0] - b.members[0]);
    expect(queue.first).toBe(sorted[0]);
    const near: MovingIsland[] = [];
    queue.eachNear(sorted[0], (other) => near.push(other));
    expect(near).toEqual(
      [...all].filter((other) => other !== sorted[0] && boxesMeet(sorted[0].sweep.box, 0, other.sweep.box, 0)),
    );
  }
});
