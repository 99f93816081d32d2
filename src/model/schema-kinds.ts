/**
 * Kinds of schema: numbers, texts, choices, lists, objects, and what may be said of them. `schema.ts` builds the model's words of them, `check` there reads data by
 * them and makes an error of what they tell, and `json-schema.ts` writes them down for editors. Names and meaning are those of zod, of which this is the part a model
 * needs at a tenth of its size; nothing is made with `new Function`, so a page may forbid that.
 *
 * A schema gives what it has read, not what it was given: new objects and lists with known keys only, in the order of the schema, defaults filled in.
 */

/** What is wrong at one place */
export interface Issue {
  readonly code:
    | 'invalid_type'
    | 'invalid_value'
    | 'too_small'
    | 'too_big'
    | 'unrecognized_keys'
    | 'invalid_union'
    | 'custom';
  /** From the schema that was asked down to the place */
  readonly path: PropertyKey[];
  readonly input: unknown;
  /** The author's words; none where code and the fields below say it */
  message?: string | undefined;
  /** What was read is of its kind all the same: further checks may look at it, and of a union this is the variant that was meant. */
  readonly ofItsKind?: boolean;
  /** Kind that was expected */
  readonly expected?: string;
  /** Keys that an object does not have */
  readonly keys?: readonly string[];
  /** Values that a choice takes */
  readonly values?: readonly unknown[];
  /** What each variant of a union told */
  readonly errors?: readonly (readonly Issue[])[];
}

type Told = Omit<Issue, 'path' | 'message'> & { readonly path?: PropertyKey[] };
type Message = string | ((issue: { readonly input?: unknown; readonly code?: string }) => string | undefined);
interface Params {
  readonly error?: Message;
}

/** What a check says of a value; undefined if nothing. `bound` is for the JSON Schema. */
interface Check {
  readonly bound?: readonly [keyword: 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum', value: number];
  tell(value: unknown, issues: Issue[]): void;
}

const issueOf = (told: Told, error: Message | undefined): Issue => ({
  ...told,
  path: told.path ?? [],
  message: typeof error === 'function' ? error(told) : error,
});

/** Puts `key` before the paths of what was told since `from`. */
function inside(issues: Issue[], from: number, key: PropertyKey): void {
  for (let i = from; i < issues.length; i++) issues[i].path.unshift(key);
}

function allOfKind(issues: readonly Issue[], from = 0): boolean {
  for (let i = from; i < issues.length; i++) if (!issues[i].ofItsKind) return false;
  return true;
}

// biome-ignore lint/suspicious/noExplicitAny: any schema at all
export type AnySchema = Schema<any, any>;
export type output<S extends AnySchema> = S['outputs'];
export type input<S extends AnySchema> = S['inputs'];

export abstract class Schema<Output, Input = Output> {
  declare readonly outputs: Output;
  declare readonly inputs: Input;
  readonly checks: readonly Check[] = [];
  readonly description: string | undefined;
  readonly extra: Readonly<Record<string, unknown>> | undefined;
  constructor(protected readonly error?: Message) {}

  /** The value as this kind has it, telling what is wrong */
  protected abstract read(value: unknown, issues: Issue[]): unknown;

  run(value: unknown, issues: Issue[]): unknown {
    const from = issues.length;
    const found = this.read(value, issues);
    for (const check of this.checks) if (issues.length === from || allOfKind(issues, from)) check.tell(found, issues);
    return found;
  }

  safeParse(value: unknown): { success: true; data: Output } | { success: false; issues: readonly Issue[] } {
    const issues: Issue[] = [];
    const data = this.run(value, issues) as Output;
    return issues.length === 0 ? { success: true, data } : { success: false, issues };
  }

  protected tell(issues: Issue[], told: Told): void {
    issues.push(issueOf(told, this.error));
  }

