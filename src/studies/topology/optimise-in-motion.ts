/**
 * Topology of bodies under the loads of their own motion: the mechanism is run, its loads at some instants become static cases (motion-loads.ts), the
 * designs are improved under them, and the mechanism is run again with the densities so far, until the loads change no more. With one improvement per
 * run it is the strict form of Ghandriz, Führer & Elmqvist, Multibody Syst. Dyn. 39 (2017) 135–148. Then the outlines are cut to the wanted volume,
 * meshed anew, put back into the mechanism, run, and held beside the whole part and one thinned to the same mass.
 */
import { ModelError } from '../../errors.js';
import type { PlaneMesh } from '../../flexible-bodies/mesh/plane-mesh.js';
import { Compliance } from '../../flexible-bodies/topology/compliance.js';
import { type DesignMesh, meshDesign } from '../../flexible-bodies/topology/design-mesh.js';
import { designProfile } from '../../flexible-bodies/topology/design-profile.js';
import { cornerMesh } from '../../flexible-bodies/topology/motion-loads.js';
import {
  conclude,
  improvements,
  SHARPER,
  sharpened,
  type TopologyOptions,
  type TopologyResult,
  type TopologyState,
} from '../../flexible-bodies/topology/optimise.js';
import {
  type Circle,
  cutOff,
  givenRegions,
  mirrorImages,
  requireCircles,
  requireRadius,
} from '../../flexible-bodies/topology/regions.js';
import { profileArea } from '../../geometry/polygon.js';
import type { PolygonProfile } from '../../geometry/profile.js';
import type { Model } from '../../model/model.js';
import {
  designedBody,
  historyOf,
  loadsOf,
  type PartChange,
  type PartHistory,
  type PartRun,
  runParts,
  withParts,
} from './moving-part.js';

export interface MotionDesignOptions {
  /** Names of the bodies */
  readonly bodies: readonly string[];
  /** Part of each that may be filled, 0 … 1 */
  readonly volume: number;
  /** Side of the elements, m; by default some 4000 */
  readonly size?: number | undefined;
  /** Of the filter, m; default 2.5 sizes */
  readonly radius?: number | undefined;
  /** Instants of the run that load it; default 24 */
  readonly samples?: number | undefined;
  /** s, those after it */
  readonly from?: number | undefined;
  /** s */
  readonly stop?: number | undefined;
  /** Runs of the mechanism at most; default 5 */
  readonly runs?: number | undefined;
  /** Improvements between them at most; default 30, and 1 where `strict` */
  readonly iterations?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly method?: 'mma' | 'oc' | undefined;
  /** Whether the design is left as the filter leaves it, not made black and white before it is cut */
  readonly grey?: boolean | undefined;
  /** Circles in the plane of the outline that stay full, that stay empty */
  readonly full?: readonly Circle[] | undefined;
  readonly empty?: readonly Circle[] | undefined;
  /** Line about which it is made the same: 'x' = 0 or 'y' = 0 of the outline's axes, or elsewhere */
  readonly mirror?: { readonly axis: 'x' | 'y'; readonly at: number } | undefined;
  /** Told after each improvement and each run; false stops, and the design so far is kept. */
  readonly progress?: (state: MotionProgress) => boolean;
}

export interface MotionProgress {
  readonly body: string;
  readonly run: number;
  readonly iteration: number;
  /** Σ f · u of all instants, J */
  readonly compliance: number;
  readonly change: number;
  readonly mesh: PlaneMesh;
  readonly densities: Float64Array;
}

export interface MotionDesign {
  readonly body: string;
  readonly mesh: PlaneMesh;
  readonly densities: Float64Array;
  /** Σ f · u after each improvement, J */
  readonly history: Float64Array;
  readonly profile: PolygonProfile;
  /** m */
  readonly thickness: number;
  /** Whether the first joint was taken as a pin */
  readonly pinned: boolean;
  /** Part of the volume that it fills: less than it may where more would load it more than it carries */
  readonly volume: number;
  readonly whole: PartHistory;
  readonly optimised: PartHistory;
  /** The whole outline, thinned to the mass of the optimised one */
  readonly thinned: PartHistory;
}

