import { test } from 'vitest';
import { box, cylinder, sphere, cone, torus } from '../../geometry/primitives.js';
import { convexHull } from '../../geometry/hull.js';
import { random } from '../../math/random.js';
import { fromQuaternion } from '../../math/mat3.js';
import { fromAxisAngle, IDENTITY } from '../../math/quaternion.js';
import { ContactPatches } from '../contact-patches.js';
import { Separation } from '../route.js';
import { ConvexDistance, MeshDistance } from '../distance/index.js';
import { manifoldRoute } from './index.js';
const P = (x: unknown) => process.stdout.write(JSON.stringify(x)+'\n');
const poses = (pb: any, qb: any) => ({ position: Float64Array.from([0,0,0,...pb]), rotation: Float64Array.from([...fromQuaternion(IDENTITY),...fromQuaternion(qb)]) });
const time = (name: string, f: () => void, n = 3000) => { for (let i=0;i<n;i++) f(); const t=performance.now(); for (let i=0;i<n;i++) f(); P([name, +((performance.now()-t)/n*1e3).toFixed(2), 'us']); };
test('x', () => {
  const draw = random(1);
  const hull = (n:number) => ({ mesh: convexHull(Float64Array.from(Array.from({length:n},()=>draw.unitVector()).flat())), form:{kind:'mesh'}, pose:{position:[0,0,0],orientation:IDENTITY}} as any);
  const p = new ContactPatches(64);
  const cases: any[] = [['table-box', box([10,10,1]), box([1,1,1]), [0.1,0.2,0.99], fromAxisAngle([0,0,1],0.3)],
   ['hull32', hull(32), hull(32), [1.8,0,0], IDENTITY], ['hull200', hull(200), hull(200), [1.95,0,0], IDENTITY],
   ['table-cyl lying', box([10,10,1]), cylinder({radius:0.5,height:2}), [0,0,0.99], fromAxisAngle([1,0,0],Math.PI/2)],
   ['table-cyl standing', box([10,10,1]), cylinder({radius:0.5,height:2}), [0,0,1.49], IDENTITY],
   ['cyl-cyl', cylinder({radius:0.5,height:2}), cylinder({radius:0.5,height:2}), [0.97,0.1,0.2], fromAxisAngle([1,0,0],1.2)],
   ['box-sphere', box([1,1,1]), sphere(0.5), [0.1,0.2,0.95], IDENTITY]];
  for (const [n,a,b,x,q] of cases) { const r = manifoldRoute(a,b,0,1)!; const ps = poses(x,q);
    r.find(ps,0,p,false); P([n,p.count]); p.clear();
    time(n+' find', () => { p.clear(); r.find(ps,0,p,false); }, 1000);
    time(n+' grad', () => { p.clear(); r.find(ps,0,p,true); }, 1000);
    const out = new Separation(); const far = poses(x.map((v:number)=>v*1.5), q); time(n+' separate', () => r.separate(far,out)); }
  const t = torus({majorRadius:1,minorRadius:0.3,segments:64}).mesh; const md = new MeshDistance(t,t); const out = new Separation(); 
  P(t.triangles.length/3); const ps = poses([2.0,0.5,1.0], fromAxisAngle([1,2,3],1)); time('torus', () => md.evaluate(ps,0,1,out), 200); time('torus most', () => md.evaluate(ps,0,1,out,0.01), 200); P(out.distance);
});