  protected with(change: Partial<this>): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), this, change);
  }

  protected checked(check: Check): this {
    return this.with({ checks: [...this.checks, check] } as unknown as Partial<this>);
  }

  optional(): OptionalSchema<this> {
    return new OptionalSchema(this);
  }

  readonly(): ReadonlySchema<this> {
    return new ReadonlySchema(this);
  }

  default(value: Exclude<Output, undefined>): DefaultSchema<this> {
    return new DefaultSchema(this, value);
  }

  transform<Made>(make: (value: Output) => Made): Schema<Made, Input> {
    return new TransformSchema(this, make);
  }

  refine(holds: (value: Output) => unknown, { error }: Params = {}): this {
    return this.checked({
      tell: (input, issues) => {
        if (!holds(input as Output)) issues.push(issueOf({ code: 'custom', input, ofItsKind: true }, error));
      },
    });
  }

  superRefine(tell: (value: Output, context: RefineContext) => void): this {
    return this.checked({
      tell: (input, issues) => {
        tell(input as Output, {
          addIssue: (told) => {
            const { path = [], message } = typeof told === 'string' ? { message: told } : told;
            issues.push({ code: 'custom', path, message, input, ofItsKind: true });
          },
        });
      },
    });
  }

  describe(description: string): this {
    return this.with({ description } as Partial<this>);
  }

  /** For the JSON Schema as it stands */
  meta(extra: Readonly<Record<string, unknown>>): this {
    return this.with({ extra } as Partial<this>);
  }
}

interface RefineContext {
  addIssue(told: string | { code: 'custom'; path?: PropertyKey[]; message: string }): void;
}

// ---- single values ------------------------------------------------------------------------------------------------------------

export class NumberSchema extends Schema<number> {
  /** Only whole numbers that doubles tell apart */
  readonly whole: boolean = false;
  readonly wholeError: Message | undefined;

  protected override read(input: unknown, issues: Issue[]): unknown {
    if (!Number.isFinite(input)) this.tell(issues, { code: 'invalid_type', expected: 'number', input });
    else if (this.whole && !Number.isSafeInteger(input))
      issues.push(issueOf({ code: 'invalid_type', expected: 'whole number', input }, this.wholeError));
    return input;
  }

  int({ error }: Params = {}): this {
    return this.with({ whole: true, wholeError: error } as Partial<this>);
  }

  protected bounded(
    keyword: NonNullable<Check['bound']>[0],
    value: number,
    holds: (x: number) => boolean,
    error?: Message,
  ): this {
    const code = keyword.endsWith('inimum') ? 'too_small' : 'too_big';
    const expected = `${this.whole ? 'a whole number' : 'a number'} ${SIGNS[keyword]} ${value}`;
    return this.checked({
      bound: [keyword, value],
      tell: (input, issues) => {
        if (!holds(input as number)) issues.push(issueOf({ code, expected, input, ofItsKind: true }, error));
      },
    });
  }

  min(least: number, { error }: Params = {}): this {
    return this.bounded('minimum', least, (x) => x >= least, error);
  }

  max(greatest: number, { error }: Params = {}): this {
    return this.bounded('maximum', greatest, (x) => x <= greatest, error);
  }

  gt(bound: number, { error }: Params = {}): this {
    return this.bounded('exclusiveMinimum', bound, (x) => x > bound, error);
  }

  lt(bound: number, { error }: Params = {}): this {
    return this.bounded('exclusiveMaximum', bound, (x) => x < bound, error);
  }

  positive(params?: Params): this {
    return this.gt(0, params);
  }

  nonnegative(params?: Params): this {
    return this.min(0, params);
  }
}
const SIGNS = { minimum: '≥', maximum: '≤', exclusiveMinimum: '>', exclusiveMaximum: '<' };

/** A text or a boolean */
export class PlainSchema<Output> extends Schema<Output> {
  constructor(
    readonly type: 'string' | 'boolean',
    error?: Message,
  ) {
    super(error);
  }

  protected override read(input: unknown, issues: Issue[]): unknown {
    if (typeof input !== this.type) this.tell(issues, { code: 'invalid_type', expected: this.type, input });
    return input;
  }
}

