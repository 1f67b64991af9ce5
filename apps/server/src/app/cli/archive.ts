import { createHash, type Hash } from 'node:crypto';

/**
 * The text of a backup, compressed with gzip: a header line, one section for each table and company (a line with its
 * name, the lines from COPY, and `\.`), and the manifest. COPY doubles every backslash, so no row is ever the line
 * `\.`.
 */
export interface Header {
  evenkeel: 1;
  createdAt: string;
  /** The migrations of the backup's schema. A restore requires the same migrations. */
  migrations: string[];
  companies: number[];
}

export interface Section {
  table: string;
  columns: string[];
}

/** The number of rows in each table, and the hash of their lines in file order. */
export type Manifest = Record<string, { rows: number; sha256: string }>;

export const END = '\\.';

/** Counts and hashes rows by table while they are written or read. */
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

/** Reads an archive's text from chunks: single lines, or the lines of a section in slices. */
export class ArchiveReader {
  private readonly source: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  private isEnded = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** Returns the next line without its line break, or undefined at the end of the file. */
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

  /** Yields the lines of a section in slices of complete lines. */
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

  /** Throws if there is any data after the manifest, because an archive ends with its manifest. */
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

/** Returns the start of the line `\.`, or undefined if that line has not been read yet. */
function endOfSection(text: Buffer): number | undefined {
  if (text.subarray(0, atOnce.length).equals(atOnce)) return 0;
  const at = text.indexOf(terminator);
  return at === -1 ? undefined : at + 1;
}

/**
 * Returns the number of bytes in complete lines that can be passed on. The last line is held back, so that the end of a
 * section is always at the start of the remaining text or after one of its lines.
 */
function wholeLines(text: Buffer): number {
  return text.lastIndexOf(NEWLINE) + 1;
}
