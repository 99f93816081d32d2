/** What the sketch becomes: extruded or turned, of a material, seen as a solid, put into the scene. */
import { ModelError } from '../../errors.js';
import { extrude } from '../../geometry/extrude.js';
import { solidMassProperties } from '../../geometry/mass-properties.js';
import { hasArcs } from '../../geometry/outline.js';
import { revolve } from '../../geometry/revolve.js';
import type { Solid } from '../../geometry/solid.js';
import * as palette from '../../model/materials.js';
import { element, iconButton, setPressed } from '../../viewer/controls/element.js';
import { drawStill } from '../../viewer/still.js';
import type { Data } from '../document/document.js';
import type { Sketch } from '../document/sketch.js';
import { checkSketch } from './check.js';
import { fact, numberRow, row } from './fields.js';
import { boundsOf, millimetres } from './outline.js';
import { type SolidChoice, shapeOf } from './solid.js';

const MATERIALS = Object.entries(palette as Record<string, unknown>)
  .filter(
    (entry): entry is [string, palette.Material] => typeof entry[1] === 'object' && 'density' in (entry[1] as object),
  )
  .sort(([a], [b]) => (a < b ? -1 : 1));
/** px of the preview; drawn with as many samples as it takes no time */
const [WIDTH, HEIGHT] = [392, 300];

export class SolidPanel {
  readonly root: HTMLElement;
  readonly #canvas = element('canvas', { width: WIDTH, height: HEIGHT, class: 'sketch-solid', role: 'img' });
  readonly #why = element('p', { class: 'sketch-problem', role: 'status' });
  readonly #mass = fact('Mass');
  readonly #arcs = fact('Arcs');
  readonly #extrude: HTMLButtonElement;
  readonly #revolve: HTMLButtonElement;
  readonly #height = numberRow('Height', 'mm', 1e-3, (height) => this.#choose({ height }));
  readonly #material: HTMLSelectElement;
  readonly #put: HTMLButtonElement;
  #choice: SolidChoice = { kind: 'extrude', height: 0, material: 'steel' };
  #sketch: Sketch = { outlines: {} };

  constructor(put: (choice: SolidChoice) => void) {
    const kind = (name: 'extrude' | 'revolve', label: string): HTMLButtonElement => {
      const button = iconButton(name === 'extrude' ? 'build' : 'turn', label, () => this.#choose({ kind: name }), {
        text: label,
        toggle: true,
      });
      return button;
    };
    this.#extrude = kind('extrude', 'Extrude');
    this.#revolve = kind('revolve', 'Revolve');
    this.#material = element(
      'select',
      { 'aria-label': 'Material', onchange: () => this.#choose({ material: this.#material.value }) },
      ...MATERIALS.map(([name, { density }]) => element('option', { value: name }, `${name} · ${density} kg/m³`)),
    );
    this.#put = element(
      'button',
      { type: 'button', class: 'studio-main', onclick: () => put(this.choice) },
      'Put into the scene',
    );
    this.root = element(
      'div',
      { class: 'viewer-room sketch-panel' },
      this.#canvas,
      row('Make', element('div', { class: 'sketch-kinds' }, this.#extrude, this.#revolve)),
      this.#height.root,
      row('Material', this.#material),
      this.#mass.root,
      this.#arcs.root,
      this.#why,
      element('div', { class: 'sketch-buttons' }, this.#put),
    );
  }

  get choice(): SolidChoice {
    const { height } = this.#choice;
    return { ...this.#choice, height: height > 0 ? height : usualHeight(this.#sketch) };
  }

  #choose(part: Partial<SolidChoice>): void {
    this.#choice = { ...this.#choice, ...part };
    this.show(this.#sketch);
  }

  show(sketch: Sketch): void {
    // What this sketch was made into last is what is chosen first.
    if (sketch.solid && this.#choice.height === 0)
      this.#choice = { ...this.#choice, kind: sketch.solid.kind, height: sketch.solid.height };
    this.#sketch = sketch;
    const { choice } = this;
    setPressed(this.#extrude, choice.kind === 'extrude');
    setPressed(this.#revolve, choice.kind === 'revolve');
    this.#height.root.hidden = choice.kind === 'revolve';
    this.#height.show(choice.height);
    this.#material.value = choice.material;
    let why = '';
    let solids: readonly Solid[] = [];
    const { problem, profiles } = checkSketch(sketch);
    if (problem) why = problem.text;
    else if (profiles.length === 0) why = 'Draw a closed outline: it becomes a solid here.';
    else
      try {
        solids = solidsOf(shapeOf(sketch, choice));
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        why = error.message.replace(/^[\w.[\]]+: /, '');
      }
    this.#why.textContent = why;
    this.#why.classList.toggle('quiet', problem === undefined);
    this.#put.disabled = solids.length === 0;
    const density = MATERIALS.find(([name]) => name === choice.material)?.[1].density ?? 1000;
    const mass = solids.reduce((sum, solid) => sum + solidMassProperties(solid, density).mass, 0);
    this.#mass.value.textContent = solids.length > 0 ? massText(mass) : '';
    const arcs = profiles.some(hasArcs);
    const width = widthOf(sketch);
    this.#arcs.root.hidden = !arcs || solids.length === 0;
    this.#arcs.value.textContent =
      choice.kind === 'extrude'
        ? 'exact in the sketch and in contact; the picture has chords'
        : `exact in the sketch, chords of ${millimetres((width / 2) * (1 - Math.cos(Math.PI / 64)), 2)} in the solid`;
    this.#draw(solids);
  }

  #draw(solids: readonly Solid[]): void {
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    this.#canvas.setAttribute('aria-label', solids.length > 0 ? 'The solid' : 'No solid yet');
    if (solids.length === 0) {
      context.clearRect(0, 0, WIDTH, HEIGHT);
      return;
    }
    const parts = solids.map(({ mesh }) => ({ mesh }));
    const { rgba, width, height } = drawStill(parts, { width: WIDTH, height: HEIGHT, samples: 2 });
    context.putImageData(new ImageData(new Uint8ClampedArray(rgba), width, height), 0, 0);
  }
}

function solidsOf(shape: Data): Solid[] {
  return [shape].flat().map((one) => {
    const { extrude: up, revolve: round } = one as never as {
      extrude?: { outline: never; holes?: never[]; height: number };
      revolve?: { outline: never; holes?: never[] };
    };
    const figure = (up ?? round)!;
    const profile = { outer: figure.outline, holes: figure.holes ?? [] };
    return up ? extrude(profile, up.height) : revolve(profile);
  });
}

function widthOf({ outlines }: Sketch): number {
  const bounds = boundsOf(Object.values(outlines));
  return bounds ? Math.max(bounds[1][0] - bounds[0][0], bounds[1][1] - bounds[0][1]) : 0;
}

/** A tenth of the width, in a round number */
function usualHeight(sketch: Sketch): number {
  const width = widthOf(sketch);
  return width > 0 ? Number((width / 10).toPrecision(1)) : 0.005;
}

function massText(kg: number): string {
  const [factor, unit] = kg >= 1 ? [1, 'kg'] : kg >= 1e-3 ? [1e3, 'g'] : [1e6, 'mg'];
  return `${Number((kg * factor).toPrecision(3))} ${unit}`;
}
