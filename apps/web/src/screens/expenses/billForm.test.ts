import { ExpenseInvoice, ExpenseInvoiceInput } from '@evenkeel/contract/expenses';
import { decode, encode } from '@evenkeel/contract/wire';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { draftOf, withLine, withoutLine } from '../../parts/documents/entry/lineForm.ts';
import { draftIn } from '../../records/useRecordForm.ts';
import { BILL_ENTRY, type BillForm, billFormTotal, type BillLine, postingDateOf } from './billForm.ts';
import { wireBill } from './testing/bill.ts';

const TODAY = isoDate('2026-05-26');
const { blankLine, faults, input, isChanged, lineFaults, schema, withDate } = BILL_ENTRY;
const SAVED = BILL_ENTRY.formOf(decode(ExpenseInvoice, wireBill()));

function line(change: Partial<BillLine> = {}): BillLine {
  return { ...blankLine([], SAVED), description: 'Fuel', accountId: 160, amount: cents(4000), ...change };
}
const bill = (change: Partial<BillForm> = {}): BillForm => ({ ...BILL_ENTRY.blank(TODAY), vendorId: 9, ...change });

it('a draft that was saved before a field existed gets the default value for it and keeps its lines', () => {
  const { creditLine, ...older } = line();
  const kept: Record<string, unknown> = { ...bill({ lines: [line()] }), invoiceDate: '2026-05-20' };
  delete kept['postToVendorAccount'];
  const back = draftIn(draftOf(schema), kept, { ...SAVED, dueDate: TODAY });
  expect(back).toEqual({ ...kept, postToVendorAccount: true });
  expect(back && [postingDateOf(back), 'dueDate' in back]).toEqual(['2026-05-20', false]);
  for (const strange of [{ ...kept, lines: [older] }, [], null, 'text', creditLine]) {
    expect(draftIn(draftOf(schema), strange, SAVED)).toBeUndefined();
  }
});

it('an empty bill shows a message for each missing value, and an immediate payment needs an account', () => {
  expect(faults(BILL_ENTRY.blank(TODAY), { useLocations: true })).toEqual({
    vendorId: 'Please Select a Vendor',
    invoiceNumber: 'Invoice Number is Required',
    locationId: 'Please Select a Location',
    lineItems: 'At least one line item is required',
  });
  const atOnce = bill({ invoiceNumber: 'A-1', lines: [line()], postToVendorAccount: false });
  expect(faults(atOnce, {})).toEqual({ bankAccountId: 'Please Select a Cash Account' });
});

it('a bill line shows each message in its column', () => {
  const empty = line({ description: ' ', accountId: null, amount: null });
  expect(lineFaults(empty, { useProfitCenters: true })).toEqual({
    description: 'A description entry is required',
    accountId: 'Please Select an Account',
    profitCenterId: 'Please Select a Profit Center',
    amount: 'Please enter an amount',
  });
  expect(lineFaults(line({ amount: cents(-100) }), {})).toEqual({
    amount: "The amount can't be negative. Mark the line as a credit item instead.",
  });
});

it('120.00 less a credit line of 20.00 totals 100.00, and a bill with only credit lines is negative', () => {
  const working = line({ creditLine: true, amount: cents(2000) });
  expect(billFormTotal({ ...SAVED, working })).toBe(10000);
  expect(billFormTotal(bill({ lines: [working] }))).toBe(-2000);
});

it("a form with a changed line or field can be saved, but an unchanged or reverted form can't", () => {
  expect(isChanged(SAVED, SAVED, 30)).toBe(false);
  const later = withDate(SAVED, isoDate('2026-05-20'), 30);
  const changes: Partial<BillForm>[] = [
    { invoiceNumber: 'B-2' },
    { vendorId: 10 },
    { dueDate: isoDate('2026-07-01') },
    { postingDate: isoDate('2026-06-01') },
    { lines: [] },
    { working: line() },
    later,
  ];
  expect(changes.map((change) => isChanged({ ...SAVED, ...change }, SAVED, 30))).toEqual(changes.map(() => true));
  expect(isChanged(withDate(later, SAVED.invoiceDate, 30), SAVED, 30)).toBe(false);
  expect(isChanged(withoutLine({ ...SAVED, lines: withLine(SAVED.lines, line()) }, -1), SAVED, 30)).toBe(false);
  expect(isChanged(withoutLine(SAVED, 91), SAVED, 30)).toBe(true);
});

it('the posting date and due date change with the invoice date until they are edited', () => {
  const moved = withDate(bill(), isoDate('2026-06-01'), 10);
  expect([postingDateOf(moved), input(moved, 0, '').dueDate]).toEqual(['2026-06-01', undefined]);
  const typed = { ...bill(), postingDate: isoDate('2026-05-01') };
  expect(postingDateOf(withDate(typed, isoDate('2026-06-01'), 10))).toBe('2026-05-01');
});

it('a request flags credit lines, marks removed lines as deleted, and names the account for immediate payment', () => {
  const changed = withoutLine({ ...SAVED, lines: withLine(SAVED.lines, line({ creditLine: true })) }, 91);
  expect(encode(ExpenseInvoiceInput, input({ ...changed, bankAccountId: 1 }, 36, 'Agreed'))).toMatchObject({
    id: 36,
    rowVersion: 1,
    bankAccountId: null,
    closingOverrideReason: 'Agreed',
    lineItems: [
      { lineItemAmount: 40, creditLine: true, accountId: 160 },
      { id: 91, deleted: true },
    ],
  });
  expect(input({ ...changed, postToVendorAccount: false, bankAccountId: 1 }, 36, '').bankAccountId).toBe(1);
});