/** One of some values */
export class ChoiceSchema<Value> extends Schema<Value> {
  constructor(
    readonly options: readonly Value[],
    error?: Message,
  ) {
    super(error);
  }

  /** Of a literal */
  get value(): Value {
    return this.options[0];
  }

  protected override read(input: unknown, issues: Issue[]): unknown {
    if (!this.options.includes(input as Value))
      this.tell(issues, { code: 'invalid_value', values: this.options, input });
    return input;
  }
}

/** What a function of ours says yes to */
export class CustomSchema<Output> extends Schema<Output> {
  constructor(
    readonly holds: (value: unknown) => unknown,
    error?: Message,
  ) {
    super(error);
  }

  protected override read(input: unknown, issues: Issue[]): unknown {
    if (!this.holds(input)) this.tell(issues, { code: 'custom', input });
    return input;
  }
}

export class UnknownSchema extends Schema<unknown> {
  protected override read(value: unknown): unknown {
    return value;
  }
}

export const number = ({ error }: Params = {}) => new NumberSchema(error);
export const int = (params: Params = {}) => number(params).int(params);
export const string = ({ error }: Params = {}) => new PlainSchema<string>('string', error);
export const boolean = ({ error }: Params = {}) => new PlainSchema<boolean>('boolean', error);
export const literal = <const Value extends string | number | boolean>(value: Value, { error }: Params = {}) =>
  new ChoiceSchema<Value>([value], error);
const choice = <const Value extends string>(values: readonly Value[], { error }: Params = {}) =>
  new ChoiceSchema<Value>(values, error);
export const unknown = () => new UnknownSchema();
export const custom = <Output>(holds: (value: unknown) => unknown, { error }: Params = {}) =>
  new CustomSchema<Output>(holds, error);

// ---- lists --------------------------------------------------------------------------------------------------------------------

export class ArraySchema<Item extends AnySchema> extends Schema<output<Item>[], input<Item>[]> {
  readonly least: number = 0;
  readonly greatest: number = Number.POSITIVE_INFINITY;

  constructor(
    readonly element: Item,
    error?: Message,
  ) {
    super(error);
  }

  protected override read(input: unknown, issues: Issue[]): unknown {
    if (!Array.isArray(input)) {
      this.tell(issues, { code: 'invalid_type', expected: 'array', input });
      return input;
    }
    return input.map((value, i) => {
      const from = issues.length;
      const found = this.element.run(value, issues);
      if (issues.length > from) inside(issues, from, i);
      return found;
    });
  }

  min(least: number, { error }: Params = {}): this {
    return this.with({ least } as Partial<this>).counted(
      (count) => count >= least,
      'too_small',
      `at least ${least}`,
      error,
    );
  }

  max(greatest: number, { error }: Params = {}): this {
    return this.with({ greatest } as Partial<this>).counted(
      (count) => count <= greatest,
      'too_big',
      `at most ${greatest}`,
      error,
    );
  }

  protected counted(holds: (count: number) => boolean, code: Issue['code'], words: string, error?: Message): this {
    return this.checked({
      tell: (input, issues) => {
        const { length } = input as unknown[];
        if (!holds(length)) issues.push(issueOf({ code, expected: `${words} entries`, input, ofItsKind: true }, error));
      },
    });
  }
}

type Items = readonly AnySchema[];

export class TupleSchema<T extends Items> extends Schema<
  { -readonly [K in keyof T]: output<T[K]> },
  { -readonly [K in keyof T]: input<T[K]> }
> {
  constructor(
    readonly items: T,
    error?: Message,
  ) {
    super(error);
  }

  protected override read(input: unknown, issues: Issue[]): unknown {
    const { length } = this.items;
    if (!Array.isArray(input)) this.tell(issues, { code: 'invalid_type', expected: 'array', input });
    else if (input.length !== length)
      this.tell(issues, {
        code: input.length < length ? 'too_small' : 'too_big',
        expected: `${length} entries`,
        input,
      });
    else
      return this.items.map((item, i) => {
        const from = issues.length;
        const found = item.run(input[i], issues);
        if (issues.length > from) inside(issues, from, i);
        return found;
      });
    return input;
  }
}

