/** What the lesson of the traced escapement begins with: a watch whose lever is a bare hub, and a drawing of the lever to be traced, as a scan would be: no scale, its pivot anywhere. */
import { leverEscapement } from '../../assets/machine-elements/lever-escapement.js';
import { signedArea } from '../../geometry/polygon-measure.js';
import type { Vec2 } from '../../math/vec3.js';
import type { AssetStore } from '../document/assets.js';
import { emptyDocument, frozen, type StudioDocument } from '../document/document.js';
import { newPicture } from '../sketch/picture.js';
import { watchWith } from './watch-scene.js';

/** Of the drawing, px: its size, what a millimetre is, and where its pivot and the ends of its bar of 3 mm are */
export const DRAWING = {
  width: 1000,
  height: 1160,
  perMillimetre: 190,
  pivot: [440, 880],
  bar: [
    [200, 1090],
    [770, 1090],
  ],
} as const satisfies { readonly pivot: Vec2; readonly bar: readonly [Vec2, Vec2]; readonly [size: string]: unknown };

const { pallet } = leverEscapement();
/** m² */
export const LEVER_AREA = Math.abs(signedArea(pallet));
const [SKETCH, FILE, HEIGHT] = ['lever', 'pallet-lever.png', 0.15e-3];

export async function leverToTrace(assets: AssetStore): Promise<StudioDocument> {
  const { width } = DRAWING;
  const asset = await assets.put(FILE, await drawing());
  const hub = { shape: { cylinder: { radius: 0.25e-3, height: HEIGHT } }, material: 'steel' };
  return frozen({
    ...emptyDocument('My watch'),
    // Two beats, and the time between them
    source: { kind: 'scene', model: watchWith(hub, { stop: 0.2 }) },
    sketches: {
      [SKETCH]: {
        picture: newPicture(FILE, { width, height: DRAWING.height }),
        outlines: {},
        solid: { kind: 'extrude', height: HEIGHT, body: 'lever' },
      },
    },
    assets: { [FILE]: asset },
  });
}

async function drawing(): Promise<Uint8Array> {
  const { width, height, perMillimetre, pivot, bar } = DRAWING;
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d')!;
  const line = (...points: readonly Vec2[]): void => {
    pen.beginPath();
    for (const [x, y] of points) pen.lineTo(x, y);
    pen.stroke();
  };
  pen.fillStyle = '#faf7f0';
  pen.fillRect(0, 0, width, height);
  pen.strokeStyle = '#4a4a44';
  pen.fillStyle = '#d4dbd8';
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const [x, y] of pallet) pen.lineTo(pivot[0] + 1e3 * perMillimetre * x, pivot[1] - 1e3 * perMillimetre * y);
  pen.closePath();
  pen.fill();
  pen.stroke();
  // The bearing: a circle and its centre lines
  const [x, y] = pivot;
  pen.beginPath();
  pen.arc(x, y, 16, 0, 2 * Math.PI);
  pen.stroke();
  line([x - 28, y], [x + 28, y]);
  line([x, y - 28], [x, y + 28]);
  // The bar
  const [[left, base], [right]] = bar;
  line([left, base], [right, base]);
  for (const end of [left, right]) line([end, base - 12], [end, base + 12]);
  pen.fillStyle = '#33332f';
  pen.font = '26px serif';
  pen.textAlign = 'center';
  pen.fillText('3 mm', (left + right) / 2, base + 36);
  pen.textAlign = 'left';
  pen.fillText('Pallet lever of a Swiss watch', 560, 150);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return new Uint8Array(await blob.arrayBuffer());
}
