import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { throughFile } from './through-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-through-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const silent = (error: unknown): never => {
  throw error;
};

test('a writer does not wait for its reader, the reader gets every byte, and no file is left behind', async () => {
  const texts = Array.from({ length: 9 }, (_, at) => `${at} Zoë 🙂 `.repeat(20_000));
  let made = (): void => undefined;
  const isMade = new Promise<void>((resolve) => (made = resolve));
  const reader = throughFile(
    join(folder, 'new'),
    async (write) => {
      for (const text of texts) await write(text);
      made();
    },
    silent,
  );
  const parts = [(await reader.next()).value as Buffer];
  await isMade;
  expect(await readdir(join(folder, 'new'))).toEqual([]);
  for await (const part of reader) parts.push(part);
  expect(Buffer.concat(parts).toString()).toBe(texts.join(''));
});

test('if a reader disconnects, the writer stops', async () => {
  let ended: unknown;
  const reader = throughFile(
    folder,
    async (write) => {
      try {
        for (;;) await write('on and on');
      } catch (error) {
        ended = error;
        throw error;
      }
    },
    silent,
  );
  await reader.next();
  await reader.return(undefined);
  expect(ended).toBeInstanceOf(Error);
});

test('an early failure is thrown, and a failure after the first bytes is both thrown and reported', async () => {
  const told: unknown[] = [];
  const failing = (text: string) =>
    throughFile(
      folder,
      async (write) => {
        await write(text);
        throw new Error('no disk');
      },
      (error) => void told.push(error),
    );
  await expect(failing('').next()).rejects.toThrow('no disk');
  expect(told).toEqual([]);
  const reader = failing('a part');
  expect(String((await reader.next()).value)).toBe('a part');
  await expect(reader.next()).rejects.toThrow('no disk');
  expect(told).toMatchObject([{ message: 'no disk' }]);
});