export const array = <Item extends AnySchema>(item: Item, { error }: Params = {}) => new ArraySchema(item, error);
export const tuple = <const T extends Items>(items: T, { error }: Params = {}) => new TupleSchema<T>(items, error);

// ---- objects ------------------------------------------------------------------------------------------------------------------

type Shape = Readonly<Record<string, AnySchema>>;
type Flat<T> = { [K in keyof T]: T[K] };
type Fields<S extends Shape, Side extends 'outputs' | 'inputs'> = Flat<
  { -readonly [K in keyof S as undefined extends S[K][Side] ? never : K]: S[K][Side] } & {
    -readonly [K in keyof S as undefined extends S[K][Side] ? K : never]?: S[K][Side];
  }
>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** No Map, no Date: what has its contents as keys, of whatever realm */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** An object with these keys and no others */
export class ObjectSchema<S extends Shape> extends Schema<Fields<S, 'outputs'>, Fields<S, 'inputs'>> {
  constructor(
    readonly shape: S,
    error?: Message,
  ) {
    super(error);
  }

  protected override read(input: unknown, issues: Issue[]): unknown {
    if (!isObject(input)) {
      this.tell(issues, { code: 'invalid_type', expected: 'object', input });
      return input;
    }
    const out: Record<string, unknown> = {};
    for (const key of Object.keys(this.shape)) {
      const from = issues.length;
      const found = this.shape[key].run(input[key], issues);
      if (issues.length > from) inside(issues, from, key);
      if (found !== undefined || key in input) out[key] = found;
    }
    const keys: string[] = [];
    for (const key in input) if (!Object.hasOwn(this.shape, key)) keys.push(key);
    if (keys.length > 0) this.tell(issues, { code: 'unrecognized_keys', keys, input, ofItsKind: true });
    return out;
  }

  omit<const Key extends keyof S>(keys: { readonly [K in Key]: true }): ObjectSchema<Omit<S, Key>> {
    const kept = Object.entries(this.shape).filter(([key]) => !Object.hasOwn(keys, key));
    return new ObjectSchema(Object.fromEntries(kept) as unknown as Omit<S, Key>, this.error);
  }

  extend<More extends Shape>(more: More): ObjectSchema<Flat<Omit<S, keyof More> & More>> {
    return new ObjectSchema({ ...this.shape, ...more } as unknown as Flat<Omit<S, keyof More> & More>, this.error);
  }
}

/** An object with any keys, all of one kind */
export class RecordSchema<Value extends AnySchema> extends Schema<
  Record<string, output<Value>>,
  Record<string, input<Value>>
> {
  constructor(
    readonly value: Value,
    error?: Message,
  ) {
    super(error);
  }

  protected override read(input: unknown, issues: Issue[]): unknown {
    if (!isPlain(input)) {
      this.tell(issues, { code: 'invalid_type', expected: 'object', input });
      return input;
    }
    const out: Record<string, unknown> = {};
    for (const key of Object.keys(input)) {
      // Assigned, it would be the prototype of what is read
      if (key === '__proto__') continue;
      const from = issues.length;
      out[key] = this.value.run(input[key], issues);
      if (issues.length > from) inside(issues, from, key);
    }
    return out;
  }
}

export const strictObject = <S extends Shape>(shape: S, { error }: Params = {}) => new ObjectSchema(shape, error);
export const record = <Value extends AnySchema>(_keys: PlainSchema<string>, value: Value, { error }: Params = {}) =>
  new RecordSchema(value, error);

// ---- unions -------------------------------------------------------------------------------------------------------------------

/** The first of its variants that takes the value */
export class UnionSchema<T extends Items> extends Schema<output<T[number]>, input<T[number]>> {
  constructor(
    readonly options: T,
    error?: Message,
  ) {
    super(error);
  }