export interface MotionDesigns {
  readonly designs: readonly MotionDesign[];
  /** The mechanism with the new parts */
  readonly model: Model;
  readonly run: PartRun;
  readonly runs: number;
  /** Whether the loads had settled to 1 % */
  readonly settled: boolean;
}

interface Region {
  readonly name: string;
  readonly size: number;
  readonly mesh: PlaneMesh;
  readonly design: DesignMesh;
  readonly given: Int8Array;
  readonly mirror?: Int32Array;
  readonly history: number[];
  pinned: boolean;
  problem?: Compliance;
  result?: TopologyResult;
}

export const optimiseInMotion = (model: Model, options: MotionDesignOptions): MotionDesigns =>
  conclude(improvementsInMotion(model, options), options.progress);

/** `optimiseInMotion` improvement by improvement; told `false` it stops improving, and puts back what there is. */
export function* improvementsInMotion(
  model: Model,
  options: Omit<MotionDesignOptions, 'progress'>,
): Generator<MotionProgress, MotionDesigns, boolean> {
  const { bodies, volume, strict = false, grey = false, samples = 24, from = 0, stop } = options;
  if (bodies.length === 0) throw new ModelError('bodies', 'expected the name of a flexible body to be designed');
  const sizes = new Map(bodies.map((name) => [name, options.size ?? usualSize(model, name)]));
  if (options.radius !== undefined) for (const size of sizes.values()) requireRadius(options.radius, size);
  const meshed = (densities?: ReadonlyMap<string, Float64Array>): Model =>
    withParts(
      model,
      new Map(
        bodies.map((name): [string, PartChange] => [
          name,
          {
            flexible: {
              meshSize: sizes.get(name)!,
              ...(densities && { densities: Array.from(densities.get(name)!) }),
            },
          },
        ]),
      ),
    );
  const asked = { samples, from, stop };
  const first = runParts(meshed(), bodies, asked);
  const regions = bodies.map((name): Region => {
    const size = sizes.get(name)!;
    const { part } = first.parts.get(name)!.node;
    const mesh = cornerMesh(part.mesh);
    const design = meshDesign(mesh, part.material);
    const { full = [], empty = [], mirror } = options;
    const given = givenRegions(design, part.interfaces, size, { full, empty });
    const [held, ...others] = part.interfaces.map(({ nodes }) => nodes.filter((node) => node < mesh.nodeCount));
    const lost = cutOff(
      design,
      (e) => given[e] < 0,
      held,
      others.flatMap((nodes) => [...nodes]),
    );
    if (lost !== undefined)
      throw new ModelError(
        `bodies.${name}`,
        `what stays empty cuts off the joint at (${Array.from(mesh.points.subarray(2 * lost, 2 * lost + 2), (x) => x.toPrecision(4)).join(', ')}) m ` +
          'from the one that carries the body: no design can carry its loads; leave a way between them',
      );
    return {
      name,
      size,
      mesh,
      design,
      given,
      ...(mirror && { mirror: mirrorImages(design, mirror.axis === 'x' ? 0 : 1, mirror.at) }),
      history: [],
      pinned: false,
    };
  });

  requireCircles(
    regions.map(({ design }) => design),
    options,
  );

  // Run, improve, run again
  const most = options.runs ?? (strict ? 40 : 5);
  const inner = strict ? 1 : (options.iterations ?? 30);
  let run = first;
  let runs = 1;
  let settled = false;
  let stopped = false;
  /** Improvements of one body under the loads of the run there is */
  function* improve(
    region: Region,
    problem: Compliance,
    steps: Generator<TopologyState, TopologyResult, boolean>,
  ): Generator<MotionProgress, void, boolean> {
    const { name: body, mesh, history } = region;
    let next = steps.next();
    while (!next.done) {
      const { iteration, compliance, change, densities } = next.value;
      history.push(compliance);
      if (!(yield { body, run: runs, iteration, compliance, change, mesh, densities })) stopped = true;
      next = steps.next(!stopped);
    }
    region.result = next.value;
    region.problem = problem;
  }
  const askedOf = (region: Region): Omit<TopologyOptions, 'progress'> => ({
    volume,
    radius: options.radius ?? 2.5 * region.size,
    ...(options.method && { method: options.method }),
    given: region.given,
    ...(region.mirror && { mirror: region.mirror }),
  });
  for (; !stopped; runs++) {
    settled = runs > 1;
    for (const region of regions) {
      const { name, design, result: before } = region;
      const { loads, grips, pinned } = loadsOf(run.parts.get(name)!, before?.densities);
      region.pinned = pinned;
      const problem = new Compliance(design, new Uint8Array(design.points.length).fill(1), loads, { grips });
      const steps = improvements(problem, {
        ...askedOf(region),
        iterations: inner,
        ...(strict && !grey && { sharpness: sharpnessOf(runs, most) }),
        ...(before && { start: before.design }),
      });
      const length = region.history.length;
      yield* improve(region, problem, steps);
      if (before && Math.abs(region.history[length] - before.compliance) > 0.01 * before.compliance) settled = false;
    }
    if (stopped || (settled && !strict) || runs >= most) break;
    run = runParts(meshed(new Map(regions.map(({ name, result }) => [name, result!.densities]))), bodies, asked);
  }
  // Under the loads that have settled
  if (!strict && !grey)
    for (const region of regions)
      if (!stopped)
        yield* improve(region, region.problem!, sharpened(region.problem!, askedOf(region), region.result!));

  // Cut, meshed anew and put back
  const made = regions.map(({ name, design, result, size }) => {
    const { profile, thickness } = designedBody(model, name);
    const { interfaces } = first.parts.get(name)!.node.part;
    const outline = designProfile(design, result!.smooth, {
      area: Math.min(volume, result!.volume) * profileArea(profile),
      needs: interfaces.map(({ point }) => point),
      size,
    });
    return { name, size, profile: outline, thickness, share: profileArea(outline) / profileArea(profile) };
  });
  const changed = (change: (one: (typeof made)[number]) => PartChange): Model =>
    withParts(model, new Map(made.map((one): [string, PartChange] => [one.name, change(one)])));
  const put = changed(({ profile, size }) => ({ profile, flexible: { meshSize: size } }));
  const optimised = runParts(put, bodies, asked);
  const thinned = runParts(
    changed(({ thickness, share, size }) => ({ thickness: share * thickness, flexible: { meshSize: size } })),
    bodies,
    asked,
  );
  return {
    designs: regions.map(({ name, mesh, result, history, pinned, size }, i) => ({
      body: name,
      mesh,
      densities: result!.densities,
      history: Float64Array.from(history),
      profile: made[i].profile,
      thickness: made[i].thickness,
      pinned,
      volume: Math.min(volume, result!.volume),
      whole: historyOf(first, name, 2 * size),
      optimised: historyOf(optimised, name, 2 * size),
      thinned: historyOf(thinned, name, 2 * size),
    })),
    model: put,
    run: optimised,
    runs,
    settled,
  };
}

/** Of a run for each improvement: the last two fifths make the design black and white, step by step. */
const sharpnessOf = (run: number, most: number): number =>
  SHARPER[Math.floor(((run - 1) / most - 0.6) * 2.5 * SHARPER.length)] ?? 0;

/** For some 4000 triangles */
const usualSize = (model: Model, name: string): number =>
  Math.sqrt(profileArea(designedBody(model, name).profile) / 1700);
