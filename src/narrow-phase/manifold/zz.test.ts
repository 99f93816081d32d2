import { test } from 'vitest';
import { convexHull } from '../../geometry/hull.js';
import { box, cylinder } from '../../geometry/primitives.js';
import { fromQuaternion } from '../../math/mat3.js';
import { fromAxisAngle, IDENTITY, multiply, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { ContactPatches } from '../contact-patches.js';
import { manifoldRoute } from './index.js';

const P = (x: unknown) => process.stdout.write(JSON.stringify(x) + '\n');
test('x', { timeout: 120000 }, () => {
  const p = new ContactPatches(64);
  const r5 = (x: any) => [...x].map((v: number) => +v.toPrecision(6));
  const force = (r: any, x: number[], q: any) => {
    p.clear();
    r.find(
      {
        position: Float64Array.from([0, 0, 0, ...x]),
        rotation: Float64Array.from([...fromQuaternion(IDENTITY), ...fromQuaternion(q)]),
      },
      0,
      p,
      false,
    );
    const f = [0, 0, 0];
    for (let i = 0; i < p.count; i++) for (let k = 0; k < 3; k++) f[k] += p.depth[i] * p.normal[3 * i + k];
    return f;
  };
  const dump = (r: any, t: number) => {
    const c = r.contact;
    P({
      t,
      n: r5(p.normal.subarray(0, 3)),
      kinds: [...c.kinds.subarray(0, c.count)],
      deps: r5(c.depths.subarray(0, c.count)),
      ed: c.expansion.depth,
      fk: c.best.a.kind + ' ' + c.best.b.kind,
      dimA: r.points.facetA.dimension + ' ' + r.points.facetA.id,
      dimB: r.points.facetB.id,
      pts: Array.from({ length: p.count }, (_, i) => [
        +p.depth[i].toPrecision(5),
        [...p.feature.subarray(2 * i, 2 * i + 2)].join('/'),
      ]),
    });
  };
  for (const [name, n, depth] of [
    ['hull on hull', 12, 0.01],
    ['cyl on hull', 12, 0.01],
  ] as any[]) {
    const draw = random(name + n);
    let shown = 0;
    for (let s = 0; s < 12; s++) {
      const hull = {
        mesh: convexHull(Float64Array.from(Array.from({ length: n }, () => draw.unitVector()).flat())),
        form: { kind: 'mesh' },
        pose: { position: [0, 0, 0], orientation: IDENTITY },
      } as any;
      const other =
        name === 'cyl on hull'
          ? cylinder({ radius: 0.5, height: 1 })
          : { ...hull, mesh: convexHull(Float64Array.from(Array.from({ length: n }, () => draw.unitVector()).flat())) };
      const r = manifoldRoute(other, hull, 0, 1)! as any;
      const axis = draw.unitVector(),
        dir = draw.unitVector(),
        q0 = draw.rotation();
      const off = [draw.uniform(), draw.uniform()];
      const at = (t: number) => {
        const q = multiply(fromAxisAngle(axis, 1.5 * t), q0);
        let reach = 4;
        const out = {
          distance: 0,
          direction: new Float64Array(3),
          pointA: new Float64Array(3),
          pointB: new Float64Array(3),
        };
        for (let k = 0; k < 80; k++) {
          r.separate(
            {
              position: Float64Array.from([0, 0, 0, ...dir.map((d: number) => d * reach)]),
              rotation: Float64Array.from([...fromQuaternion(IDENTITY), ...fromQuaternion(q)]),
            },
            out,
          );
          if (out.distance < 1e-10) break;
          reach -= out.distance;
        }
        return force(
          r,
          dir.map((d: number) => d * (reach - depth)),
          q,
        );
      };
      const N = 1500;
      let last = at(0);
      for (let i = 1; i <= N && shown < 8; i++) {
        const f = at(i / N);
        const j = Math.hypot(f[0] - last[0], f[1] - last[1], f[2] - last[2]);
        if (j > 0.05 * depth) {
          let a = (i - 1) / N,
            b = i / N,
            fa = last,
            fb = f;
          for (let k = 0; k < 14; k++) {
            const m = (a + b) / 2,
              fm = at(m);
            if (Math.hypot(...fm.map((x, c) => x - fa[c])) > Math.hypot(...fm.map((x, c) => x - fb[c]))) {
              b = m;
              fb = fm;
            } else {
              a = m;
              fa = fm;
            }
          }
          const jj = Math.hypot(...fb.map((x, c) => x - fa[c])) / Math.hypot(...fa);
          if (jj > 1e-2) {
            shown++;
            P([name, s, jj]);
            at(a);
            dump(r, a);
            at(b);
            dump(r, b);
          }
        }
        last = f;
      }
    }
  }
});
