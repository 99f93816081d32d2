/**
 * Work over the last step, in panels: over each the power is a parabola through its start, middle and end, and what the step before tells of third and fourth order (power-history.ts). A
 * panel is added with Simpson's rule,
 *
 *   ∫ P dt ≈ h/6 (P₀ + 4 P_½ + P₁),   error h⁵/2880 P⁗,
 *
 * and work at any time within the step is read off the polynomial.
 */

import { fourthOrder, thirdOrder } from './power-history.js';
import { LEDGERS, noPower, type PowerSample } from './power-sample.js';

/** Numbers per panel: start and length in s; node of the step before; per ledger J before it, W at its start, middle and end, terms of third and fourth order */
const PANEL = 3 + 6 * LEDGERS.length;

/** J over a panel h s long: Simpson's rule and what the term of fourth order adds */
const simpson = (h: number, a: number, middle: number, b: number, fourth: number): number =>
  (h / 6) * (a + 4 * middle + b) + h * fourth * fourthOrder(1, 0);

/**
 * J at a fraction x of a panel h s long: from J before it, W at its start, middle and end, and the terms of third and fourth order that the step
 * before tells, the latter with its node m: h ∫₀ˣ of the polynomial through them
 */
function within(panels: Float64Array, at: number, h: number, x: number, m: number): number {
  const p0 = panels[at + 1];
  const p1 = panels[at + 2];
  const p2 = panels[at + 3];
  const part = x * (p0 + x * (-1.5 * p0 + 2 * p1 - 0.5 * p2 + x * ((2 / 3) * p0 - (4 / 3) * p1 + (2 / 3) * p2)));
  return panels[at] + h * (part + panels[at + 4] * thirdOrder(x) + panels[at + 5] * fourthOrder(x, m));
}

export class PowerPanels {
  /** J at the end of the last panel */
  readonly after: PowerSample;
  /** 2 per ledger, then 2 per sensor: terms of third and fourth order of the panel that is added next, W */
  readonly terms: Float64Array;
  private panels: Float64Array = new Float64Array(8 * PANEL);
  /** Per panel and sensor: J before it, W at its start, middle and end, terms of third and fourth order */
  private heatPanels: Float64Array;
  private readonly sensors: number;
  private count = 0;

  /** @param sensors how many sensors of heat there are */
  constructor(sensors: number) {
    this.sensors = sensors;
    this.after = noPower(sensors);
    this.terms = new Float64Array(2 * (LEDGERS.length + sensors));
    this.heatPanels = new Float64Array(8 * 6 * sensors);
  }

  /** The next panel is the first of a step; what was booked stays. */
  begin(): void {
    this.count = 0;
  }

  /**
   * Books [a, b] with the present `terms`.
   *
   * @param node where the middle of the step before lies
   */
  add(a: number, b: number, atA: PowerSample, atMiddle: PowerSample, atB: PowerSample, node: number): void {
    let at = this.count++ * PANEL;
    if (at + PANEL > this.panels.length) this.panels = longer(this.panels);
    const { panels, after, terms } = this;
    panels[at++] = a;
    panels[at++] = b - a;
    panels[at++] = node;
    let term = 0;
    for (const key of LEDGERS) {
      panels[at++] = after[key];
      panels[at++] = atA[key];
      panels[at++] = atMiddle[key];
      panels[at++] = atB[key];
      panels[at++] = terms[term++];
      panels[at++] = terms[term++];
      after[key] += simpson(b - a, atA[key], atMiddle[key], atB[key], terms[term - 1]);
    }
    if (this.sensors > 0) this.addHeats(b - a, atA.heats, atMiddle.heats, atB.heats);
  }

  private addHeats(h: number, atA: Float64Array, atMiddle: Float64Array, atB: Float64Array): void {
    const { sensors, count, terms } = this;
    if (6 * sensors * count > this.heatPanels.length) this.heatPanels = longer(this.heatPanels);
    const panels = this.heatPanels;
    const { heats } = this.after;
    for (let s = 0; s < sensors; s++) {
      const at = 6 * (sensors * (count - 1) + s);
      const term = 2 * (LEDGERS.length + s);
      panels[at] = heats[s];
      panels[at + 1] = atA[s];
      panels[at + 2] = atMiddle[s];
      panels[at + 3] = atB[s];
      panels[at + 4] = terms[term];
      panels[at + 5] = terms[term + 1];
      heats[s] += simpson(h, atA[s], atMiddle[s], atB[s], terms[term + 1]);
    }
  }

  /** J at a time within the step */
  at(t: number, out: PowerSample): void {
    const { panels, heatPanels, sensors, after } = this;
    let panel = this.count - 1;
    while (panel > 0 && t < panels[panel * PANEL]) panel--;
    const h = panel < 0 ? 0 : panels[panel * PANEL + 1];
    const x = h > 0 ? (t - panels[panel * PANEL]) / h : 1;
    const m = panel < 0 ? 0 : panels[panel * PANEL + 2];
    const ended = panel < 0 || (panel === this.count - 1 && x >= 1);
    for (let i = 0; i < LEDGERS.length; i++)
      out[LEDGERS[i]] = ended ? after[LEDGERS[i]] : within(panels, panel * PANEL + 3 + 6 * i, h, x, m);
    for (let s = 0; s < sensors; s++)
      out.heats[s] = ended ? after.heats[s] : within(heatPanels, 6 * (sensors * panel + s), h, x, m);
  }
}

/** Twice as long, with the same numbers in front */
function longer(values: Float64Array): Float64Array {
  const more = new Float64Array(2 * values.length);
  more.set(values);
  return more;
}
