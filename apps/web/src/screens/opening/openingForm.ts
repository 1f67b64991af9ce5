import type { OpeningBalances, OpeningDocument, OpeningInput, OpeningList } from '@evenkeel/contract/opening';
import {
  type AccountTypeInfo,
  isControlAccount,
  OPENING_BALANCE_EQUITY,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from '@evenkeel/core/books/accounts';
import { checkOpeningDocument } from '@evenkeel/core/books/opening';
import { daysBetween, type IsoDate, isoDate } from '@evenkeel/core/dates';
import { type FieldMessages, present } from '@evenkeel/core/failure';
import { type Cents, cents, negate, sum, ZERO } from '@evenkeel/core/money';

/** The lists of open documents on the screen. Credits of customers and vendors are in one list. */
export const GRIDS = ['invoices', 'bills', 'credits'] as const;
export type Grid = (typeof GRIDS)[number];

/** A row in a grid: an open document. */
export interface OpenRow {
  key: number;
  /** The ID of the posted document, or 0 for a new one. */
  id: number;
  entityId: number | null;
  /** The name of the customer or vendor, if it was loaded or pasted. */
  name: string;
  /** Whether a credit belongs to a vendor. */
  isVendor: boolean;
  number: string;
  date: IsoDate | null;
  dueDate: IsoDate | null;
  accountId: number | null;
  scenarioId: number | null;
  unpaid: Cents | null;
  /** The messages about pasted text that was not understood. */
  told?: string | undefined;
  /** The posted document. If it has several lines, saving the form doesn't change them. */
  posted?: OpeningDocument | undefined;
}

/** The balance of an account. At most one side has an amount. */
export interface OpenBalance {
  debit: Cents | null;
  credit: Cents | null;
}

export interface OpeningForm {
  date: IsoDate | null;
  balances: Readonly<Record<number, OpenBalance>>;
  invoices: readonly OpenRow[];
  bills: readonly OpenRow[];
  credits: readonly OpenRow[];
  rowVersion: number;
}

const NONE: OpenBalance = { debit: null, credit: null };

/** Returns an empty row, which every grid has at its end. */
export function emptyRow(key: number, grid: Grid): OpenRow {
  return {
    key,
    id: 0,
    entityId: null,
    name: '',
    isVendor: grid === 'bills',
    number: '',
    date: null,
    dueDate: null,
    accountId: null,
    scenarioId: null,
    unpaid: null,
  };
}

/** Returns whether nothing was entered in a row. */
export function isEmptyRow({ key: _, isVendor: __, ...row }: OpenRow): boolean {
  return Object.values(row).every((value) => value === null || value === '' || value === 0 || value === undefined);
}

/** Returns the rows of a grid that aren't empty. */
export const rowsOf = (form: OpeningForm, grid: Grid): OpenRow[] => form[grid].filter((row) => !isEmptyRow(row));

/** Returns the rows with an empty row at the end. */
export function withLast(rows: readonly OpenRow[], grid: Grid): readonly OpenRow[] {
  const last = rows.at(-1);
  if (last !== undefined && isEmptyRow(last)) return rows;
  return [...rows, emptyRow(nextKey(rows), grid)];
}

export const nextKey = (rows: readonly OpenRow[]): number => Math.max(0, ...rows.map(({ key }) => key)) + 1;

/** Returns the form for the posted balances, or an empty form with a date. */
export function formOf(posted: OpeningBalances, date: IsoDate): OpeningForm {
  const rows = (lists: readonly [readonly OpeningDocument[], boolean][], grid: Grid) =>
    withLast(lists.flatMap(([list, isVendor]) => list.map((one) => ({ one, isVendor }))).map(rowOf), grid);
  return {
    date: posted.date ?? date,
    balances: Object.fromEntries(posted.accounts.map(({ accountId, amount }) => [accountId, balanceOf(amount)])),
    invoices: rows([[posted.invoices, false]], 'invoices'),
    bills: rows([[posted.bills, true]], 'bills'),
    credits: rows(
      [
        [posted.customerCredits, false],
        [posted.vendorCredits, true],
      ],
      'credits',
    ),
    rowVersion: posted.rowVersion,
  };
}

function rowOf({ one, isVendor }: { one: OpeningDocument; isVendor: boolean }, at: number): OpenRow {
  return {
    key: at + 1,
    id: one.id,
    entityId: one.entityId,
    name: one.displayName,
    isVendor,
    number: one.number,
    date: one.date,
    dueDate: one.dueDate,
    accountId: one.lineItems[0]?.accountId ?? null,
    scenarioId: one.salesTaxScenario,
    unpaid: one.unpaidAmount,
    posted: one,
  };
}

const balanceOf = (amount: Cents): OpenBalance =>
  amount < 0 ? { debit: null, credit: negate(amount) } : { debit: amount, credit: null };

/** Returns the balance as debits less credits. */
const amountOf = ({ debit, credit }: OpenBalance): Cents => cents((debit ?? 0) - (credit ?? 0));

/** Returns the form with an amount on one side of an account, which clears the other side. */
export function withBalance(form: OpeningForm, accountId: number, side: keyof OpenBalance, amount: Cents | null) {
  const before = form.balances[accountId] ?? NONE;
  // Clearing one side doesn't change the other.
  const other = amount === null ? before : NONE;
  return { ...form, balances: { ...form.balances, [accountId]: { ...other, [side]: amount } } };
}

/** Returns the form with a change to a row of a grid. */
export function withRow(form: OpeningForm, grid: Grid, key: number, patch: Partial<OpenRow>): OpeningForm {
  const rows = form[grid].map((row) => (row.key === key ? { ...row, told: undefined, ...patch } : row));
  return { ...form, [grid]: withLast(rows, grid) };
}

/** Returns the form without a row of a grid. */
export function withoutRow(form: OpeningForm, grid: Grid, key: number): OpeningForm {
  return {
    ...form,
    [grid]: withLast(
      form[grid].filter((row) => row.key !== key),
      grid,
    ),
  };
}

/** The fields that Ctrl+D copies from the row above, by cell name. */
const COPIED: Readonly<Record<string, readonly (keyof OpenRow)[]>> = {
  party: ['entityId', 'name', 'isVendor'],
  number: ['number'],
  date: ['date'],
  due: ['dueDate'],
  account: ['accountId'],
  tax: ['scenarioId'],
  unpaid: ['unpaid'],
};

/** Returns the form with a cell copied from the row above. */
export function copiedDown(form: OpeningForm, grid: Grid, { key, cell }: { key: number; cell: string }): OpeningForm {
  const at = form[grid].findIndex((row) => row.key === key);
  const above = form[grid][at - 1];
  if (above === undefined) return form;
  const patch = Object.fromEntries((COPIED[cell] ?? []).map((field) => [field, above[field]]));
  return withRow(form, grid, key, patch);
}

export interface Figures {
  debits: Cents;
  credits: Cents;
  receivable: Cents;
  payable: Cents;
  /**
   * The remaining balance of opening balance equity, as debits less credits, and the amount that the user entered for
   * that account.
   */
  equity: Cents;
  stated: Cents;
  /** The open receivables by age on the date of the opening balances. */
  aging: { current: Cents; days30: Cents; days60: Cents; older: Cents };
}

const total = (rows: readonly OpenRow[]): Cents => sum(rows.map(({ unpaid }) => unpaid ?? ZERO));

/** Returns the totals for the bar at the bottom. Receivables count as debits, and payables as credits. */
export function figuresOf(form: OpeningForm): Figures {
  const credits = rowsOf(form, 'credits');
  const receivable = cents(total(rowsOf(form, 'invoices')) - total(credits.filter(({ isVendor }) => !isVendor)));
  const payable = cents(total(rowsOf(form, 'bills')) - total(credits.filter(({ isVendor }) => isVendor)));
  const { [OPENING_BALANCE_EQUITY]: own = NONE, ...others } = form.balances;
  const amounts = Object.values(others).map(amountOf);
  const all = [...amounts, receivable, negate(payable), amountOf(own)];
  return {
    debits: sum(all.filter((amount) => amount > 0)),
    credits: negate(sum(all.filter((amount) => amount < 0))),
    receivable,
    payable,
    equity: negate(sum([...amounts, receivable, negate(payable)])),
    stated: amountOf(own),
    aging: agingOf(form),
  };
}

function agingOf(form: OpeningForm): Figures['aging'] {
  const { date } = form;
  const late = ({ date: own, dueDate }: OpenRow): number =>
    date === null || own === null ? 0 : daysBetween(dueDate ?? own, date);
  const invoices = rowsOf(form, 'invoices');
  const between = (from: number, to: number) => total(invoices.filter((row) => late(row) >= from && late(row) <= to));
  return {
    current: between(-1_000_000, 0),
    days30: between(1, 30),
    days60: between(31, 60),
    older: between(61, 1_000_000),
  };
}

/** The date used to validate a row if the form has no date yet. */
const FIRST = isoDate('1970-01-01');

/** Returns the messages about a row by its cell, or an empty object. */
export function checkRow(row: OpenRow, grid: Grid, date: IsoDate | null): FieldMessages {
  if (isEmptyRow(row)) return {};
  const fields: FieldMessages = {};
  const word = row.isVendor ? 'Vendor' : 'Customer';
  if (row.entityId === null) fields['party'] = row.told ?? `Please Select a ${word}`;
  if (row.accountId === null && !hasSeveralLines(row)) fields['account'] = 'Please Select an Account';
  const { number, unpaid } = row;
  if (row.date === null) fields['date'] = 'Please enter a date';
  const dated = {
    date: row.date ?? date ?? FIRST,
    dueDate: row.date === null || grid === 'credits' ? null : row.dueDate,
  };
  const given = { ...dated, number, unpaid: unpaid ?? ZERO, original: null };
  const { unpaidAmount, ...others } = checkOpeningDocument(given, date);
  return {
    ...fields,
    ...(others['number'] && { number: others['number'] }),
    ...(others['date'] && { date: others['date'] }),
    ...(others['dueDate'] && { due: others['dueDate'] }),
    ...(unpaidAmount && { unpaid: unpaidAmount }),
    ...(row.told !== undefined && { told: row.told }),
  };
}

/**
 * Returns whether a posted document has several lines or is partly settled. The grid shows such a document but doesn't
 * change it.
 */
export function hasSeveralLines({ posted }: OpenRow): boolean {
  if (posted === undefined) return false;
  const original = sum([...posted.lineItems, ...posted.taxItems].map(({ amount }) => amount));
  return posted.lineItems.length > 1 || original !== posted.unpaidAmount;
}

/** Returns the number of rows with messages. */
export function rowsToFix(form: OpeningForm): number {
  return GRIDS.flatMap((grid) => rowsOf(form, grid).filter((row) => hasFaults(row, grid, form.date))).length;
}

const hasFaults = (row: OpenRow, grid: Grid, date: IsoDate | null): boolean =>
  Object.keys(checkRow(row, grid, date)).length > 0;

/** Returns the default account for a credit: the unapplied cash account on its side. */
export const creditAccount = (isVendor: boolean): number => (isVendor ? UNAPPLIED_CASH_EXPENSE : UNAPPLIED_CASH_INCOME);

type Documents = OpeningInput['invoices'];

/** The lists in the request that a grid's rows belong to. */
export function listOf(grid: Grid, { isVendor }: Pick<OpenRow, 'isVendor'>): OpeningList {
  if (grid !== 'credits') return grid;
  return isVendor ? 'vendorCredits' : 'customerCredits';
}

/** Returns the request for a form that has no messages. */
export function requestOf(form: OpeningForm): OpeningInput {
  const of = (grid: Grid, list: OpeningList): Documents =>
    rowsOf(form, grid)
      .filter((row) => listOf(grid, row) === list)
      .map(documentOf);
  return {
    date: present(form.date, 'date'),
    accounts: Object.entries(form.balances).flatMap(([id, balance]) => {
      const amount = amountOf(balance);
      return amount === 0 ? [] : [{ accountId: Number(id), amount }];
    }),
    invoices: of('invoices', 'invoices'),
    bills: of('bills', 'bills'),
    customerCredits: of('credits', 'customerCredits'),
    vendorCredits: of('credits', 'vendorCredits'),
  };
}

function documentOf(row: OpenRow): Documents[number] {
  const { posted } = row;
  const keepsLines = posted !== undefined && hasSeveralLines(row);
  return {
    id: row.id,
    entityId: row.entityId ?? 0,
    number: row.number,
    date: present(row.date, 'date'),
    dueDate: row.dueDate,
    unpaidAmount: row.unpaid ?? ZERO,
    salesTaxScenario: row.scenarioId,
    lineItems: keepsLines ? posted.lineItems : [{ accountId: row.accountId ?? 0 }],
    ...(keepsLines && { taxItems: posted.taxItems }),
  };
}

/** Returns the grid, row, and cell that a message's path, such as "invoices.3.number", refers to. */
export function placeOfFault(form: OpeningForm, path: string): { grid: Grid; key: number; cell: string } | undefined {
  const [list = '', at = '', ...field] = path.split('.');
  for (const grid of GRIDS) {
    const own = rowsOf(form, grid).filter((row) => listOf(grid, row) === list);
    const row = own[Number(at)];
    if (row !== undefined) return { grid, key: row.key, cell: CELLS[field.join('.')] ?? 'told' };
  }
  return undefined;
}

const CELLS: Readonly<Record<string, string>> = {
  entityId: 'party',
  number: 'number',
  date: 'date',
  dueDate: 'due',
  'lineItems.0.accountId': 'account',
  salesTaxScenario: 'tax',
  unpaidAmount: 'unpaid',
};

/** Returns whether the user enters a balance for an account. Receivables and payables come from the documents. */
export const isEntered = (info: AccountTypeInfo | undefined): boolean => info !== undefined && !isControlAccount(info);
