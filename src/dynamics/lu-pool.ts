/** Factors of dense matrices of all sizes, made once and used again. */
import { ScaledLu } from '../math/scaled-lu.js';

class Shelf {
  readonly made: ScaledLu[] = [];
  inUse = 0;
}

export class LuPool {
  private readonly shelves: Shelf[] = [];
  private readonly bySize = new Map<number, Shelf>();

  /** All of them are free again. */
  release(): void {
    for (let k = 0; k < this.shelves.length; k++) this.shelves[k].inUse = 0;
  }

  /** One that nobody has had since the last `release`, filled with zeros */
  take(size: number): ScaledLu {
    let shelf = this.bySize.get(size);
    if (!shelf) {
      shelf = new Shelf();
      this.shelves.push(shelf);
      this.bySize.set(size, shelf);
    }
    if (shelf.inUse === shelf.made.length) shelf.made.push(new ScaledLu(size));
    const lu = shelf.made[shelf.inUse++];
    lu.matrix.fill(0);
    return lu;
  }
}
