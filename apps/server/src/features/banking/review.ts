import { addDays, rangeOfDates } from '@evenkeel/core/dates';
import { type Explained, explainInSteps } from '@evenkeel/core/banking/matching';
import { firstFitting, type Usual, usualCategorization } from '@evenkeel/core/banking/matching/rules';
import { type BookItem, NUMBERED_DAYS } from '@evenkeel/core/banking/matching/score';
import { type Cents, cents, negate, ZERO } from '@evenkeel/core/money';
import type { Tx } from '../../platform/db/tx.ts';
import { inTurns } from '../../platform/http/turns.ts';
import { bankingAccounts } from './accounts.sql.ts';
import { type ReceiptRow, undepositedSql } from './deposits.sql.ts';
import * as evidence from './evidence.sql.ts';
import {
  type BankLineRow,
  bankLines,
  type EntryRow,
  freeEntries,
  liveEntries,
  otherFreeEntries,
  type PartRow,
} from './lines.sql.ts';
import { type BankRuleRow, rulesSql } from './rules.sql.ts';

/** All bank transactions in one account that are for review, with everything that can match them. */
export interface Review {
  bankAccountId: number;
  glAccountId: number;
  lines: readonly BankLineRow[];
  explained: (lineId: number) => Explained;
  entries: ReadonlyMap<number, EntryRow>;
  documents: ReadonlyMap<number, evidence.OpenRow>;
  receipts: ReadonlyMap<number, ReceiptRow>;
  otherSides: ReadonlyMap<number, evidence.OtherSide>;
  /** Returns the first rule that matches a bank transaction. */
  ruleOf: (line: BankLineRow) => BankRuleRow | undefined;
  /** Returns how the payee was usually categorized. */
  usualOf: (line: BankLineRow) => Usual<evidence.NamedPart> | undefined;
  refused: ReadonlySet<string>;
}

/** The range of days around the bank transactions in which entries are considered. */
const DAYS_BEFORE = NUMBERED_DAYS;
const DAYS_AFTER = 30;

/** Matches all bank transactions for review in an account together. If some are given, matches only the given ones. */
export async function reviewOf(tx: Tx, bankAccountId: number, only?: readonly BankLineRow[]): Promise<Review> {
  const [account, stored, rules, refusals] = await Promise.all([
    tx.row(bankingAccounts.find({ id: bankAccountId })),
    only ?? tx.rows(bankLines.find({ bankAccountId, state: 'review' })),
    tx.rows(rulesSql()),
    tx.rows(evidence.refusalsSql(bankAccountId)),
  ]);
  const glAccountId = account?.glAccountId ?? 0;
  const known = await readEvidence(tx, { bankAccountId, glAccountId, lines: stored });
  const refused = new Set(refusals.map(({ lineId, candidate }) => `${lineId} ${candidate}`));
  const explained = await inTurns(
    explainInSteps({ lines: stored, items: itemsOf(known), refused, aliases: known.aliases }),
  );
  const active = rules.filter((rule) => rule.active);
  const entries = await wholeEntries(tx, known.entries, { lines: stored, explained });
  return {
    bankAccountId,
    glAccountId,
    lines: stored,
    explained,
    refused,
    entries,
    documents: byKey(known.documents, ({ id }) => id),
    receipts: byKey(known.receipts, receiptId),
    otherSides: byKey(known.others, ({ id }) => id),
    ruleOf: (line) => firstFitting(active, line),
    usualOf: (line) => usualCategorization(known.booked.filter(isOf(line)).map(({ parts }) => parts)),
  };
}

interface Evidence {
  /** The entries with the amount of a bank transaction. */
  entries: EntryRow[];
  /** The entries with other amounts, which can only be part of a combination. */
  parts: PartRow[];
  documents: evidence.OpenRow[];
  receipts: ReceiptRow[];
  others: evidence.OtherSide[];
  booked: evidence.BookedRow[];
  aliases: ReadonlyMap<string, ReadonlySet<number>>;
}

const NO_EVIDENCE: Evidence = {
  entries: [],
  parts: [],
  documents: [],
  receipts: [],
  others: [],
  booked: [],
  aliases: new Map(),
};

