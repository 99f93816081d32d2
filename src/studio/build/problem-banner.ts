/** What is wrong with the model, over the view, where it is seen whichever panel is open; a button goes to the part. */
import { element } from '../../viewer/controls/element.js';
import type { Problem } from '../activity.js';
import { elementsOf, partsOf } from '../commands/elements.js';
import { sensorIndex, sensorPath, sensorsOf } from '../commands/sensors.js';
import type { JsonModel } from '../document/document.js';

/** The element that a problem is at, as a path that can be selected: `bodies.arm` for `bodies.arm.shape.sphere.radius` */
export function placeOfProblem(model: JsonModel, { path }: Problem): string | undefined {
  const sensor = sensorIndex(path);
  if (sensor !== undefined) return sensor < sensorsOf(model).length ? sensorPath(sensor) : undefined;
  const parts = partsOf(path);
  if (!parts) return undefined;
  return Object.hasOwn(elementsOf(model, parts.group), parts.name) ? `${parts.group}.${parts.name}` : undefined;
}

export function fillProblem(
  place: HTMLElement,
  model: JsonModel | undefined,
  problem: Problem | undefined,
  show: (path: string) => void,
): void {
  place.hidden = problem === undefined;
  if (!problem) {
    place.replaceChildren();
    return;
  }
  const path = model && placeOfProblem(model, problem);
  place.replaceChildren(
    element(
      'p',
      {},
      element('strong', {}, problem.path ? `${problem.path}: ` : 'The model cannot be built: '),
      problem.text,
    ),
    ...(path === undefined
      ? []
      : [
          element(
            'button',
            { type: 'button', class: 'viewer-button with-text studio-plain', onclick: () => show(path) },
            `Show ${path.slice(path.indexOf('.') + 1)}`,
          ),
        ]),
  );
}
