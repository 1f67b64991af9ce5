/** The number of bytes in a chunk of text, and the number of integers in a chunk of numbers. */
const CHUNK = 1 << 18;
const CHUNK_BITS = 18;
const MAX_COMMON = 50_000;
const MAX_LENGTH = 60;
const LENGTH_BYTES = 3;

/** The contents of `Numbers` as plain data, which a thread can send. */
export interface NumbersData {
  chunks: Int32Array<ArrayBuffer>[];
  length: number;
}

/** Whole numbers between −2³¹ and 2³¹ − 1 in a list that grows without being copied. */
export class Numbers {
  readonly #chunks: Int32Array<ArrayBuffer>[];
  length: number;

  constructor({ chunks, length }: NumbersData = { chunks: [], length: 0 }) {
    this.#chunks = chunks;
    this.length = length;
  }

  data(): NumbersData {
    return { chunks: this.#chunks, length: this.length };
  }

  push(value: number): void {
    if (this.length % CHUNK === 0) this.#chunks.push(new Int32Array(CHUNK));
    this.set(this.length, value);
    this.length += 1;
  }

  at(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS]?.[index & (CHUNK - 1)] ?? 0;
  }

  set(index: number, value: number): void {
    const chunk = this.#chunks[index >>> CHUNK_BITS];
    if (chunk !== undefined) chunk[index & (CHUNK - 1)] = value;
  }
}

/** The contents of `Strings` as plain data, which a thread can send. */
export interface StringsData {
  common: string[];
  chunks: Uint8Array<ArrayBuffer>[];
  end: number;
}

/**
 * Stores strings compactly and identifies them by numbers. Strings that repeat are stored once, and all others
 * as bytes outside the program's heap. 0 means no string.
 */
export class Strings {
  readonly #common: string[];
  readonly #known = new Map<string, number>();
  readonly #chunks: Uint8Array<ArrayBuffer>[];
  /** The position of the next byte. Positions are counted across all chunks, whose unused ends are skipped. */
  #end: number;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor({ common, chunks, end }: StringsData = { common: [], chunks: [], end: 0 }) {
    this.#common = common;
    this.#chunks = chunks;
    this.#end = end;
  }

  data(): StringsData {
    return { common: this.#common, chunks: this.#chunks, end: this.#end };
  }

  /** Returns the number that identifies a string, or 0 for undefined. */
  keep(text: string | undefined): number {
    if (text === undefined) return 0;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (text.length <= MAX_LENGTH && this.#known.size < MAX_COMMON) {
      // A part of a long string would keep the whole string in memory, so the part is copied.
      const copy = this.#decoder.decode(this.#encoder.encode(text));
      this.#common.push(copy);
      this.#known.set(copy, this.#common.length);
      return this.#common.length;
    }
    return this.#append(text);
  }

  #append(text: string): number {
    // A UTF-16 unit takes at most 3 bytes.
    const room = text.length * 3 + LENGTH_BYTES;
    if (room > CHUNK) {
      this.#common.push(text);
      return this.#common.length;
    }
    if (this.#end % CHUNK === 0 || (this.#end % CHUNK) + room > CHUNK) {
      this.#end = this.#chunks.length * CHUNK;
      this.#chunks.push(new Uint8Array(CHUNK));
    }
    const [chunk, at] = [this.#chunks.at(-1), this.#end % CHUNK];
    if (chunk === undefined) throw new Error('the strings have no chunk');
    const { written } = this.#encoder.encodeInto(text, chunk.subarray(at + LENGTH_BYTES));
    for (let byte = 0; byte < LENGTH_BYTES; byte += 1) chunk[at + byte] = (written >> (8 * byte)) & 255;
    const name = -this.#end - 1;
    this.#end += LENGTH_BYTES + written;
    return name;
  }

  /** Returns the string that a number identifies, or undefined for 0. */
  text(name: number): string | undefined {
    if (name === 0) return undefined;
    if (name > 0) return this.#common[name - 1];
    const position = -name - 1;
    const [chunk, at] = [this.#chunks[position >>> CHUNK_BITS], position % CHUNK];
    if (chunk === undefined) return undefined;
    const length = (chunk[at] ?? 0) + (chunk[at + 1] ?? 0) * 256 + (chunk[at + 2] ?? 0) * 65_536;
    return this.#decoder.decode(chunk.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length));
  }
}
