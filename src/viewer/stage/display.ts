/** The drawing surface: WebGL 2 on a canvas, its loss and return, and a clear word where there is none. */
import { PCFShadowMap, SRGBColorSpace, WebGLRenderer } from 'three';

/** The browser cannot draw in three dimensions. The message is for the person in front of it. */
export class DisplayError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DisplayError';
  }
}

/** @throws DisplayError where the browser has no WebGL 2 */
export function openDisplay(canvas: HTMLCanvasElement): WebGLRenderer {
  const attributes = {
    alpha: false,
    antialias: true,
    depth: true,
    stencil: false,
    powerPreference: 'high-performance',
  } as const;
  let context: WebGL2RenderingContext | null = null;
  try {
    context = canvas.getContext('webgl2', attributes) as WebGL2RenderingContext | null;
  } catch {
    // some browsers throw instead of saying no
  }
  if (!context)
    throw new DisplayError(
      '3D view: this browser offers no WebGL 2, which drawing needs. Switch on hardware acceleration or use another ' +
        'browser; plots work without it.',
    );
  const renderer = new WebGLRenderer({ canvas, context, ...attributes });
  renderer.outputColorSpace = SRGBColorSpace;
  renderer.shadowMap.type = PCFShadowMap;
  // Shadows are drawn again only when something moved
  renderer.shadowMap.autoUpdate = false;
  return renderer;
}
