import { Dice } from '@evenkeel/core/dice';
import { describe, expect, it } from 'vitest';
import { totalOf } from './entries.ts';
import { read } from './read.ts';
import { testCompany } from './testing/company.ts';
import { dialects } from './testing/dialects.ts';
import { styleOf } from './testing/files.ts';

/** The number of damaged files in each dialect. */
const ROUNDS = Number(process.env['TORTURE_RUNS'] ?? 0) > 0 ? 500 : 4;

const PIECES = [
  '"',
  ',',
  '\n',
  '\t',
  '0',
  '9',
  '-',
  '(',
  '$',
  '\0',
  'é',
  'Total',
  '<',
  '=',
  '1e9',
  '99999999999999999999',
];

describe.each(dialects)('$name', (dialect) => {
  it.each([true, false])(
    'a damaged file is rejected or has balanced transactions, and no error is thrown (workbook: %s)',
    (isWorkbook) => {
      const dice = new Dice(21 + dialects.indexOf(dialect));
      const company = testCompany(4, 60);
      const [file, ...others] = dialect.write(company, { ...styleOf(2), isWorkbook });
      const whole = file?.bytes ?? new Uint8Array();
      for (let round = 0; round < ROUNDS; round += 1) {
        const at = dice.between(0, whole.length - 1);
        const end = Math.min(whole.length, at + (dice.chance(50) ? 0 : dice.between(1, 400)));
        const piece = new TextEncoder().encode(dice.any(PIECES) ?? '');
        const bytes = new Uint8Array([...whole.subarray(0, at), ...piece, ...whole.subarray(end)]);
        const { books } = read([{ name: file?.name ?? '', bytes }, ...others]);
        if (books.refusals.length === 0)
          expect([...books.transactions].map(totalOf).filter((total) => total !== 0)).toEqual([]);
        for (const { text } of books.refusals) expect(text).toMatch(/^.+: \S.*/s);
      }
    },
  );
});
