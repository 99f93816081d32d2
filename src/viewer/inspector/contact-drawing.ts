/**
 * Contacts in the view: arrows of the forces on the body that is pushed, patches, intersections, trails. What is drawn is also kept as a
 * list, so that a test can compare it with the recording.
 */
import type { Group } from 'three';
import { add, addScaled, cross, norm, normalize, perpendicular, scale, type Vec3 } from '../../math/vec3.js';
import { scaleColour } from '../../results/scene/colour-scale.js';
import { type Contact, type ContactState, identity, tangential } from './contact-rows.js';
import type { FoundIntersection } from './intersection.js';
import { ellipsePoints, patchEllipse } from './patch-ellipse.js';
import { type PressedPolygon, spreadForce } from './pressure.js';
import { type Paint, Strokes } from './strokes.js';
import { Surfaces } from './surfaces.js';

export type ArrowKind = 'normal' | 'friction' | 'torque' | 'polygon';

export interface DrawnArrow {
  readonly pair: string;
  readonly region: number;
  readonly kind: ArrowKind;
  /** Body or part that is pushed */
  readonly on: string;
  /** Where it starts, world, m */
  readonly from: Vec3;
  /** As drawn, world, m; of a torque the unit vector it turns about */
  readonly vector: Vec3;
  /** N; of a torque N m */
  readonly force: number;
}

/** Okabe & Ito (2008); also in inspector.css */
export const STATE_PAINT: Readonly<Record<ContactState, Paint>> = {
  open: [0.55, 0.55, 0.55, 1],
  stick: [0, 0.447, 0.698, 1],
  slip: [0.902, 0.624, 0, 1],
};
const NORMAL_PAINT: Paint = [0, 0.62, 0.451, 1];
const TORQUE_PAINT: Paint = [0.8, 0.475, 0.655, 1];
const MANY = 400; // contacts or polygons from which on outlines are left out or weaker
const FINE = 32; // corners of an ellipse

export interface DrawnContact extends Contact {
  readonly label: string;
  /** Body that is pushed, and 1 if that is B */
  readonly on: string;
  readonly sign: 1 | -1;
}

export interface DrawingChoice {
  readonly normal: boolean;
  readonly friction: boolean;
  readonly torque: boolean;
  readonly patches: boolean;
  readonly newtonsPerMetre: number;
  /** Length of an arrow in m; linear in the force unless said */
  readonly lengthOf?: ((force: number) => number) | undefined;
  /** Patches and intersections are drawn larger, so that they are seen */
  readonly enlarged?: boolean;
  /** Radius of what is drawn, m */
  readonly size: number;
  /** Region that is chosen, by identity */
  readonly selected: string | undefined;
}

/** Part of the scene's radius that an enlarged patch has across, and of its width that its depth then is */
const ENLARGED_WIDTH = 0.12;
const ENLARGED_DEPTH = 0.25;

/**
 * Enlarges what is at a contact about the middle of its patch, across the normal and more along it, where it is too small to be seen beside the scene: a patch of 100 µm that is 2 µm deep
 * is a lens then.
 */
export function enlargement(
  contact: Pick<Contact, 'normal' | 'patchCentroid' | 'depth'> & Parameters<typeof patchEllipse>[0],
  { enlarged = false, size }: Pick<DrawingChoice, 'enlarged' | 'size'>,
): { readonly across: number; readonly along: number; place(point: Vec3): Vec3 } {
  const ellipse = enlarged ? patchEllipse(contact) : undefined;
  if (!ellipse) return { across: 1, along: 1, place: (point) => point };
  const width = 2 * norm(ellipse.major);
  const across = Math.max(1, (ENLARGED_WIDTH * size) / width);
  const along = contact.depth > 0 ? Math.max(across, (ENLARGED_DEPTH * across * width) / contact.depth) : across;
  const { normal: n, patchCentroid: c } = contact;
  return {
    across,
    along,
    place: (point) => {
      const [x, y, z] = [point[0] - c[0], point[1] - c[1], point[2] - c[2]];
      const deep = (along - across) * (x * n[0] + y * n[1] + z * n[2]);
      return [c[0] + across * x + deep * n[0], c[1] + across * y + deep * n[1], c[2] + across * z + deep * n[2]];
    },
  };
}

