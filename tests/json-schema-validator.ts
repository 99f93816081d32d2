/**
 * A JSON Schema validator for the keywords our schema uses, written from the specification (draft 2020-12, Core and Validation), so that the
 * published schema is judged by something other than what made it. An unknown keyword is an error, not silently true.
 */
type Schema = Readonly<Record<string, unknown>> | boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
};

/** Each keyword: whether `value` passes. Those of other types than the value's pass, as the specification has it. */
export function accepts(root: Schema, value: unknown, schema: Schema = root): boolean {
  if (typeof schema === 'boolean') return schema;
  const valid = (inner: unknown, part: unknown): boolean => accepts(root, part, inner as Schema);
  return Object.entries(schema).every(([keyword, rule]) => {
    const number = rule as number;
    const list = rule as unknown[];
    switch (keyword) {
      case '$schema':
      case '$defs':
      case 'title':
      case 'description':
      case 'default':
        return true;
      case '$ref':
        return valid(
          (rule as string)
            .split('/')
            .slice(1)
            .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], root),
          value,
        );
      case 'type':
        return TYPES[rule as string](value);
      case 'const':
        return value === rule;
      case 'enum':
        return list.includes(value);
      case 'anyOf':
        return list.some((inner) => valid(inner, value));
      case 'oneOf':
        return list.filter((inner) => valid(inner, value)).length === 1;
      case 'minimum':
        return typeof value !== 'number' || value >= number;
      case 'maximum':
        return typeof value !== 'number' || value <= number;
      case 'exclusiveMinimum':
        return typeof value !== 'number' || value > number;
      case 'exclusiveMaximum':
        return typeof value !== 'number' || value < number;
      case 'minItems':
        return !Array.isArray(value) || value.length >= number;
      case 'maxItems':
        return !Array.isArray(value) || value.length <= number;
      case 'items':
        return (
          !Array.isArray(value) ||
          value.slice(((schema.prefixItems as unknown[]) ?? []).length).every((item) => valid(rule, item))
        );
      case 'prefixItems':
        return !Array.isArray(value) || list.every((inner, i) => i >= value.length || valid(inner, value[i]));
      case 'pattern':
        return typeof value !== 'string' || new RegExp(rule as string, 'u').test(value);
      case 'propertyNames':
        return !isObject(value) || Object.keys(value).every((name) => valid(rule, name));
      case 'required':
        return !isObject(value) || list.every((name) => Object.hasOwn(value, name as string));
      case 'properties':
        return (
          !isObject(value) ||
          Object.entries(rule as object).every(
            ([name, inner]) => !Object.hasOwn(value, name) || valid(inner, value[name]),
          )
        );
      case 'additionalProperties': {
        const own = Object.keys((schema.properties ?? {}) as object);
        return (
          !isObject(value) || Object.entries(value).every(([name, part]) => own.includes(name) || valid(rule, part))
        );
      }
      default:
        throw new Error(`this validator does not know "${keyword}"`);
    }
  });
}
