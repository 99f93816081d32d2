// The pallet lever of a Swiss lever watch, traced point by point from its drawing and extruded: anything one can draw
// as a closed line becomes a solid with volume, inertia and contact.
// npx tippetop build examples/traced-pallet
import { circleOutline, extrude, type Outline, scale } from 'tippetop';

// Corners in mm, counter-clockwise, the pivot at (0, 0), the fork pointing to +y, the escape wheel below.
export const traced: Outline = [
  // Exit stone below its holder, the impulse face last to first, then round the holder
  [1.162554, -0.579628], // locking corner
  [1.312817, -0.861729], // let-off corner
  [1.559337, -0.540457],
  [1.622264, -0.622718],
  [1.923601, -0.230008],
  [1.860702, -0.147711],
  [1.710439, 0.13439],
  [1.677594, 0.091585],
  [1.614667, 0.173846],
  // Right side of the arm and of the fork
  [0.09, 0.42],
  [0.09, 2.466017],
  [0.33, 2.966017],
  [0.426994, 3.438074],
  // Right horn, an arc about the balance staff, from its tip down to the notch
  [0.336994, 3.448074],
  [0.324024, 3.423186],
  [0.310174, 3.398776],
  [0.29546, 3.374878],
  [0.279902, 3.35152],
  [0.263519, 3.328734],
  [0.246332, 3.306547],
  [0.228363, 3.284989],
  [0.209635, 3.264087],
  [0.190173, 3.243867],
  [0.17, 3.224356],
  // Notch for the impulse pin
  [0.17, 3.016017],
  [-0.17, 3.016017],
  // Left horn
  [-0.17, 3.224356],
  [-0.190173, 3.243867],
  [-0.209635, 3.264087],
  [-0.228363, 3.284989],
  [-0.246332, 3.306547],
  [-0.263519, 3.328734],
  [-0.279902, 3.35152],
  [-0.29546, 3.374878],
  [-0.310174, 3.398776],
  [-0.324024, 3.423186],
  [-0.336994, 3.448074],
  // Left side of the fork and of the arm
  [-0.426994, 3.438074],
  [-0.33, 2.966017],
  [-0.09, 2.466017],
  [-0.09, 0.42],
  // Entry holder and the end of the entry stone behind it
  [-0.946875, 0.323394],
  [-1.044867, 0.303457],
  [-1.05025, 0.329915],
  [-1.341985, 0.302304],
  [-1.335018, 0.268058],
  [-1.434595, 0.25591],
  [-1.335907, -0.229153],
  [-1.236653, -0.21542],
  // Entry stone
  [-1.162554, -0.579628], // locking corner
  [-0.870819, -0.552018], // let-off corner
  [-0.947442, -0.175402],
  [-0.848188, -0.161669],
  // Hub, clear of the wheel's heels, and the way back to the exit stone
  [-0.25, -0.24],
  [-0.0691, -0.24],
  [-0.032632, -0.247861],
  [0, -0.25],
  [0.032632, -0.247861],
  [0.0691, -0.24],
  [0.25, -0.24],
  [1.31333, -0.218864],
  [1.376257, -0.301125],
];

export default ({ thickness = 0.15e-3 /* m */, arborRadius = 0.1e-3 /* m */, segments = 32 } = {}) => ({
  pallet: extrude({ outer: scale(1e-3, traced), holes: [circleOutline(segments, arborRadius)] }, thickness),
});
