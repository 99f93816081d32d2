/**
 * Numbers with their derivatives by the displacement of B: six partial derivatives ride along with every value (forward differentiation),
 * so that what is computed and its gradient cannot disagree. B is displaced by dx and turned by dφ about the origin of the points;
 * A stays.
 *
 * A number is a place on the tape, a vector three places in a row. The tape is wound back before every search; nothing is allocated.
 */
const WIDTH = 7; // value, ∂/∂dx (3), ∂/∂dφ (3)

export class Tape {
  private slots: Float64Array;
  private used = 0;
  /** 1 for values alone, 7 with derivatives */
  private width = 1;

  constructor(capacity = 4096) {
    this.slots = new Float64Array(WIDTH * capacity);
  }

  /** Forgets everything. */
  wind(gradients: boolean): void {
    this.used = 0;
    this.width = gradients ? WIDTH : 1;
  }

  value(i: number): number {
    return this.slots[WIDTH * i];
  }
  /** Derivative of number i by the column-th of dx, dφ. */
  derivative(i: number, column: number): number {
    return this.slots[WIDTH * i + 1 + column];
  }
  /** Sets a derivative of a number that came about by other means, such as an implicit equation. */
  setDerivative(i: number, column: number, value: number): void {
    if (this.width > 1) this.slots[WIDTH * i + 1 + column] = value;
  }

  private next(count: number): number {
    const i = this.used;
    this.used += count;
    if (WIDTH * this.used > this.slots.length) {
      const larger = new Float64Array(2 * this.slots.length);
      larger.set(this.slots);
      this.slots = larger;
    }
    return i;
  }

  constant(x: number): number {
    const i = this.next(1);
    this.slots.fill(0, WIDTH * i, WIDTH * i + WIDTH);
    this.slots[WIDTH * i] = x;
    return i;
  }
  vector(x: number, y: number, z: number): number {
    const i = this.constant(x);
    this.constant(y);
    this.constant(z);
    return i;
  }
  /** A point of B: displaced by dx + dφ × p. */
  movingPoint(x: number, y: number, z: number): number {
    const i = this.movingDirection(x, y, z);
    for (let k = 0; k < 3; k++) this.slots[WIDTH * (i + k) + 1 + k] = 1;
    return i;
  }
  /** A direction of B: turned by dφ × v. */
  movingDirection(x: number, y: number, z: number): number {
    const i = this.vector(x, y, z);
    const { slots } = this;
    const s = WIDTH * i;
    // (dφ × v)_x = dφ_y z − dφ_z y, and so on
    slots[s + 5] = z;
    slots[s + 6] = -y;
    slots[s + WIDTH + 4] = -z;
    slots[s + WIDTH + 6] = x;
    slots[s + 2 * WIDTH + 4] = y;
    slots[s + 2 * WIDTH + 5] = -x;
    return i;
  }

  /** p a + q b for fixed p, q */
  combine(p: number, a: number, q: number, b: number): number {
    const i = this.next(1);
    const { slots, width } = this;
    for (let k = 0; k < width; k++) slots[WIDTH * i + k] = p * slots[WIDTH * a + k] + q * slots[WIDTH * b + k];
    return i;
  }
  add(a: number, b: number): number {
    return this.combine(1, a, 1, b);
  }
  sub(a: number, b: number): number {
    return this.combine(1, a, -1, b);
  }
  multiply(a: number, b: number): number {
    const i = this.next(1);
    const { slots, width } = this;
    const x = slots[WIDTH * a];
    const y = slots[WIDTH * b];
    for (let k = 1; k < width; k++) slots[WIDTH * i + k] = x * slots[WIDTH * b + k] + y * slots[WIDTH * a + k];
    slots[WIDTH * i] = x * y;
    return i;
  }
  divide(a: number, b: number): number {
    const i = this.next(1);
    const { slots, width } = this;
    const y = slots[WIDTH * b];
    const quotient = slots[WIDTH * a] / y;
    for (let k = 1; k < width; k++) slots[WIDTH * i + k] = (slots[WIDTH * a + k] - quotient * slots[WIDTH * b + k]) / y;
    slots[WIDTH * i] = quotient;
    return i;
  }
  sqrt(a: number): number {
    const i = this.next(1);
    const { slots, width } = this;
    const root = Math.sqrt(slots[WIDTH * a]);
    for (let k = 1; k < width; k++) slots[WIDTH * i + k] = (0.5 * slots[WIDTH * a + k]) / root;
    slots[WIDTH * i] = root;
    return i;
  }

