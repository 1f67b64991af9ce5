import type { GlEntry } from '@evenkeel/contract/ledger';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { registerRows } from './registerRows.ts';

const ENTRY: GlEntry = {
  glid: 31,
  transactionID: 12,
  postingDate: isoDate('2026-06-01'),
  description: 'Invoice 2291',
  balance: cents(150),
  debitAmount: cents(50),
  creditAmount: null,
  accountID: 138,
  displayAccountLabel: 'A/R',
  profitcenterid: null,
  locationid: null,
  entityId: 5,
  entityName: 'Larkspur',
  basis: 1,
  sourceType: 'invoice',
  sourceId: 7,
  reverses: null,
  reversedBy: null,
  reconciliationId: null,
};

it('a register without a start date has no balance brought forward', () => {
  const rows = registerRows([ENTRY], { from: undefined, forward: cents(0) });
  expect(rows.map((row) => [row.id, row.name, row.description, row.withName, row.transactionId])).toEqual([
    ['31', 'Larkspur', 'Invoice 2291', 'Larkspur, Invoice 2291', 12],
  ]);
});

it('a register that starts on 6/1/2026 ends with 1.00 brought forward from 5/31/2026', () => {
  const from = isoDate('2026-06-01');
  expect(registerRows([ENTRY], { from, forward: undefined })).toHaveLength(1);
  const forward = registerRows([ENTRY], { from, forward: cents(100) }).at(-1);
  expect(forward).toMatchObject({ postingDate: '2026-05-31', description: 'Balance brought forward', balance: 100 });
  expect(forward?.transactionId).toBeUndefined();
});

it('a name that is already in the description is not repeated', () => {
  const [row] = registerRows([{ ...ENTRY, description: 'Paid by Larkspur' }], { from: undefined, forward: undefined });
  expect(row?.withName).toBe('Paid by Larkspur');
});
