/** Builds a text file in pieces, so that it never has to exist as one string. */
export class TextWriter {
  #text = '';
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  write(text: string): void {
    this.#text += text;
    if (this.#text.length > CHUNK) this.#flush();
  }

  /** The file so far, in UTF-8. */
  toBytes(): Uint8Array {
    this.#flush();
    const all = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }

  #flush(): void {
    const chunk = new TextEncoder().encode(this.#text);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#text = '';
  }
}

/** A name fit for one line of text: line breaks and other control characters become blanks. */
export function singleLine(name: string): string {
  return Array.from(name, (c) => (c < ' ' || c === '\u007f' ? ' ' : c))
    .join('')
    .trim();
}

const CHUNK = 65536;