  dot(v: number, w: number): number {
    const i = this.next(1);
    const { slots, width } = this;
    slots.fill(0, WIDTH * i, WIDTH * i + width);
    for (let c = 0; c < 3; c++) {
      const x = slots[WIDTH * (v + c)];
      const y = slots[WIDTH * (w + c)];
      slots[WIDTH * i] += x * y;
      for (let k = 1; k < width; k++)
        slots[WIDTH * i + k] += x * slots[WIDTH * (w + c) + k] + y * slots[WIDTH * (v + c) + k];
    }
    return i;
  }
  cross(v: number, w: number): number {
    const i = this.next(3);
    const { slots, width } = this;
    for (let c = 0; c < 3; c++) {
      const d = c === 2 ? 0 : c + 1;
      const e = c === 0 ? 2 : c - 1;
      const vd = WIDTH * (v + d);
      const ve = WIDTH * (v + e);
      const wd = WIDTH * (w + d);
      const we = WIDTH * (w + e);
      const o = WIDTH * (i + c);
      for (let k = 1; k < width; k++)
        slots[o + k] =
          slots[vd] * slots[we + k] + slots[vd + k] * slots[we] - slots[ve] * slots[wd + k] - slots[ve + k] * slots[wd];
      slots[o] = slots[vd] * slots[we] - slots[ve] * slots[wd];
    }
    return i;
  }
  /** p v + q w for fixed p, q */
  combineVectors(p: number, v: number, q: number, w: number): number {
    const i = this.next(3);
    const { slots, width } = this;
    for (let c = 0; c < 3; c++)
      for (let k = 0; k < width; k++)
        slots[WIDTH * (i + c) + k] = p * slots[WIDTH * (v + c) + k] + q * slots[WIDTH * (w + c) + k];
    return i;
  }
  minus(v: number, w: number): number {
    return this.combineVectors(1, v, -1, w);
  }
  /** v + s w */
  along(v: number, s: number, w: number): number {
    const i = this.next(3);
    const { slots, width } = this;
    const x = slots[WIDTH * s];
    for (let c = 0; c < 3; c++) {
      const y = slots[WIDTH * (w + c)];
      for (let k = 1; k < width; k++)
        slots[WIDTH * (i + c) + k] =
          slots[WIDTH * (v + c) + k] + x * slots[WIDTH * (w + c) + k] + y * slots[WIDTH * s + k];
      slots[WIDTH * (i + c)] = slots[WIDTH * (v + c)] + x * y;
    }
    return i;
  }
  /** v/|v| */
  unit(v: number): number {
    const length = this.sqrt(this.dot(v, v));
    const i = this.next(3);
    const { slots, width } = this;
    const l = slots[WIDTH * length];
    for (let c = 0; c < 3; c++) {
      const x = slots[WIDTH * (v + c)] / l;
      for (let k = 1; k < width; k++)
        slots[WIDTH * (i + c) + k] = (slots[WIDTH * (v + c) + k] - x * slots[WIDTH * length + k]) / l;
      slots[WIDTH * (i + c)] = x;
    }
    return i;
  }
  /** 3 t² − 2 t³ of t held between 0 and 1: rises without a kink. */
  smoothStep(t: number): number {
    const x = this.value(t);
    if (!(x > 0)) return this.constant(0);
    if (x >= 1) return this.constant(1);
    const square = this.multiply(t, t);
    return this.combine(3, square, -2, this.multiply(square, t));
  }
}
