/**
 * A table of records in a live file. How many of its rows count follows from the number of rows of /time, which a flush writes last,
 * through `offset`. So offset and columns may say that they are longer than they should be, and their headers need no place in
 * the sector that decides: they are written together with the rows. Only extents change in them, 8 bytes each that no
 * sector boundary divides; a header that did not make it to the medium has the extent before, which is enough for the rows before.
 *
 * Labels count by themselves. Their texts and the references to them are only added to, but each time there are new ones they get
 * a new header in a new group, which a reader sees when it sees the new root group.
 */
import type { RecordTable } from '../record-table.js';
import { ByteWriter } from './byte-writer.js';
import { chunkedDataset, ELEMENT, elementOf, references, tableAttributes, tableGroup } from './document.js';
import { bytesOf, GrowingDataset, type LiveSpace } from './growing-dataset.js';
import { FIRST_EXTENT_AT, TextHeap, UNLIMITED } from './structures.js';

const CHUNK_ROWS = 4096;

export class LiveTable {
  readonly table: RecordTable;
  readonly #space: LiveSpace;
  readonly #offset: GrowingDataset;
  readonly #columns: readonly GrowingDataset[];
  readonly #labels: GrowingDataset;
  readonly #headers: Uint8Array; // of offset and the columns, one behind another
  readonly #extents: DataView; // of the same bytes
  readonly #headersAt: number;
  readonly #starts: readonly number[]; // of each header in them
  readonly #attributes: readonly Uint8Array[];
  #rows = 0; // in the file
  #instants = 0;
  #labelCount = 0;

  constructor(space: LiveSpace, table: RecordTable) {
    this.table = table;
    this.#space = space;
    const full = (rows: number): string =>
      `is full with ${rows} rows of ${table.name}; record them less often, or fewer of them`;
    const dataset = (size: number): GrowingDataset => new GrowingDataset(space, 1, size, CHUNK_ROWS, full);
    this.#offset = dataset(ELEMENT.int);
    this.#columns = table.columns.map(({ type }) => dataset(ELEMENT[elementOf(type)]));
    this.#labels = dataset(ELEMENT.text);

    const heap = new TextHeap(space.end);
    const { columns, group } = tableAttributes(heap, table);
    space.place(heap.bytes());
    this.#attributes = group;
    const headers = new ByteWriter();
    const starts: number[] = [];
    const header = ({ tree }: GrowingDataset, type: 'double' | 'int', attributes: readonly Uint8Array[]): void => {
      starts.push(headers.length);
      headers.bytes(chunkedDataset(type, [0], [UNLIMITED], [CHUNK_ROWS], tree, attributes));
    };
    header(this.#offset, 'int', []);
    table.columns.forEach(({ type }, i) => {
      header(this.#columns[i], elementOf(type), columns[i]);
    });
    this.#headers = headers.done();
    this.#extents = new DataView(this.#headers.buffer);
    this.#starts = starts;
    this.#headersAt = space.take(this.#headers.length);
    this.#offset.write(0, new Uint8Array(ELEMENT.int)); // before instant 0 there is nothing
    this.#writeHeaders();
  }

  get datasets(): readonly GrowingDataset[] {
    return [this.#offset, ...this.#columns, this.#labels];
  }

  /** Closed instants and labels that are not in the file yet. */
  write(): void {
    const { first, instants, labels } = this.table;
    const from = this.#rows;
    if (labels.length > this.#labelCount) {
      const heap = new TextHeap(this.#space.end);
      const added = references(heap, labels.slice(this.#labelCount));
      this.#space.place(heap.bytes());
      this.#labels.write(this.#labelCount, added);
      this.#labelCount = labels.length;
    }
    if (instants === this.#instants) return;
    this.#columns.forEach((column, i) => {
      column.write(from, bytesOf(this.table.column(i).subarray(from)));
    });
    this.#offset.write(this.#instants + 1, bytesOf(first.subarray(this.#instants + 1)));
    this.#rows = first[instants];
    this.#instants = instants;
    this.#writeHeaders();
  }

  #writeHeaders(): void {
    for (const [i, start] of this.#starts.entries())
      this.#extents.setUint32(start + FIRST_EXTENT_AT, i === 0 ? this.#instants + 1 : this.#rows, true);
    this.#space.file.write(this.#headersAt, this.#headers);
  }

  /** A group with the labels that `write` has written, beyond the end; the address of its header. */
  group(): number {
    const labels = this.#space.place(
      chunkedDataset('text', [this.#labelCount], [UNLIMITED], [CHUNK_ROWS], this.#labels.tree),
    );
    const links: Record<string, number> = { offset: this.#headersAt, labels };
    this.table.columns.forEach(({ name }, i) => {
      links[name] = this.#headersAt + this.#starts[i + 1];
    });
    const { bytes, header } = tableGroup(this.#space.end, links, this.#attributes);
    this.#space.place(bytes);
    return header;
  }
}
