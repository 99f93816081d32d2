import { test } from 'vitest';
import { box, cylinder } from '../../geometry/primitives.js';
import { convexHull } from '../../geometry/hull.js';
import { random } from '../../math/random.js';
import { fromQuaternion } from '../../math/mat3.js';
import { fromAxisAngle, rotate, multiply, IDENTITY } from '../../math/quaternion.js';
import { ContactPatches } from '../contact-patches.js';
import { manifoldRoute } from './index.js';
const P = (x: unknown) => process.stdout.write(JSON.stringify(x)+'\n');
test('x', { timeout: 180000 }, () => {
  const p = new ContactPatches(64);
  const force = (r: any, x: number[], q: any) => { p.clear(); r.find({ position: Float64Array.from([0,0,0,...x]), rotation: Float64Array.from([...fromQuaternion(IDENTITY),...fromQuaternion(q)]) },0,p,false);
    const f=[0,0,0]; for (let i=0;i<p.count;i++) for (let k=0;k<3;k++) f[k]+=p.depth[i]*p.normal[3*i+k]; return f; };
  for (const [name, n, depth] of [['box on box',0,0.01],['box on box',0,0.001],['hull on table',20,0.01],['hull on table',100,0.01],['hull on table',100,0.001],['hull on hull',12,0.01],['hull on hull',12,0.001],['cyl on hull',12,0.01],['cyl on hull',12,0.001],['cyl on cyl',0,0.001]] as any[]) {
    const draw = random(name+n); let worst=0, many=0, big=0; const t0=performance.now(); let calls=0;
    for (let s=0;s<12;s++) {
      const mk = () => ({ mesh: convexHull(Float64Array.from(Array.from({length:n},()=>draw.unitVector()).flat())), form:{kind:'mesh'}, pose:{position:[0,0,0],orientation:IDENTITY}} as any);
      const hull = name==='box on box' ? box([1,1,1]) : name==='cyl on cyl' ? cylinder({radius:0.5,height:1}) : mk();
      const other = name==='box on box' ? box([1,1,1]) : name==='hull on table' ? box([10,10,1]) : name.startsWith('cyl') ? cylinder({radius:0.5,height:1}) : mk();
      const r = manifoldRoute(other, hull, 0, 1)! as any;
      const axis = draw.unitVector(), dir = draw.unitVector(), q0 = draw.rotation(); const off=[draw.uniform(),draw.uniform()];
      const at = (t: number) => { calls++; const q = multiply(fromAxisAngle(axis, 1.5*t), q0);
        if (name==='hull on table') { let low=1; for (let i=0;i<hull.mesh.vertices.length;i+=3) low=Math.min(low, rotate(q,[hull.mesh.vertices[i],hull.mesh.vertices[i+1],hull.mesh.vertices[i+2]])[2]); return force(r,[off[0],off[1],0.5-low-depth],q); }
        let reach=4; const out={distance:0,direction:new Float64Array(3),pointA:new Float64Array(3),pointB:new Float64Array(3)};
        for (let k=0;k<80;k++){ r.separate({ position: Float64Array.from([0,0,0,...dir.map((d:number)=>d*reach)]), rotation: Float64Array.from([...fromQuaternion(IDENTITY),...fromQuaternion(q)]) }, out); if (out.distance<1e-10) break; reach-=out.distance; }
        return force(r, dir.map((d:number)=>d*(reach-depth)), q); };
      const N=800; let last=at(0);
      for (let i=1;i<=N;i++) { const f=at(i/N); const j=Math.hypot(f[0]-last[0],f[1]-last[1],f[2]-last[2]);
        if (j>0.02*depth) {
          let a=(i-1)/N,b=i/N, fa=last, fb=f; for (let k=0;k<16;k++){ const m=(a+b)/2, fm=at(m); if (Math.hypot(...fm.map((x,c)=>x-fa[c]))>Math.hypot(...fm.map((x,c)=>x-fb[c]))) {b=m;fb=fm;} else {a=m;fa=fm;} }
          const jj=Math.hypot(...fb.map((x,c)=>x-fa[c]))/Math.hypot(...fa); if (jj>1e-2) { many++; if (jj>0.1) { big++; if (name.startsWith('cyl on h') || name==='hull on table') for (const t of [a,b]) { at(t); const c=r.contact; P({t,n:[...p.normal.subarray(0,3)],k:[...c.kinds.subarray(0,c.count)],d:[...c.depths.subarray(0,c.count)],ff:c.solutions.map((x:any)=>x.a.kind+''+x.b.kind).join(),fa:r.points.facetA.id,fb:r.points.facetB.id,pts:Array.from({length:p.count},(_,i)=>[+p.depth[i].toPrecision(4),[...p.feature.subarray(2*i,2*i+2)].join('/')])}); } } if (jj>worst) worst=jj; } }
        last=f; } }
    P([name,n,depth,'jumps>1%',many,'>10%',big,'worst',worst,'us/call',(performance.now()-t0)/calls*1e3]);
  }
});
