/** Contact sensors: pairs of bodies whose force, torque, touch and heat are signals of their own. They stand in a list, and have places in it for names. */
import { ModelError } from '../../errors.js';
import { type Data, type JsonModel, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { isRecord } from './elements.js';

export type SensorPair = readonly [string, string];

export const sensorPath = (index: number): string => `contacts.sensors[${index}]`;

/** The place in the list that a path means, `contacts.sensors[2]` or something in it */
export function sensorIndex(path: string): number | undefined {
  const found = /^contacts\.sensors\[(\d+)\]/.exec(path);
  return found ? Number(found[1]) : undefined;
}

export function sensorsOf(model: JsonModel): readonly Data[] {
  const { contacts } = model;
  return isRecord(contacts) && Array.isArray(contacts.sensors) ? contacts.sensors : [];
}

export const isPair = (value: Data | undefined): value is SensorPair =>
  Array.isArray(value) && value.length === 2 && value.every((name) => typeof name === 'string');

export const addSensor: Command<{ readonly between: SensorPair }> = {
  name: 'add-sensor',
  label: ({ between }) => `Contact sensor between ${between.join(' and ')}`,
  apply: (document, { between }) =>
    withModel(document, (model) => {
      if (model.contacts === false)
        throw new ModelError(
          'contacts',
          'is false: nothing touches anything in this model, and there is nothing to sense',
        );
      const [a, b] = between;
      const isIt = (pair: Data): boolean => isPair(pair) && pair.includes(a) && pair.includes(b);
      if (sensorsOf(model).some(isIt))
        throw new ModelError('contacts.sensors', `there is already one between ${a} and ${b}`);
      return withSensors(model, [...sensorsOf(model), [a, b]]);
    }),
};

/** The model without those at these places of the list */
export function withoutSensors(model: JsonModel, gone: ReadonlySet<number>): JsonModel {
  return gone.size === 0
    ? model
    : withSensors(
        model,
        sensorsOf(model).filter((_, i) => !gone.has(i)),
      );
}

/** An empty list would silence the signals of all pairs; without one, few pairs all have theirs. */
function withSensors(model: JsonModel, sensors: readonly Data[]): JsonModel {
  const { sensors: _, ...others } = isRecord(model.contacts) ? model.contacts : {};
  return { ...model, contacts: sensors.length > 0 ? { ...others, sensors } : others };
}
