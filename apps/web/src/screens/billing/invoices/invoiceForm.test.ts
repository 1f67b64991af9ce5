import { BillingInvoice, BillingInvoiceInput } from '@evenkeel/contract/billing';
import { decode, encode } from '@evenkeel/contract/wire';
import { isoDate } from '@evenkeel/core/dates';
import { OPEN } from '@evenkeel/core/documents/invoice';
import { cents, decimal } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { type EntryForm, type EntryLine, entryTotals, INVOICE_ENTRY } from './invoiceForm.ts';
import { taxName } from '../../../parts/documents/entry/DocumentTotals.tsx';
import { draftOf, dueOf, overTheirs, withLine, withoutLine, workOf } from '../../../parts/documents/entry/lineForm.ts';
import { ratesOf } from './taxRates.ts';
import { wireInvoice } from '../testing/answers.tsx';

const TODAY = isoDate('2026-05-26');
const { blankLine, faults, formOf, input, isBlankLine, lineFaults, withDate } = INVOICE_ENTRY;
const RATES = [
  { id: 1, label: 'State tax', salesTaxType: 0, percentage: decimal('5.75') },
  { id: 2, label: '', salesTaxType: 2, percentage: decimal(1) },
];

const blankEntry = (customerId: number): EntryForm => ({ ...INVOICE_ENTRY.blank(TODAY), customerId });

function line(change: Partial<EntryLine> = {}): EntryLine {
  const blank = blankLine([], blankEntry(5));
  return { ...blank, description: 'Mowing', price: cents(18500), quantity: 4, accountId: 141, ...change };
}

const EntryDraft = draftOf(INVOICE_ENTRY.schema);
const formWith = (...lines: EntryLine[]): EntryForm => ({ ...blankEntry(5), lines });

it('a line without a description or an account shows both messages, and a line with a product needs no account', () => {
  expect(lineFaults(line({ description: ' ', accountId: null }), {})).toEqual({
    description: 'A description entry is required',
    accountId: 'Please Select an Account',
  });
  expect(lineFaults(line({ productId: 24, accountId: null }), {})).toEqual({});
});

it('an invoice requires a profit center and a location only if the settings for them are on', () => {
  expect(lineFaults(line(), { useProfitCenters: false, useLocations: false })).toEqual({});
  expect(lineFaults(line(), { useProfitCenters: true, useLocations: true })).toEqual({
    profitCenterId: 'Please Select a Profit Center',
    locationId: 'Please Select a Location',
  });
});

it('a line requires a price and a quantity, and shows the price message at the price field', () => {
  expect(lineFaults(line({ price: null, quantity: null }), {})).toEqual({
    price: 'Please enter a price',
    quantity: 'Please enter a quantity',
  });
});

it("an invoice needs a customer, a date, and a line, but a draft doesn't need a line", () => {
  const empty = { ...formWith(), customerId: null, invoiceDate: null };
  expect(faults(empty, {})).toEqual({
    customerId: 'Please Select a Customer',
    invoiceDate: 'Please enter a date',
    lineItems: 'Add at least one line item to the invoice',
  });
  expect(faults({ ...formWith(), status: 1 }, {})).toEqual({});
});

it('4 × 185.00 taxable and 2 × 145.00 total 1,030.00, or 1,079.95 with 42.55 state and 7.40 county tax', () => {
  const lines = [line({ taxable: true }), line({ id: -2, price: cents(14500), quantity: 2 })];
  const totals = entryTotals(lines, RATES);
  expect(totals.subtotal).toBe(103000);
  expect(totals.priced?.taxItems.map((item) => item.total)).toEqual([4255, 740]);
  expect(totals.priced?.invoiceAmount).toBe(107995);
  expect(RATES.map(taxName)).toEqual(['State tax 5.75%', 'County tax 1.00%']);
});

it('a total of -5.00 is rejected with a message, and if tax rates are unknown, only the subtotal is shown', () => {
  const credit = line({ price: cents(-500), quantity: 1 });
  expect(entryTotals([credit], [])).toEqual({
    subtotal: -500,
    priced: undefined,
    problem: 'Invoice total cannot be negative',
  });
  expect(entryTotals([line()], undefined)).toEqual({ subtotal: 74000, priced: undefined, problem: undefined });
});

