import { test } from 'vitest';
import { body, model } from './index.js';
import { sphere } from '../geometry/primitives.js';
import { steel } from './materials.js';
const b = body({ shape: sphere(1), material: steel });
const tryOne = (contacts: any, more: any = {}) => { try { model({ bodies: { a: { ...b, ...more }, b, rack: [b, b] }, contacts } as any); console.log('ok', JSON.stringify(contacts)); } catch (e) { console.log((e as Error).message); } };
test('x', () => {
  for (const c of [ {defualts: {}}, true, 3, {defaults: {fricton: 1}}, {defaults:{friction:-1}}, {defaults:{restitution: 1.5}}, {pairs:[{between:['a','c']}]}, {pairs:[{between:['a']}]}, {pairs: [{}]}, {pairs:[{between:['a','b'], normalLaw:{kind:'powr'}}]},
   {pairs:[{between:['a','b'], normalLaw:{kind:'power'}}]}, {pairs:[{between:['a','b'], normalLaw:{kind:'power', stifness: 1}}]}, {pairs:[{between:['a','b'], normalLaw:{kind:'power', stiffness: 1, exponnt: 2}}]}, {pairs:[{between:['a','b'], normalLaw:'herz'}]}, {pairs:[{between:['a','b'], frictionLaw:{kind:'tanh', deadBand: 0}}]},
   {pairs:[{between:['a','b'], torsion:'pach'}]}, {pairs:[{between:['a','b'], search:'point'}]}, {exclude:[['a','rak']]}, {exclude:['a','b']}, {joined:[['a']]}, {joined: 'yes'}, {tolerance: 0}, {sensors:[['a','x']]}, {broadPhase:'octree'}, {pairs:[{between:['a','*'], friction: 0.1}, {between:['rack','rack']}]}, {pairs:{between:['a','b']}}])
   tryOne(c);
  for (const c of [true, {gruop:'a'}, {group: 3}, {surfaces: []}, {surfaces: [{kind:'sphere'}]}, {surfaces:[{kind:'spere', radius:1}]}, {surfaces:[{kind:'points', points: []}]}, {touches:'wheels'}, {touches:'defalt'}]) tryOne({}, {contact: c});
  tryOne({}, { orientation: { axis: [0,0,0], angle: 1 } }); tryOne({}, { orientation: [1,2,3] }); tryOne({}, { inertia: [1,2,'a'] });
});
