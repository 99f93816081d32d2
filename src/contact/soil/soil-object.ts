/** Something that touches the soil: its mesh, where it was when a step was last accepted, and the nodes it then stood on. */
import { ModelError } from '../../errors.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { Footprint, type SoilPose } from './footprint.js';
import { SoilMesh } from './soil-mesh.js';

/** Motion in the terrain's frame: velocity of the body's origin m/s, angular velocity rad/s */
export interface SoilMotion extends SoilPose {
  readonly velocity: Float64Array;
  readonly spin: Float64Array;
}

export interface SoilObjectOptions {
  /** Width b in kc/b: a length in m, that of the narrowest strip around the contact ('minWidth'), or 2 area/perimeter ('patch'). 'minWidth' unless said */
  readonly pressureWidth?: number | 'minWidth' | 'patch';
  /** Upright faces, of grousers and flanks, push against the soil; they do unless said */
  readonly sideFaces?: boolean;
  /** Part κ of the sliding that digs: soil carried off per distance slid; 0 unless said, some 0.05 for grousers */
  readonly digging?: number;
  /** Depth at which digging is in full, m: the height of the grousers; 1 cm unless said */
  readonly diggingDepth?: number;
}

export class SoilObject {
  readonly name: string;
  readonly mesh: SoilMesh;
  /** As it is drawn now, and as it was before: within a step a body is looked at in its middle, at its end and at both again */
  footprint = new Footprint();
  footprintBefore = new Footprint();
  /** Derivatives were asked for, and will be again where the next step begins */
  wantsRates = false;
  readonly pressureWidth: number | 'minWidth' | 'patch';
  readonly sideFaces: boolean;
  readonly digging: number;
  readonly diggingDepth: number;
  /** 1/b as of the last accepted step, 1/m; 0 before the first touch */
  inverseWidth = 0;
  /** As of the last accepted step; undefined before the first */
  accepted = false;
  readonly position = new Float64Array(3);
  readonly rotation = new Float64Array(9);
  /** Nodes touched then, ascending in the order of the window */
  touched = new Int32Array(64);
  touchedI = new Int32Array(64);
  touchedJ = new Int32Array(64);
  touchedCount = 0;
  /** m³: soil pressed aside and not yet put down */
  pending = 0;
  /** Direction in which it drags soil, terrain's x and y, times what was pressed aside so, and the sum of that, m³ */
  dragX = 0;
  dragY = 0;
  dragged = 0;

  /** J that nodes held when the body came over them from the side: nobody pressed them together */
  made = 0;

  constructor(name: string, mesh: TriangleMesh, options: SoilObjectOptions = {}) {
    if (mesh.triangles.length === 0) throw new ModelError(name, 'expected a shape with a surface, got no triangles');
    this.name = name;
    this.mesh = new SoilMesh(mesh);
    this.pressureWidth = options.pressureWidth ?? 'minWidth';
    if (typeof this.pressureWidth === 'number') {
      if (!(this.pressureWidth > 0))
        throw new ModelError(`${name}.pressureWidth`, `expected a length > 0 m, got ${this.pressureWidth}`);
      this.inverseWidth = 1 / this.pressureWidth;
    }
    this.sideFaces = options.sideFaces ?? true;
    this.digging = options.digging ?? 0;
    this.diggingDepth = options.diggingDepth ?? 0.01;
  }

  /** Node `node` at (i, j) is touched. */
  touch(node: number, i: number, j: number): void {
    if (this.touchedCount === this.touched.length) this.room(2 * this.touchedCount);
    this.touched[this.touchedCount] = node;
    this.touchedI[this.touchedCount] = i;
    this.touchedJ[this.touchedCount++] = j;
  }

  private room(length: number): void {
    for (const name of ['touched', 'touchedI', 'touchedJ'] as const) {
      const longer = new Int32Array(length);
      longer.set(this[name]);
      this[name] = longer;
    }
  }

  snapshot(): ObjectSnapshot {
    const { inverseWidth, accepted, touchedCount, pending, dragX, dragY, dragged, made } = this;
    return {
      inverseWidth,
      accepted,
      touchedCount,
      pending,
      dragX,
      dragY,
      dragged,
      made,
      position: this.position.slice(),
      rotation: this.rotation.slice(),
      touched: this.touched.slice(0, touchedCount),
      touchedI: this.touchedI.slice(0, touchedCount),
      touchedJ: this.touchedJ.slice(0, touchedCount),
    };
  }

  restore(snapshot: ObjectSnapshot): void {
    const { position, rotation, touched, touchedI, touchedJ, ...numbers } = snapshot;
    Object.assign(this, numbers);
    this.position.set(position);
    this.rotation.set(rotation);
    if (this.touched.length < touched.length) this.room(2 * touched.length);
    this.touched.set(touched);
    this.touchedI.set(touchedI);
    this.touchedJ.set(touchedJ);
  }
}

export interface ObjectSnapshot {
  readonly inverseWidth: number;
  readonly accepted: boolean;
  readonly touchedCount: number;
  readonly pending: number;
  readonly dragX: number;
  readonly dragY: number;
  readonly dragged: number;
  readonly made: number;
  readonly position: Float64Array;
  readonly rotation: Float64Array;
  readonly touched: Int32Array;
  readonly touchedI: Int32Array;
  readonly touchedJ: Int32Array;
}
