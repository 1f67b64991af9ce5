import { createHash, type Hash } from 'node:crypto';

/**
 * A backup's text, inside gzip: a header line, then one section per table and company (a line that names it, the lines
 * of COPY, `\.`), then the manifest. COPY writes a backslash as two, so no row is ever the line `\.`.
 */
export interface Header {
  evenkeel: 1;
  createdAt: string;
  /** The schema's migrations; a restore needs the same. */
  migrations: string[];
  companies: number[];
}

export interface Section {
  table: string;
  columns: string[];
}

/** Rows and digest of each table's lines, in the order of the file. */
export type Manifest = Record<string, { rows: number; sha256: string }>;

export const END = '\\.';

/** Adds up what went by, table by table, on either way. */
export class Tally {
  private readonly tables = new Map<string, { rows: number; hash: Hash }>();

  add(table: string, chunk: Buffer): void {
    this.of(table).hash.update(chunk);
  }

  count(table: string, rows: number): void {
    this.of(table).rows += rows;
  }

  manifest(): Manifest {
    const entries = [...this.tables].map(([table, { rows, hash }]) => {
      return [table, { rows, sha256: hash.copy().digest('hex') }] as const;
    });
    return Object.fromEntries(entries);
  }

  private of(table: string): { rows: number; hash: Hash } {
    let found = this.tables.get(table);
    if (found === undefined) {
      found = { rows: 0, hash: createHash('sha256') };
      this.tables.set(table, found);
    }
    return found;
  }
}

const NEWLINE = 10;

/** Reads an archive's text from its pieces: lines one by one, or the lines of a section in slices. */
export class ArchiveReader {
  private readonly source: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  private isEnded = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** The next line without its end; undefined at the end of the file. */
  async line(): Promise<string | undefined> {
    let end = this.rest.indexOf(NEWLINE);
    while (end === -1) {
      if (!(await this.more())) return undefined;
      end = this.rest.indexOf(NEWLINE);
    }
    const line = this.rest.subarray(0, end).toString('utf8');
    this.rest = this.rest.subarray(end + 1);
    return line;
  }

  /** The lines up to the section's end, in slices of whole lines. */
  async *section(): AsyncGenerator<Buffer> {
    for (;;) {
      const found = endOfSection(this.rest);
      if (found !== undefined) {
        if (found > 0) yield this.rest.subarray(0, found);
        this.rest = this.rest.subarray(found + END.length + 1);
        return;
      }
      const whole = wholeLines(this.rest);
      if (whole > 0) {
        yield this.rest.subarray(0, whole);
        this.rest = this.rest.subarray(whole);
      }
      if (!(await this.more())) throw new Error('The backup is damaged: it ends in the middle of a table');
    }
  }

  /** Throws when anything is left: an archive ends with its manifest. */
  async end(): Promise<void> {
    if (this.rest.length > 0 || (await this.more()))
      throw new Error('The backup is damaged: there is extra data at the end');
  }

  private async more(): Promise<boolean> {
    if (this.isEnded) return false;
    const { value, done } = await this.source.next().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`The backup is damaged: ${reason}`, { cause: error });
    });
    if (done === true) this.isEnded = true;
    else this.rest = this.rest.length === 0 ? value : Buffer.concat([this.rest, value]);
    return !this.isEnded;
  }
}

const terminator = Buffer.from(`\n${END}\n`);
const atOnce = Buffer.from(`${END}\n`);

/** The start of the line `\.`; undefined when it has not come yet. */
function endOfSection(text: Buffer): number | undefined {
  if (text.subarray(0, atOnce.length).equals(atOnce)) return 0;
  const at = text.indexOf(terminator);
  return at === -1 ? undefined : at + 1;
}

/**
 * Bytes of complete lines that can be handed on. The last line stays back, so that the end of a section is always found
 * at the start of what is left or behind a line of it.
 */
function wholeLines(text: Buffer): number {
  return text.lastIndexOf(NEWLINE) + 1;
}
