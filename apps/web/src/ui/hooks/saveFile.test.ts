// @vitest-environment jsdom
import '../../testing/setup.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { printPage } from './printing.ts';
import { saveFile } from './saveFile.ts';

let saved: string[];

beforeEach(() => {
  saved = [];
  vi.useFakeTimers();
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('2 to 8 clicks 0 to 400 ms apart save one file, and a later click or another file starts a new download', () => {
  for (const gap of [0, 5, 60, 400]) {
    saved = [];
    for (let press = 0; press < 8; press += 1) {
      saveFile('Books.csv', ['a,b']);
      vi.advanceTimersByTime(gap);
    }
    expect(saved, `${gap} ms apart`).toEqual(['Books.csv']);
    vi.advanceTimersByTime(1000);
  }
  saved = [];
  saveFile('Scan.pdf', ['first scan']);
  saveFile('Scan.pdf', ['another scan']);
  saveFile('Books.csv', ['a,b']);
  vi.advanceTimersByTime(1000);
  saveFile('Books.csv', ['a,b']);
  expect(saved).toEqual(['Scan.pdf', 'Scan.pdf', 'Books.csv', 'Books.csv']);
});

it('two clicks print the page once', () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  printPage();
  printPage();
  expect(print).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1000);
  printPage();
  expect(print).toHaveBeenCalledTimes(2);
});

it('every download and printout goes through the functions that ignore repeated clicks', () => {
  const root = join(import.meta.dirname, '../..');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\./.test(path),
  );
  const direct = sources.filter((path) =>
    /\.download = |window\.print\(|\bdownload[={]/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(direct.toSorted()).toEqual(['ui/hooks/printing.ts', 'ui/hooks/saveFile.ts']);
});
