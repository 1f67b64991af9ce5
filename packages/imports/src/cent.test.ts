import { Dice } from '@evenkeel/core/dice';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { read } from './read.ts';
import { testCompany } from './testing/company.ts';
import { type Dialect, dialects } from './testing/dialects.ts';
import { styleOf } from './testing/files.ts';
import type { ImportFile } from './zip.ts';

/** The number of amounts to change in each dialect: a few by default, 1,000 in a torture run. */
const PLACES = Math.min(1000, Number(process.env['TORTURE_RUNS'] ?? 4));
const TRANSACTIONS = PLACES > 100 ? 300 : 80;

const AMOUNT = /^-?\$?-?\(?[\d,]+\.\d\d\)?$/;
const PLAIN = { isWorkbook: false, encoding: 'utf-8', newline: '\n' } as const;

/** Returns text in which the last digit of an amount is replaced with another digit. */
function offByOneCent(text: string): string {
  return text.replace(
    /(\d)(\D*)$/,
    (_, digit: string, rest: string) => `${digit === '9' ? '8' : Number(digit) + 1}${rest}`,
  );
}

/** Returns the first file with one amount changed by one cent, and the row that contains the amount. */
function changed(files: readonly ImportFile[], dice: Dice, dialect: Dialect): { files: ImportFile[]; row: number } {
  const [file, ...others] = files;
  if (file === undefined) throw new Error('no file');
  const text = new TextDecoder().decode(file.bytes);
  const write = (content: string): ImportFile[] => [
    { name: file.name, bytes: new TextEncoder().encode(content) },
    ...others,
  ];
  if (dialect.name === 'hledger') {
    const lines = text.split('\n');
    // If one amount in a transaction is derived from the others, a changed amount causes no contradiction.
    const isElided = (line: string): boolean => /^ +\S/.test(line) && !line.includes('$');
    const starts = lines.map((_, at) => lines.lastIndexOf('', at));
    const elided = new Set(lines.flatMap((line, at) => (isElided(line) ? [starts[at]] : [])));
    const places = lines.flatMap((line, at) =>
      /^ +\S.*\$-?[\d,]+\.\d\d/.test(line) && !elided.has(starts[at]) ? [at] : [],
    );
    const at = dice.any(places) ?? 0;
    // A posting may have both an amount and a balance.
    const amounts = [...(lines[at] ?? '').matchAll(/\$-?[\d,]+\.\d\d/g)];
    const one = dice.any(amounts);
    const start = one?.index ?? 0;
    const word = one?.[0] ?? '';
    lines[at] =
      `${(lines[at] ?? '').slice(0, start)}${offByOneCent(word)}${(lines[at] ?? '').slice(start + word.length)}`;
    return { files: write(lines.join('\n')), row: at + 1 };
  }
  const delimiter = file.name.endsWith('.iif') ? '\t' : ',';
  const { data } = Papa.parse<string[]>(text.trimEnd(), { delimiter });
  const isList = (row: readonly string[]): boolean => /^(ACCNT|!)/.test(row[0] ?? '');
  const isEstimate = (row: readonly string[]): boolean => row[2] === 'ESTIMATES';
  const places = data.flatMap((row, at) =>
    isList(row) || isEstimate(row)
      ? []
      : row.flatMap((cell, column) => (AMOUNT.test(cell) ? [[at, column] as const] : [])),
  );
  const [at, column] = dice.any(places) ?? [0, 0];
  const row = data[at] ?? [];
  row[column] = offByOneCent(row[column] ?? '');
  return { files: write(Papa.unparse(data, { delimiter, newline: '\n' })), row: at + 1 };
}

describe.each(dialects)('$name', (dialect) => {
  it(`rejects a file if one amount is changed by one cent, and reports the row (${PLACES} places)`, () => {
    const dice = new Dice(7 + dialects.indexOf(dialect));
    const company = testCompany(11, TRANSACTIONS);
    const style = { ...styleOf(3), ...PLAIN };
    const files = dialect.write(company, style);
    expect(read(files).books.refusals).toEqual([]);
    for (let place = 0; place < PLACES; place += 1) {
      const { files: wrong, row } = changed(files, dice, dialect);
      const [refusal] = read(wrong).books.refusals;
      expect(refusal).toBeDefined();
      expect(refusal?.rows ?? [refusal?.row]).toContain(row);
      expect(refusal?.text).toContain(`${wrong[0]?.name}, row`);
    }
  });
});
