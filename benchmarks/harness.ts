/**
 * How we measure: a scene, several sizes, cost per unit of work, and the error beside it, since fast and wrong is not fast.
 *
 *   benchmark('billiard', {
 *     source: 'Elmqvist et al. (2015), Fig. 1',
 *     unit: 'body-step',
 *     sizes: [10, 30, 100],                                   // layers
 *     prepare: (layers) => billiard({ layers }),              // not timed; without it `run` gets the size itself
 *     run: (model) => simulate(model, { stopTime: 6 }),       // or several: { typescript: …, wasm: … }
 *     work: (run) => run.bodyCount * run.times.length,
 *     error: (run) => Math.abs(run.energy('end') / run.energy('start') - 1),
 *     ratios: { C: cProgram({ … }), peer: rival({ run: (model) => … }) },
 *   });
 *
 * Each file `benchmarks/<name>.bench.ts` holds one or more such calls and runs in a process of its own, so that what
 * the compiler of the engine learned in one scene does not colour the next. Within a size all variants and rivals take
 * turns, round by round: a machine that slows down slows all of them, and the ratio of one round stays fair.
 */

/** What is timed. It may be asynchronous; then the wait is part of the time. */
export type Run<Input, Result> = (input: Input) => Result | Promise<Result>;

export interface BenchmarkOptions<Input, Result> {
  /** The paper that timed the scene too, or why it is worth timing. */
  readonly source: string;
  /** Name of one unit of work, e.g. `triangle`; default `unit`. */
  readonly unit?: string;
  readonly sizes: readonly number[];
  /** At most so many rounds; for runs of many seconds, which repeat well */
  readonly rounds?: number;
  /** One function, or several by name that take turns on the same input. The first one leads the table. */
  readonly run: Run<Input, Result> | Readonly<Record<string, Run<Input, Result>>>;
  /** Units of work in one run. */
  readonly work: (result: Result, input: Input) => number;
  /** Relative error of one run, 0 when exact. */
  readonly error: (result: Result, input: Input) => number;
  /** What else is worth saying about a run, such as its steps; the last column. */
  readonly note?: (result: Result, input: Input) => string;
  /** Others that do the same work on the same input, by column name. A ratio is our time over theirs. */
  readonly ratios?: Readonly<Record<string, Rival<Input>>>;
}

/** Somebody else's code that does the same work: see `rival` and `cProgram`. */
export interface Rival<Input> {
  /** Why it cannot run here, e.g. `gcc is not installed`; undefined if it can. */
  missing(): string | undefined | Promise<string | undefined>;
  start(input: Input): Sampler | Promise<Sampler>;
}

/** Repeats one thing on one input. */
export interface Sampler {
  /** Runs for at least `minimumTime` s, at least once, and returns the seconds of one run. */
  sample(minimumTime: number): number | Promise<number>;
  /** Error of the last run, undefined if it is not known. */
  error(): number | undefined;
  stop?(): void;
}

/** One line of the table: one variant on one size. */
export interface Row {
  readonly benchmark: string;
  /** Empty where the benchmark has one variant only. */
  readonly variant: string;
  readonly size: number;
  readonly unit: string;
  /** Units of work in one run. */
  readonly work: number;
  /** Seconds of one run: the fastest round and the middle one. */
  readonly fastest: number;
  readonly median: number;
  readonly error: number;
  readonly ratios: Readonly<Record<string, Ratio>>;
  readonly note?: string;
}

/** Our time over theirs: the middle of the rounds' ratios. Or why there is none. */
export type Ratio =
  | { readonly ratio: number; readonly fastest: number; readonly error?: number }
  | { readonly missing: string };

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  /** Seconds of one sample, at least. */
  readonly sampleTime: number;
  /** Seconds of unmeasured runs before the first round, so that the code is compiled. */
  readonly warmUpTime: number;
  /** How many of the sizes, from the front. */
  readonly sizes: number;
}
export const FULL: Effort = { rounds: 9, sampleTime: 0.05, warmUpTime: 0.3, sizes: Number.POSITIVE_INFINITY };
export const QUICK: Effort = { rounds: 3, sampleTime: 0.005, warmUpTime: 0.05, sizes: 1 };

export interface Registered {
  readonly name: string;
  readonly source: string;
  measure(effort: Effort, progress: (text: string) => void): Promise<Row[]>;
}

const registered: Registered[] = [];

/** All benchmarks of the files imported so far, in the order of their calls. */
export const registeredBenchmarks = (): readonly Registered[] => registered;