export interface TrailPiece {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly state: ContactState;
  /** 0 for the oldest, 1 for now */
  readonly age: number;
}

export class ContactDrawing {
  readonly #surfaces = new Surfaces(900);
  readonly #lines = new Strokes(910, false);
  readonly #arrows = new Strokes(920, true);
  #drawn: DrawnArrow[] = [];

  constructor(overlay: Group) {
    overlay.add(this.#surfaces.object, this.#lines.object, this.#arrows.object);
  }

  get arrows(): readonly DrawnArrow[] {
    return this.#drawn;
  }

  get counts(): { readonly triangles: number; readonly lines: number; readonly arrows: number } {
    return { triangles: this.#surfaces.triangles, lines: this.#lines.count, arrows: this.#arrows.count };
  }

  /**
   * @param found intersections by identity, where they were asked for
   * @returns the polygons with their pressures, by identity
   */
  draw(
    contacts: readonly DrawnContact[],
    trails: readonly TrailPiece[],
    found: ReadonlyMap<string, FoundIntersection>,
    choice: DrawingChoice,
  ): ReadonlyMap<string, readonly PressedPolygon[]> {
    const chosen = contacts.find((contact) => identity(contact) === choice.selected) ?? contacts[0];
    const origin = chosen?.point ?? trails[0]?.from ?? [0, 0, 0];
    this.#surfaces.begin(origin);
    this.#lines.begin(origin);
    this.#arrows.begin(origin);
    this.#drawn = [];
    for (const { from, to, state, age } of trails)
      this.#lines.add(from, to, faded(STATE_PAINT[state], 0.15 + 0.75 * age), 2);

    // polygons of all intersections share one scale of pressure
    const pressed = new Map<string, readonly PressedPolygon[]>();
    let greatest = 0;
    for (const contact of contacts) {
      const intersection = found.get(identity(contact));
      if (intersection?.kind !== 'found') continue;
      const polygons = this.#spread(contact, intersection.intersection);
      pressed.set(identity(contact), polygons);
      for (const { pressure } of polygons) greatest = Math.max(greatest, pressure);
    }
    const corners = contacts.length > MANY ? 10 : FINE;
    for (const contact of contacts) {
      const isChosen = identity(contact) === choice.selected;
      const polygons = pressed.get(identity(contact));
      if (polygons) this.#drawIntersection(contact, found.get(identity(contact))!, polygons, greatest, choice);
      else if (choice.patches) this.#drawPatch(contact, corners, isChosen, choice);
      this.#drawForces(contact, choice, isChosen);
    }
    this.#surfaces.end();
    this.#lines.end();
    this.#arrows.end();
    return pressed;
  }

  /** The finer of the two surfaces carries the pressures. */
  #spread(
    contact: Contact,
    { polygonsA, polygonsB }: { readonly polygonsA: PolygonList; readonly polygonsB: PolygonList },
  ) {
    const { normal, normalForce } = contact;
    // out of A towards B is along the normal, out of B against it
    return polygonsA.length > polygonsB.length
      ? spreadForce(polygonsA, polygonsB, normal, normalForce)
      : spreadForce(polygonsB, polygonsA, scale(-1, normal), normalForce);
  }

  #drawIntersection(
    contact: DrawnContact,
    found: FoundIntersection,
    polygons: readonly PressedPolygon[],
    greatest: number,
    choice: DrawingChoice,
  ): void {
    if (found.kind !== 'found') return;
    const { polygonsA, polygonsB } = found.intersection;
    const own = new Set(polygons.map(({ loops }) => loops));
    const { place } = enlargement(contact, choice);
    const placed = (loops: PolygonList[number]) => loops.map((loop) => loop.map(place));
    // the other side closes the body
    for (const loops of [...polygonsA, ...polygonsB])
      if (!own.has(loops)) this.#surfaces.addPolygon(placed(loops), [0.45, 0.5, 0.6, 0.25]);
    // many small polygons would drown in their outlines
    const outline: Paint = [0, 0, 0, polygons.length > MANY ? 0.08 : 0.35];
    for (const { loops, pressure, force, centroid } of polygons) {
      const [red, green, blue] = scaleColour(greatest > 0 ? pressure / greatest : 0);
      const drawn = placed(loops);
      this.#surfaces.addPolygon(drawn, [red, green, blue, 0.85]);
      for (const loop of drawn)
        loop.forEach((corner, k) => {
          this.#lines.add(corner, loop[(k + 1) % loop.length], outline, 1);
        });
      if (choice.normal && force > 0)
        this.#arrow(
          contact,
          'polygon',
          place(centroid),
          scale(contact.sign * force, contact.normal),
          choice,
          NORMAL_PAINT,
          1.25,
          6,
        );
    }
  }

  #drawPatch(contact: DrawnContact, corners: number, isChosen: boolean, choice: DrawingChoice): void {
    const ellipse = patchEllipse(contact);
    if (!ellipse) return;
    const points = ellipsePoints(ellipse, corners).map(enlargement(contact, choice).place);
    const paint = STATE_PAINT[contact.state];
    this.#surfaces.addFan(points, faded(paint, isChosen ? 0.65 : 0.4));
    if (corners < FINE && !isChosen) return;
    points.forEach((point, k) => {
      this.#lines.add(point, points[(k + 1) % points.length], paint, isChosen ? 2.5 : 1.25);
    });
  }

  #drawForces(contact: DrawnContact, choice: DrawingChoice, isChosen: boolean): void {
    const { point, normal, normalForce, friction, sign, state, torque } = contact;
    const width = isChosen ? 4 : 2.5;
    const head = isChosen ? 15 : 11;
    if (choice.normal && normalForce !== 0)
      this.#arrow(contact, 'normal', point, scale(sign * normalForce, normal), choice, NORMAL_PAINT, width, head);
    if (choice.friction && norm(friction) > 0)
      this.#arrow(contact, 'friction', point, scale(sign, friction), choice, STATE_PAINT[state], width, head);
    if (choice.torque && torque !== 0) this.#drawTorque(contact, choice, isChosen);
  }

  #arrow(
    { label: pair, region, on }: DrawnContact,
    kind: ArrowKind,
    from: Vec3,
    force: Vec3,
    { newtonsPerMetre, lengthOf }: DrawingChoice,
    paint: Paint,
    width: number,
    head: number,
  ): void {
    const size = norm(force);
    const vector = scale(lengthOf && size > 0 ? lengthOf(size) / size : 1 / newtonsPerMetre, force);
    this.#arrows.add(from, add(from, vector), paint, width, head);
    this.#drawn.push({ pair, region, kind, on, from, vector, force: norm(force) });
  }

  /**
   * A torque is an arc about the normal, as long as the arrow of the force that makes this torque at the arc's radius; at most most of
   * the way round.
   */
  #drawTorque(contact: DrawnContact, { newtonsPerMetre, size }: DrawingChoice, isChosen: boolean): void {
    const { point, normal, torque, sign, friction } = contact;
    const ellipse = patchEllipse(contact);
    const radius = Math.max(ellipse ? 1.25 * norm(ellipse.major) : 0, 0.02 * size);
    const turning = sign * torque;
    const sweep = Math.min(5.5, Math.abs(turning) / (newtonsPerMetre * radius * radius));
    const across = tangential(friction, normal);
    const u = norm(across) > 0 ? normalize(across) : perpendicular(normal);
    const v = scale(Math.sign(turning), cross(normal, u));
    const pieces = Math.max(1, Math.ceil(sweep / 0.3));
    const at = (k: number): Vec3 => {
      const angle = (sweep * k) / pieces;
      return addScaled(addScaled(point, radius * Math.cos(angle), u), radius * Math.sin(angle), v);
    };
    const width = isChosen ? 3.5 : 2;
    for (let k = 0; k < pieces; k++) this.#arrows.add(at(k), at(k + 1), TORQUE_PAINT, width, k === pieces - 1 ? 10 : 0);
    this.#drawn.push({
      pair: contact.label,
      region: contact.region,
      kind: 'torque',
      on: contact.on,
      from: point,
      vector: scale(Math.sign(turning), normal),
      force: Math.abs(torque),
    });
  }

  setTheme(isDark: boolean): void {
    this.#arrows.setRim(isDark ? '#0c0e12' : '#ffffff', 0.8);
  }

  dispose(): void {
    this.#surfaces.dispose();
    this.#lines.dispose();
    this.#arrows.dispose();
  }
}

type PolygonList = Parameters<typeof spreadForce>[0];

const faded = ([red, green, blue]: Paint, opacity: number): Paint => [red, green, blue, opacity];
