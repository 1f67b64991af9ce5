import {
  ACCOUNT_INACTIVE,
  refusedOnLine,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from '@evenkeel/core/books/accounts';
import { checkOpeningDocument, openParts, withoutTax } from '@evenkeel/core/books/opening';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Cents, cents, negate, sum } from '@evenkeel/core/money';
import type { Asked } from './document.ts';
import type { References } from './documents.sql.ts';
import type { StoredOpening } from './settlement.sql.ts';
import { type FoundAccount, noteFault, referenceFault, refuseFaults } from '../ledger/references.ts';

/**
 * Documents that were open before the opening balances. Each one keeps its original number, dates, and accounts, and
 * only its open part is posted (docs/accounting.md, "Opening balances"). All amounts in a request are positive.
 */

/** A line on an open document. */
export interface OpeningLine {
  /** The income or expense account on the line, which the cash basis uses when the document is settled. */
  accountId: number;
  /**
   * The original amount without tax. Null if the document has only one line. In that case, the line has the unpaid
   * amount without tax.
   */
  amount: Cents | null;
  description: string;
  /** Whether the amount is taxed. Undefined if the document's tax determines this. */
  taxable?: boolean | undefined;
  profitCenterId: number | null;
  locationId: number | null;
}

/** An open document in a request. `rowVersion` and `id` are set only for an existing document. */
export interface OpeningAsk extends Asked {
  source: StoredOpening['source'];
  /**
   * The path of the document in the request, such as "invoices.3.". The names of invalid fields start with this path.
   */
  path: string;
  /** The date of the opening balances, or null if the document's date has no limit. */
  asOf: IsoDate | null;
  entityId: number;
  number: string;
  date: IsoDate;
  dueDate: IsoDate | null;
  /** The unpaid amount or remaining credit with tax. */
  unpaid: Cents;
  lines: readonly OpeningLine[];
  /** The sales tax scenario of an invoice or credit memo. */
  scenarioId: number | null;
  /** The original tax by tax item, if the lines have amounts. */
  taxes: readonly { id: number; amount: Cents }[];
}

/** The amounts of an open document. They are negative for a credit. */
export interface OpeningAmounts {
  opening: StoredOpening;
  /** The open amounts of the lines and of the taxes. */
  lines: Cents[];
  taxes: Cents[];
}

/**
 * Returns a document's original amounts and their open parts, using the tax rates of the document's scenario. Throws
 * 422 with the invalid fields.
 */
export function openingAmounts(
  ask: OpeningAsk,
  { rates, isCredit }: { rates: readonly { id: number; percentage: string }[]; isCredit: boolean },
): OpeningAmounts {
  const { lines, taxes, unpaid } = ask;
  const fields: FieldMessages = {};
  const [only] = lines;
  const isSimple = lines.length === 1 && only?.amount === null;
  const split =
    isSimple &&
    withoutTax(
      unpaid,
      rates.map(({ percentage }) => percentage),
    );
  const originals = split
    ? { lines: [split.net], taxes: split.taxes }
    : {
        lines: lines.map(({ amount }) => amount ?? cents(0)),
        taxes: rates.map(({ id }) => taxes.find((tax) => tax.id === id)?.amount ?? cents(0)),
      };
  if (lines.length === 0) fields['lineItems'] = 'At least one line item is required';
  if (!isSimple) {
    lines.forEach(({ amount }, at) => {
      if (amount === null) fields[`lineItems.${at}.amount`] = 'Please enter the original amount for each line';
    });
    taxes.forEach(({ id }, at) => {
      const isKnown = rates.some((rate) => rate.id === id);
      if (!isKnown) fields[`taxItems.${at}.id`] = "This tax item isn't part of the sales tax scenario";
    });
  }
  const total = sum([...originals.lines, ...originals.taxes]);
  const { number, date, dueDate, asOf } = ask;
  const original = isSimple || lines.length === 0 ? null : total;
  refuseOpening(ask, { ...fields, ...checkOpeningDocument({ number, date, dueDate, unpaid, original }, asOf) });
  const open = openParts([...originals.lines, ...originals.taxes], unpaid);
  const signed = (amounts: readonly Cents[]): Cents[] => amounts.map((each) => (isCredit ? negate(each) : each));
  return {
    opening: {
      source: ask.source,
      settled: signed([cents(total - unpaid)])[0] ?? cents(0),
      lines: signed(originals.lines),
      taxes: signed(originals.taxes),
    },
    lines: signed(open.slice(0, lines.length)),
    taxes: signed(open.slice(lines.length)),
  };
}

/** Throws 422 unless the lines refer to usable accounts and dimensions of the company. */
export function requireOpeningReferences(
  ask: OpeningAsk,
  { accounts, profitCenters, locations }: References,
  stored: readonly { accountId: number; profitCenterId: number | null; locationId: number | null }[],
): void {
  const fields: FieldMessages = {};
  ask.lines.forEach(({ accountId, profitCenterId, locationId }, at) => {
    const path = `lineItems.${at}`;
    const isKept = stored.some((line) => line.accountId === accountId);
    noteFault(fields, `${path}.accountId`, isKept ? undefined : openingAccountFault(accounts, accountId));
    const before = stored[at];
    const center = { id: profitCenterId, before: before?.profitCenterId };
    noteFault(fields, `${path}.profitCenterId`, referenceFault('profitCenter', profitCenters, center));
    const location = { id: locationId, before: before?.locationId };
    noteFault(fields, `${path}.locationId`, referenceFault('location', locations, location));
  });
  refuseOpening(ask, fields);
}

/** The accounts for credits that were unapplied payments in the source program. */
const UNAPPLIED: readonly number[] = [UNAPPLIED_CASH_INCOME, UNAPPLIED_CASH_EXPENSE];

/**
 * Returns the message about an account that a line can't have. Unlike other documents, documents dated before the
 * opening balances can have lines in the sales tax account, because the source program may have no tax items, and in
 * the unapplied cash accounts, because an unapplied payment is a credit.
 */
function openingAccountFault(accounts: readonly FoundAccount[], id: number): string | undefined {
  const account = accounts.find((each) => each.id === id);
  if (account === undefined) return 'Please Select an Account';
  if (!account.active) return ACCOUNT_INACTIVE;
  return UNAPPLIED.includes(id) ? undefined : refusedOnLine(account, 'payable');
}

/** Throws 422 with the messages for a document's fields, if there are any. */
export function refuseOpening({ path }: Pick<OpeningAsk, 'path'>, fields: FieldMessages): void {
  refuseFaults(Object.fromEntries(Object.entries(fields).map(([field, message]) => [`${path}${field}`, message])));
}

/** Returns the IDs that are needed to read the facts for open documents. */
export function openingReferences(asks: readonly OpeningAsk[]) {
  const lines = asks.flatMap((ask) => ask.lines);
  const ids = (all: readonly (number | null)[]): number[] => [...new Set(all)].flatMap((id) => id ?? []);
  return {
    products: [],
    accounts: ids(lines.map(({ accountId }) => accountId)),
    profitCenters: ids(lines.map(({ profitCenterId }) => profitCenterId)),
    locations: ids(lines.map(({ locationId }) => locationId)),
  };
}