/** Registers a benchmark; `tippetop bench` measures it. */
export function benchmark<Input, Result>(
  name: string,
  options: BenchmarkOptions<Input, Result> & { readonly prepare: (size: number) => Input | Promise<Input> },
): void;
export function benchmark<Result>(name: string, options: BenchmarkOptions<number, Result>): void;
export function benchmark<Input, Result>(
  name: string,
  options: BenchmarkOptions<Input, Result> & { readonly prepare?: (size: number) => Input | Promise<Input> },
): void {
  if (registered.some((other) => other.name === name)) throw new Error(`there are two benchmarks "${name}"`);
  const prepare = options.prepare ?? ((size: number) => size as Input);
  registered.push({
    name,
    source: options.source,
    async measure(effort, progress) {
      const rows: Row[] = [];
      for (const size of options.sizes.slice(0, effort.sizes)) {
        progress(`${name} ${size}`);
        rows.push(...(await measureSize(name, size, await prepare(size), options, effort)));
      }
      return rows;
    },
  });
}

/**
 * A rival in JavaScript, such as another library on the same input.
 *
 * @param prepare what the rival wants instead of our input; not timed
 * @param error   relative error of its result, if it can be told
 * @param missing why it cannot run here, undefined if it can
 */
export function rival<Input, Prepared = Input, Result = unknown>(options: {
  readonly prepare?: (input: Input) => Prepared | Promise<Prepared>;
  readonly run: Run<Prepared, Result>;
  readonly error?: (result: Result, input: Input) => number;
  readonly missing?: () => string | undefined | Promise<string | undefined>;
}): Rival<Input> {
  return {
    missing: () => options.missing?.(),
    async start(input) {
      const prepared = options.prepare ? await options.prepare(input) : (input as unknown as Prepared);
      const sampler = repeat(options.run, prepared);
      const { error } = options;
      return {
        sample: sampler.sample,
        error: () => (error ? error(sampler.last() as Result, input) : undefined),
      };
    },
  };
}

async function measureSize<Input, Result>(
  name: string,
  size: number,
  input: Input,
  options: BenchmarkOptions<Input, Result>,
  effort: Effort,
): Promise<Row[]> {
  // Who takes part
  const runs = typeof options.run === 'function' ? { '': options.run } : options.run;
  const variants = Object.entries(runs).map(([variant, run]) => {
    const sampler = repeat(run, input);
    return { variant, sampler, times: [] as number[] };
  });
  const rivals: { column: string; missing?: string; sampler?: Sampler; times: number[] }[] = [];
  for (const [column, candidate] of Object.entries(options.ratios ?? {})) {
    const missing = await candidate.missing();
    if (missing) rivals.push({ column, missing, times: [] });
    else rivals.push({ column, sampler: await candidate.start(input), times: [] });
  }

  // Warm-up, then rounds in which each takes one turn
  for (const { sampler } of [...variants, ...rivals]) await sampler?.sample(effort.warmUpTime);
  for (let round = 0; round < Math.min(effort.rounds, options.rounds ?? effort.rounds); round++)
    for (const { sampler, times } of [...variants, ...rivals])
      if (sampler) times.push(await sampler.sample(effort.sampleTime));
  const errors = rivals.map(({ sampler }) => sampler?.error());
  for (const { sampler } of rivals) sampler?.stop?.();

  return variants.map(({ variant, sampler, times }) => {
    const result = sampler.last() as Result;
    const ratios = rivals.map(({ column, missing, times: theirs }, i): [string, Ratio] => {
      if (missing) return [column, { missing }];
      const error = errors[i];
      const ratio = median(times.map((ours, round) => ours / theirs[round]));
      return [column, { ratio, fastest: smallest(theirs), ...(error === undefined ? {} : { error }) }];
    });
    return {
      benchmark: name,
      variant,
      size,
      unit: options.unit ?? 'unit',
      work: options.work(result, input),
      fastest: smallest(times),
      median: median(times),
      error: options.error(result, input),
      ratios: Object.fromEntries(ratios),
      ...(options.note && { note: options.note(result, input) }),
    };
  });
}

/** Calls `run` until the time is up; a clock read costs about 50 ns, so short runs are grouped between two reads. */
function repeat<Input, Result>(run: Run<Input, Result>, input: Input) {
  let last: Result | undefined;
  let group = 1;
  return {
    last: () => last,
    async sample(minimumTime: number): Promise<number> {
      let runs = 0;
      let elapsed = 0;
      while (runs === 0 || elapsed < minimumTime) {
        const start = performance.now();
        for (let i = 0; i < group; i++) {
          const result = run(input);
          last = result instanceof Promise ? await result : result;
        }
        const seconds = (performance.now() - start) / 1000;
        runs += group;
        elapsed += seconds;
        if (seconds < 1e-4 && group < 1e6) group *= 2;
      }
      return elapsed / runs;
    },
  };
}

const smallest = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
