/** Which format a CAD file has: by its content, and by its extension where the content does not tell. */
import type { CadFormat } from './cad-document.js';
import { openingText, startsWith } from './recognise.js';

/** Formats by extension. */
export const READ_EXTENSIONS: Readonly<Record<string, CadFormat>> = {
  stl: 'stl',
  obj: 'obj',
  ply: 'ply',
  '3mf': '3mf',
  gltf: 'gltf',
  glb: 'glb',
  wrl: 'vrml',
  vrml: 'vrml',
  wrz: 'vrml',
  stp: 'step',
  step: 'step',
  p21: 'step',
  igs: 'iges',
  iges: 'iges',
  dxf: 'dxf',
  msh: 'msh',
  inp: 'inp',
};

/** The extension of a file name in lower case, without the dot; empty if there is none. */
export function extensionOf(fileName: string): string {
  return /\.([^./\\]+)$/.exec(fileName)?.[1].toLowerCase() ?? '';
}

/** The format the bytes have, whatever the file is called; undefined if they have none we know. */
export function sniffFormat(bytes: Uint8Array): CadFormat | undefined {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return '3mf'; // PK: a zip archive
  if (startsWith(bytes, [0x67, 0x6c, 0x54, 0x46])) return 'glb'; // glTF
  const text = openingText(bytes);
  if (/^ply[ \t]*[\r\n]/.test(text)) return 'ply';
  if (/^#VRML V/i.test(text)) return 'vrml';
  if (/^ISO-10303-21\s*;/i.test(text)) return 'step';
  if (/^\{/.test(text) && /"(asset|scenes|meshes|accessors|buffers|nodes)"/.test(text)) return 'gltf';
  if (/^AutoCAD Binary DXF/.test(text)) return 'dxf';
  if (/^(999[ \t]*\r?\n[^\n]*\n\s*)*0[ \t]*\r?\n\s*SECTION[ \t]*\r?\n/.test(text)) return 'dxf';
  if (/^\s*\$MeshFormat/.test(text)) return 'msh';
  if (/^\s*\*\s*(heading|node\b|part\b|\*)/i.test(text)) return 'inp';
  if (/^solid\b/i.test(text) || isBinaryStl(bytes)) return 'stl';
  // IGES: 80 columns, of which 73 is the letter of the section and the rest a number; the start section comes first.
  if (/^[^\r\n]{72}S[ 0-9]{7}/.test(text)) return 'iges';
  return hasObjVertex(text) ? 'obj' : undefined;
}

/** 84 bytes, of which the last 4 count the records of 50 bytes that follow. */
function isBinaryStl(bytes: Uint8Array): boolean {
  if (bytes.length < 84) return false;
  const count = bytes[80] + 256 * bytes[81] + 65536 * bytes[82] + 16777216 * bytes[83];
  return bytes.length === 84 + 50 * count;
}

/** A line `v x y z` after nothing but comments and words that OBJ files start with. */
function hasObjVertex(text: string): boolean {
  for (const line of text.split(/[\r\n]+/)) {
    if (/^\s*v\s+[-+.0-9]\S*\s+[-+.0-9]/.test(line)) return true;
    if (!/^\s*(#|$|(mtllib|o|g|usemtl|s|vn|vt)\s)/.test(line)) return false;
  }
  return false;
}