it("exempt customers have no rates, the customer's scenario takes precedence, and rates depend on the date", () => {
  const rates = [{ from: isoDate('2026-05-27'), percentage: decimal(9) }];
  const item = { deleted: false, displayLabel: '', displayValue: '', rates };
  const scenario = (id: number, label: string) => ({
    id,
    name: '',
    glAccountId: 1,
    filingFrequency: 0,
    taxRounding: 'combined' as const,
    rowVersion: 1,
    salesTaxItems: [{ ...item, id, label, salesTaxType: 0, percentage: decimal(id) }],
  });
  const sources = {
    form: formWith(),
    saved: undefined,
    scenarios: [scenario(1, 'A'), scenario(2, 'B')],
  };
  const labels = (customer: Parameters<typeof ratesOf>[0]['customer']) =>
    ratesOf({ ...sources, customer })?.map((rate) => rate.label);
  expect(labels(undefined)).toBeUndefined();
  expect(labels({ taxExempt: true, salesTaxScenarioId: 2 })).toEqual([]);
  expect(labels({ taxExempt: false, salesTaxScenarioId: 2 })).toEqual(['B']);
  expect(labels({ taxExempt: false, salesTaxScenarioId: null })).toEqual(['A']);
  const saved = decode(BillingInvoice, wireInvoice());
  const customer = { taxExempt: false, salesTaxScenarioId: null };
  expect(ratesOf({ ...sources, customer, saved, form: formOf(saved) })).toEqual([]);
  const moved = withDate(formOf(saved), isoDate('2026-05-27'), 30);
  expect(ratesOf({ ...sources, customer, saved, form: moved })).toMatchObject([
    { label: 'A', percentage: decimal(9), combined: true },
  ]);
  const earlier = withDate(formOf(saved), isoDate('2026-05-25'), 30);
  expect(ratesOf({ ...sources, customer, saved, form: earlier })).toMatchObject([
    { label: 'A', percentage: decimal(1) },
  ]);
});

it("an unedited due date follows the customer's terms in the form, but the server calculates it", () => {
  const form = { ...blankEntry(7), lines: [line()] };
  expect([dueOf(form, 30), dueOf(form, 10)]).toEqual(['2026-06-25', '2026-06-05']);
  const moved = withDate(form, isoDate('2026-06-01'), 30);
  expect([dueOf(moved, 30), input(moved, 0, '').dueDate]).toEqual(['2026-07-01', undefined]);
  const typed = { ...form, dueDate: isoDate('2026-06-10') };
  expect(dueOf(withDate(typed, isoDate('2026-06-01'), 30), 30)).toBe('2026-06-10');
  expect(dueOf({ ...form, dueDate: null }, 30)).toBeNull();
  const saved = { ...form, dueDate: isoDate('2026-06-25') };
  expect(dueOf(withDate(saved, isoDate('2026-06-01'), 30), 30)).toBe('2026-07-01');
});

it('a draft is restored with its unfinished line among the lines, and an invalid draft is rejected', () => {
  const typed = line({ id: -2, description: 'Half typed', price: null });
  const kept: unknown = JSON.parse(JSON.stringify({ ...formWith(line()), working: typed }));
  expect(EntryDraft.safeParse(kept)).toMatchObject({
    data: { lines: [{ description: 'Mowing' }, { description: 'Half typed' }] },
  });
  expect(EntryDraft.safeParse({ lines: 'none' }).success).toBe(false);
  expect(EntryDraft.safeParse({ ...formWith(), invoiceDate: '2026-02-30' }).success).toBe(false);
});

it('an empty new line or an unchanged saved line counts as unfinished only after it is edited', () => {
  const form = formWith(line());
  const blank = blankLine(form.lines, form);
  expect(blank.id).toBe(-2);
  expect(workOf(blank, form.lines, isBlankLine)).toBeNull();
  expect(workOf(form.lines[0], form.lines, isBlankLine)).toBeNull();
  expect(workOf({ ...blank, description: 'a' }, form.lines, isBlankLine)?.description).toBe('a');
});

it('a removed saved line is sent as deleted, and a removed new line is omitted', () => {
  const form = formOf(decode(BillingInvoice, wireInvoice()));
  const changed = withoutLine(withoutLine({ ...form, lines: withLine(form.lines, line()) }, 361), -1);
  const sent = encode(BillingInvoiceInput, input(changed, 36, 'Agreed with the auditor'));
  expect(sent).toMatchObject({
    id: 36,
    rowVersion: 1,
    closingOverrideReason: 'Agreed with the auditor',
    lineItems: [{ id: 361, deleted: true }],
  });
});

it("overwriting another user's version recreates lines that they removed and removes lines that they added", () => {
  const mine = formOf(decode(BillingInvoice, wireInvoice()));
  const [first] = wireInvoice().lineItems;
  const theirs = decode(BillingInvoice, wireInvoice({ rowVersion: 4, lineItems: [{ ...first, id: 400 }] }));
  const merged = overTheirs(mine, theirs);
  expect(merged.rowVersion).toBe(4);
  expect(merged.lines.map((one) => one.id)).toEqual([-1]);
  expect(merged.removed).toEqual([400]);
});

it("a copy has today's date, no line IDs or row version, no payments, and dates based on the terms", () => {
  const saved = decode(BillingInvoice, wireInvoice());
  const from = formOf(saved);
  const copy = INVOICE_ENTRY.copyOf(saved, TODAY);
  expect(copy).toMatchObject({ customerId: 5, invoiceDate: TODAY, dueDate: undefined, rowVersion: null, removed: [] });
  expect(copy.lines.map(({ id }) => id)).toEqual(from.lines.map((_, at) => -1 - at));
  const termsOf = ({ description, price, quantity }: EntryLine) => [description, price, quantity];
  expect(copy.lines.map(termsOf)).toEqual(from.lines.map(termsOf));
  expect(copy.status).toBe(OPEN);
});
