// The escape wheel of a Swiss lever watch: 15 club teeth, rim, four spokes, one tooth's corners repeated around a circle.
// npx tippetop build examples/escape-wheel --teeth 15
import { escapeWheel, extrude } from 'tippetop';

export default ({
  teeth = 15,
  radius = 2.25e-3 /* m, circle through the toes */,
  undercut = 24 /* degrees the front faces lean */,
  spokes = 4,
  bore = 0 /* m, radius of the hole for the arbor */,
  thickness = 0.13e-3 /* m */,
} = {}) => ({
  escapeWheel: extrude(escapeWheel({ teeth, radius, undercut: (undercut * Math.PI) / 180, spokes, bore }), thickness),
});
