/** Factors of dense matrices of all sizes, made once and used again. */
import { ScaledLu } from '../../math/scaled-lu.js';

class FactorStack {
  readonly made: ScaledLu[] = [];
  inUse = 0;
}

export class LuPool {
  private readonly stacks: FactorStack[] = [];
  private readonly bySize = new Map<number, FactorStack>();

  /** All of them are free again. */
  release(): void {
    for (let k = 0; k < this.stacks.length; k++) this.stacks[k].inUse = 0;
  }

  /** One that nobody has had since the last `release`, filled with zeros */
  take(size: number): ScaledLu {
    let stack = this.bySize.get(size);
    if (!stack) {
      stack = new FactorStack();
      this.stacks.push(stack);
      this.bySize.set(size, stack);
    }
    if (stack.inUse === stack.made.length) stack.made.push(new ScaledLu(size));
    const lu = stack.made[stack.inUse++];
    lu.matrix.fill(0);
    return lu;
  }
}