async function readEvidence(
  tx: Tx,
  { bankAccountId, glAccountId: accountId, lines }: Pick<Review, 'bankAccountId' | 'glAccountId' | 'lines'>,
): Promise<Evidence> {
  const dates = rangeOfDates(lines.map(({ date }) => date));
  if (dates === undefined) return NO_EVIDENCE;
  const range = { from: addDays(dates.from, -DAYS_BEFORE), to: addDays(dates.to, DAYS_AFTER) };
  const amounts = [...new Set(lines.map(({ amount }) => amount))];
  const payees = [...new Set(lines.map(({ payee }) => payee))];
  const hasIn = amounts.some((amount) => amount > 0);
  const ask = { accountId, ...range };
  const [entries, parts, documents, receipts, others, booked, aliases] = await Promise.all([
    tx.rows(freeEntries(ask, amounts)),
    tx.rows(otherFreeEntries(ask, amounts)),
    tx.rows(evidence.openDocuments({ hasIn, hasOut: amounts.some((amount) => amount < 0) })),
    hasIn ? tx.rows(undepositedSql()) : [],
    tx.rows(evidence.otherSides(bankAccountId, amounts.map(negate))),
    tx.rows(evidence.bookedBefore(payees)),
    tx.rows(evidence.aliasesSql(payees)),
  ]);
  return {
    entries,
    parts,
    documents,
    // A deposit includes all receipts. Money out of Undeposited Funds is not a receipt.
    receipts: receipts.filter(({ amount, receiptDate }) => amount > 0 && receiptDate <= range.to),
    others,
    booked,
    aliases: new Map(aliases.map(({ payee, entityIds }) => [payee, new Set(entityIds)])),
  };
}

/** Returns a receipt's payment ID, or the negative ID of its journal line. */
export function receiptId({ paymentId, lineId }: Pick<ReceiptRow, 'paymentId' | 'lineId'>): number {
  return paymentId ?? -(lineId ?? 0);
}

const NOBODY = {
  entityId: null,
  entityName: '',
  numbers: [],
  checkNumber: '',
  description: '',
} satisfies Partial<BookItem>;

function itemOfEntry({ glid: id, postingDate: date, ...entry }: EntryRow): BookItem {
  const { amount, entityId, entityName, numbers, checkNumber, description } = entry;
  return { kind: 'entry', id, amount, date, entityId, entityName, numbers, checkNumber, description };
}

/** Lists the fields one by one, because object spread is slow for fifty thousand rows. */
function itemOfPart({ glid: id, postingDate: date, amount, entityId, entityName }: PartRow): BookItem {
  const { numbers, checkNumber, description } = NOBODY;
  return { kind: 'entry', id, amount, date, entityId, entityName, numbers, checkNumber, description };
}

function itemOfDocument(document: evidence.OpenRow): BookItem {
  const { id, date, open, number, entityId, entityName, discountUntil: until } = document;
  const item = {
    ...NOBODY,
    kind: 'document' as const,
    id,
    date,
    amount: open,
    entityId,
    entityName,
    numbers: [number],
  };
  const discount = until === null ? ZERO : evidence.discountOn(document, until);
  if (until === null || discount === 0) return item;
  return { ...item, discounted: { amount: lessDiscount(open, discount), until } };
}

/** The amount paid on a document, with the bank transaction's sign. `discount` is positive. */
export const lessDiscount = (open: Cents, discount: Cents): Cents =>
  cents(open < 0 ? open + discount : open - discount);

function itemsOf({ entries, parts, documents, receipts, others }: Evidence): BookItem[] {
  return [
    ...entries.map(itemOfEntry),
    ...parts.map(itemOfPart),
    ...documents.map(itemOfDocument),
    ...receipts.map((receipt): BookItem => ({
      ...NOBODY,
      kind: 'receipt',
      id: receiptId(receipt),
      amount: receipt.amount,
      date: receipt.receiptDate,
      entityName: receipt.payer,
      numbers: [receipt.referenceNumber],
      description: receipt.memo,
    })),
    ...others.map(({ id, amount, date, text }): BookItem => ({
      ...NOBODY,
      kind: 'transfer',
      id,
      date,
      amount: negate(amount),
      description: text,
    })),
  ];
}

/** Returns the known entries and, in full, all other entries that are part of any match. */
async function wholeEntries(
  tx: Tx,
  known: readonly EntryRow[],
  { lines, explained }: Pick<Review, 'lines' | 'explained'>,
): Promise<Map<number, EntryRow>> {
  const amounts = new Set(lines.map(({ amount }) => amount));
  const shown = lines.flatMap(({ id }) => explained(id).explanations.flatMap(({ items }) => items));
  const others = shown.filter(({ kind, amount }) => kind === 'entry' && !amounts.has(amount)).map(({ id }) => id);
  const whole = others.length === 0 ? [] : await tx.rows(liveEntries([...new Set(others)]));
  return byKey([...known, ...whole], ({ glid }) => glid);
}

const isOf =
  (line: BankLineRow) =>
  ({ payee, isIn }: evidence.BookedRow): boolean =>
    line.payee !== '' && payee === line.payee && isIn === line.amount > 0;

function byKey<T>(rows: readonly T[], keyOf: (row: T) => number): Map<number, T> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Returns whether nothing in the books matches a bank transaction, so that categorizing it can be suggested. */
export function isUnexplained({ explanations, isAssigned }: Explained): boolean {
  const [best] = explanations;
  return !isAssigned || best === undefined || best.score < LEAST_SCORE;
}

/** A combination that is supported only by its dates does not prevent a rule from being suggested. */
const LEAST_SCORE = 0.56;
