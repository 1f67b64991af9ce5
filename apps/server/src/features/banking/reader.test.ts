import { afterEach, expect, test } from 'vitest';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { Reader, type ReaderLimits } from './reader.ts';
import { csv } from './testing/statement-files.ts';

let reader: Reader;
afterEach(() => reader.close());

const MAY = isoDate('2026-05-04');
const linesOf = (count: number): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(
    csv(Array.from({ length: count }, (_, at) => ({ date: addDays(MAY, at % 20), amount: at, text: 'SHOP' }))),
  );

/** Reads a file with the given number of lines. Returns the number of lines read, or the error. */
async function read(count: number, limits: Partial<ReaderLimits>): Promise<number | { code: string; fields: unknown }> {
  reader = new Reader(limits);
  return reader.read({ bytes: linesOf(count), options: {}, remembered: [] }).then(
    ({ statements }) => statements[0]?.lines.length ?? 0,
    ({ code, fields }: { code: string; fields: unknown }) => ({ code, fields }),
  );
}

test('a worker thread reads a statement file with 1,200 lines completely', async () => {
  expect(await read(1200, {})).toBe(1200);
});

test('a statement file that takes too long is rejected with a message', async () => {
  const documentId = 'The file takes too long to read. Export a shorter period, or use another format such as OFX.';
  expect(await read(1200, { longestMs: 1 })).toEqual({ code: 'rule', fields: { documentId } });
});

test('a statement file that needs too much memory is rejected with a message', async () => {
  const documentId =
    'The file takes too much memory to read. Export a shorter period, or use another format such as OFX.';
  expect(await read(90_000, { memoryMb: 24 })).toEqual({ code: 'rule', fields: { documentId } });
});
