/** What every self-contained page shares: look, escaping, embedded pictures. */
export const PAGE_STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
  img { width: 100%; height: auto; border-radius: 8px; }
  table { border-collapse: collapse; max-width: 100%; overflow-x: auto; display: block; }
  th, td { text-align: left; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  td { font-variant-numeric: tabular-nums; white-space: nowrap; }
`;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]);

export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}