  protected override read(input: unknown, issues: Issue[]): unknown {
    const errors: Issue[][] = [];
    const found: unknown[] = [];
    for (const option of this.options) {
      const told: Issue[] = [];
      const value = option.run(input, told);
      if (told.length === 0) return value;
      errors.push(told);
      found.push(value);
    }
    // The only variant of whose kind the value is was meant
    const meant = errors.flatMap((told, i) => (allOfKind(told) ? [i] : []));
    if (meant.length === 1) {
      issues.push(...errors[meant[0]]);
      return found[meant[0]];
    }
    this.tell(issues, { code: 'invalid_union', errors, input });
    return input;
  }
}

/** Objects that one key tells apart */
export class KindSchema<T extends Items> extends UnionSchema<T> {
  readonly byKind: ReadonlyMap<unknown, AnySchema>;

  constructor(
    readonly key: string,
    options: T,
    error?: Message,
  ) {
    super(options, error);
    const kindOf = (option: AnySchema): unknown =>
      option instanceof ReadonlySchema
        ? kindOf(option.inner)
        : ((option as ObjectSchema<Shape>).shape[key] as ChoiceSchema<unknown>).value;
    this.byKind = new Map(options.map((option) => [kindOf(option), option]));
  }

  protected override read(input: unknown, issues: Issue[]): unknown {
    if (!isObject(input)) {
      this.tell(issues, { code: 'invalid_type', expected: 'object', input });
      return input;
    }
    const option = this.byKind.get(input[this.key]);
    if (option) return option.run(input, issues);
    this.tell(issues, {
      code: 'invalid_union',
      errors: [],
      values: [...this.byKind.keys()],
      input,
      path: [this.key],
    });
    return input;
  }
}

export const union = <const T extends Items>(options: T, { error }: Params = {}) => new UnionSchema<T>(options, error);
export const discriminatedUnion = <const T extends Items>(key: string, options: T, { error }: Params = {}) =>
  new KindSchema<T>(key, options, error);

// ---- around others ------------------------------------------------------------------------------------------------------------

/** May be left out */
export class OptionalSchema<Inner extends AnySchema> extends Schema<
  output<Inner> | undefined,
  input<Inner> | undefined
> {
  constructor(readonly inner: Inner) {
    super();
  }

  unwrap(): Inner {
    return this.inner;
  }

  protected override read(value: unknown, issues: Issue[]): unknown {
    return value === undefined ? undefined : this.inner.run(value, issues);
  }
}

export class DefaultSchema<Inner extends AnySchema> extends Schema<
  Exclude<output<Inner>, undefined>,
  input<Inner> | undefined
> {
  constructor(
    readonly inner: Inner,
    readonly value: output<Inner>,
  ) {
    super();
  }

  unwrap(): Inner {
    return this.inner;
  }

  protected override read(value: unknown, issues: Issue[]): unknown {
    return value === undefined ? this.value : this.inner.run(value, issues);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any function at all
type Frozen<T> = T extends (...args: any[]) => unknown ? T : Readonly<T>;

/** What is read is frozen */
export class ReadonlySchema<Inner extends AnySchema> extends Schema<Frozen<output<Inner>>, Frozen<input<Inner>>> {
  constructor(readonly inner: Inner) {
    super();
  }

  unwrap(): Inner {
    return this.inner;
  }

  protected override read(value: unknown, issues: Issue[]): unknown {
    const from = issues.length;
    const found = this.inner.run(value, issues);
    return issues.length === from ? Object.freeze(found) : found;
  }
}

/** Something else made of what is read */
export class TransformSchema<Inner extends AnySchema, Made> extends Schema<Made, input<Inner>> {
  constructor(
    readonly inner: Inner,
    readonly make: (value: output<Inner>) => Made,
  ) {
    super();
  }

  protected override read(value: unknown, issues: Issue[]): unknown {
    const from = issues.length;
    const found = this.inner.run(value, issues);
    return issues.length === from ? this.make(found) : found;
  }
}

export { choice as enum };
