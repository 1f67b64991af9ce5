import {
  OpeningBalances,
  type OpeningDocument,
  type OpeningDocumentInput,
  type OpeningInput,
  type OpeningList,
  openingLists,
} from '@evenkeel/contract/opening';
import { idOrNull } from '@evenkeel/contract/fields';
import { type AccountTypeInfo, accountTypeInfo } from '@evenkeel/core/books/accounts';
import { difference } from '@evenkeel/core/books/ledger';
import { checkOpening, type OpeningBalances as Balances, postOpening } from '@evenkeel/core/books/opening';
import { fiscalYearStart, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { documentKinds, documentLabel, PAYABLE, RECEIVABLE, sides } from '@evenkeel/core/documents/side';
import { conflict, Failure, type FieldMessages, notFound, present } from '@evenkeel/core/failure';
import { type Cents, cents, formatUsd } from '@evenkeel/core/money';
import { usedNumbers } from '@evenkeel/core/moving/numbers';
import { sql } from 'kysely';
import { closingDateSql } from '../../books/closing-date.ts';
import { companySettings } from '../../books/company-settings.ts';
import type { OpeningAsk } from '../../books/documents/opening.ts';
import { idList, lockDocumentsOf } from '../../books/documents/settlement.sql.ts';
import { settledDocument } from '../../books/documents/settlement.ts';
import { type AccountRow, accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { createMany } from '../../books/ledger/batch.ts';
import { liveLinesBySource, liveLinesOf, marksOf, openJournal, post } from '../../books/ledger/journal.ts';
import { releaseNumbers, skipNumbers } from '../../books/ledger/number-skips.ts';
import { accountFault, noteFault, refuseFaults } from '../../books/ledger/references.ts';
import { openingCredits, openingInvoices } from '../../features/billing/opening.ts';
import { type OpeningBillAsk, openingBills } from '../../features/expenses/opening.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh, stale } from '../../platform/http/fresh.ts';
import type { Tx } from '../../platform/db/tx.ts';
import {
  depositsOfLines,
  insertOpening,
  lockPaymentsOn,
  openingDocumentIds,
  type OpeningRow,
  openings,
  type OpenRow,
  selectOpenDocuments,
  SOURCE,
} from './opening.sql.ts';

/** The opening balances: one entry with the balances of the accounts, and the individual open documents. */

/** The opening balances in the audit log. Their documents have separate rows. */
const Audited = OpeningBalances.pick({ date: true, accounts: true, rowVersion: true });
const subject: Subject<typeof Audited> = { name: SOURCE.type, schema: Audited, idOf: () => SOURCE.id };

/** The stored opening balances with their documents. */
export interface Stored {
  head: OpeningRow | undefined;
  documents: readonly OpenRow[];
  closingDate: IsoDate | null;
}

/** Reads the opening balances with their documents. */
export async function readStored(tx: Tx): Promise<Stored> {
  const [[head], [closing], ...documents] = await tx.inOrder([
    openings.find({ id: SOURCE.id }),
    closingDateSql(),
    ...sides.map(selectOpenDocuments),
  ]);
  return { head, documents: documents.flat(), closingDate: closing?.closingDate ?? null };
}

/** Returns the opening balances, or empty opening balances if none are posted. */
export async function openingBalances({ tx }: Pick<Ctx, 'tx'>): Promise<OpeningBalances> {
  return viewOf(await readStored(tx));
}

function viewOf({ head, documents, closingDate }: Stored): OpeningBalances {
  const of = (list: OpeningList): OpeningDocument[] =>
    documents.filter((row) => listOf(row) === list).map(documentView);
  const isClosed = closingDate !== null && datesOf({ head, documents }).some((date) => date <= closingDate);
  return {
    date: head?.date ?? null,
    accounts: (head?.balances ?? []).map(({ accountId, amount, cashAmount }) => {
      return { accountId, amount, ...(cashAmount === undefined || cashAmount === null ? {} : { cashAmount }) };
    }),
    invoices: of('invoices'),
    bills: of('bills'),
    customerCredits: of('customerCredits'),
    vendorCredits: of('vendorCredits'),
    closedThrough: isClosed ? closingDate : null,
    postedBy: head?.person ?? null,
    postedAt: head?.at.toISOString() ?? null,
    rowVersion: head?.rowVersion ?? 0,
  };
}

/** Returns the posting dates of the opening balances. */
function datesOf({ head, documents }: Pick<Stored, 'head' | 'documents'>): IsoDate[] {
  return head === undefined ? [] : [head.date, ...documents.map(({ date }) => date)];
}

/** Returns the name of the list that contains a document. */
function listOf({ kind, amount }: Pick<OpenRow, 'kind' | 'amount'>): OpeningList {
  if (kind === documentKinds.creditmemo.source) return 'customerCredits';
  if (kind === documentKinds.invoice.source) return 'invoices';
  return amount < 0 ? 'vendorCredits' : 'bills';
}

function documentView(row: OpenRow): OpeningDocument {
  const { opening, lines } = row;
  const { lines: amounts, taxes } = present(opening, 'opening document');
  const size = (amount: Cents | undefined): Cents => cents(row.amount < 0 ? -(amount ?? 0) : (amount ?? 0));
  return {
    id: row.id,
    rowVersion: row.rowVersion,
    entityId: row.entityId,
    displayName: row.entityName,
    number: row.number,
    date: row.date,
    dueDate: row.dueDate,
    unpaidAmount: size(row.amount),
    salesTaxScenario: row.scenarioId,
    lineItems: lines.map(({ accountId, description, taxable, profitCenterId, locationId }, at) => {
      return { accountId, amount: size(amounts[at]), description, taxable, profitCenterId, locationId };
    }),
    taxItems: row.taxSnapshot.map(({ id }, at) => ({ id, amount: size(taxes[at]) })),
    usedBy: row.usedBy,
    appliedAmount: size(row.applied),
  };
}

/**
 * Returns an open document from a request, without applying the rules for its kind. `index` is its position in its
 * list.
 */
function askOf(asOf: IsoDate, list: OpeningList, input: OpeningDocumentInput, index: number): OpeningBillAsk {
  const { id, entityId, number, date, dueDate = null, unpaidAmount: unpaid, lineItems, taxItems } = input;
  return {
    id: Math.max(0, id ?? 0),
    source: 'balances',
    path: `${list}.${index}.`,
    asOf,
    isCredit: list === 'customerCredits' || list === 'vendorCredits',
    entityId,
    number,
    date,
    dueDate,
    unpaid,
    scenarioId: idOrNull(input.salesTaxScenario),
    lines: lineItems.map(({ accountId, amount = null, description, taxable, profitCenterId, locationId }) => ({
      accountId,
      amount,
      description: description || 'Opening balance',
      taxable: taxable ?? undefined,
      profitCenterId: idOrNull(profitCenterId),
      locationId: idOrNull(locationId),
    })),
    taxes: taxItems ?? [],
  };
}

/** Returns the accounts that the balances and the documents' components use. */
export async function accountsNamed(tx: Tx, { head, documents }: Stored): Promise<AccountRow[]> {
  const named = [
    ...(head?.balances ?? []).map(({ accountId }) => accountId),
    ...documents.flatMap(({ lines, taxAccountId }) => [...lines.map(({ accountId }) => accountId), taxAccountId]),
  ];
  return tx.rows(accountsByIdSql([...new Set(named)].flatMap((id) => id ?? [])));
}

/** Returns the stored balances in core's format. */
export function balancesOf({ head, documents }: Stored, accounts: readonly AccountRow[]): Balances {
  const { date, fiscalYearStart: yearStart, balances } = present(head, 'opening balances');
  return {
    date,
    fiscalYearStart: yearStart,
    accounts: balances,
    documents: documents.map((row) => {
      const side = row.side === PAYABLE.name ? PAYABLE : RECEIVABLE;
      return { side, date: row.date, components: settledDocument(row, row.lines).components };
    }),
    accountType: (id): AccountTypeInfo => {
      const { type, contra } = present(
        accounts.find((account) => account.id === id),
        `account ${id}`,
      );
      return accountTypeInfo(type, contra);
    },
  };
}

const asksOf = (input: OpeningInput, list: OpeningList): OpeningBillAsk[] =>
  input[list].map((document, index) => askOf(input.date, list, document, index));

/** Returns the functions for the kind of documents in a list. */
const flowOf = (list: OpeningList) =>
  list === 'invoices' ? openingInvoices : list === 'customerCredits' ? openingCredits : openingBills;

/** Creates the documents in order and in as few batches as possible. */
async function createAll(ctx: Ctx, asks: ReadonlyMap<OpeningList, readonly OpeningBillAsk[]>): Promise<void> {
  const news = (...lists: OpeningList[]) =>
    lists.flatMap((list) => asks.get(list) ?? []).map((input) => ({ input, today: ctx.today }));
  await createMany<OpeningAsk, unknown, unknown, unknown>(ctx, openingInvoices.creation, news('invoices'));
  await createMany(ctx, openingCredits.creation, news('customerCredits'));
  await createMany(ctx, openingBills.creation, news('bills', 'vendorCredits'));
}

/**
 * Posts the opening balances with their documents, either everything or nothing. Throws 409 'stale' if they were
 * already posted, 409 'closed' if the books are closed through one of their dates, and 422 with the invalid fields.
 */
export async function postOpeningBalances(ctx: Ctx, input: OpeningInput): Promise<OpeningBalances> {
  const { fyStartMonth } = await companySettings(ctx);
  const { date } = input;
  const head = { date, fiscalYearStart: fiscalYearStart(date, fyStartMonth), balances: accountsOf(input) };
  const inserted = await ctx.tx.row(insertOpening({ ...head, person: ctx.by.person }));
  if (inserted === undefined) throw stale(OpeningBalances, await openingBalances(ctx));
  await createAll(ctx, new Map(openingLists.map((list) => [list, asksOf(input, list)])));
  await postEntry(ctx, input);
  const after = await openingBalances(ctx);
  record(ctx, subject, { after });
  return after;
}

/** Returns the accounts in a request that have a balance. */
function accountsOf({ accounts }: OpeningInput): OpeningRow['balances'] {
  return accounts.flatMap(({ accountId, amount, cashAmount }) => {
    const isStated = cashAmount !== undefined && cashAmount !== null;
    if (amount === 0 && !isStated) return [];
    return [{ accountId, amount, ...(isStated ? { cashAmount } : {}) }];
  });
}

/** Posts the difference between the posted entry and the stored balances. Throws 422 if they don't balance. */
async function postEntry(ctx: Ctx, input: OpeningInput): Promise<void> {
  const { tx } = ctx;
  const stored = await readStored(tx);
  const head = present(stored.head, 'opening balances');
  const accounts = await accountsNamed(tx, stored);
  const places = new Map(input.accounts.map(({ accountId }, at) => [accountId, at]));
  const fields: FieldMessages = {};
  for (const { accountId } of head.balances) {
    noteFault(fields, `accounts.${places.get(accountId)}.accountId`, accountFault(accounts, { id: accountId }));
  }
  refuseFaults(fields);
  const balances = balancesOf(stored, accounts);
  refuseFaults(placed(checkOpening(balances), head.balances, places));
  const [end, live] = await Promise.all([openJournal(tx), tx.rows(liveLinesOf([SOURCE]))]);
  const marks = marksOf(live);
  const postings = difference(liveLinesBySource(live)(SOURCE), [postOpening(balances)], marks);
  await tx.inOrder([...releaseNumbers(null), ...skipNumbers(numbersIn(input), null)]);
  const gone = postings.flatMap(({ entries }) => entries.flatMap(({ reverses }) => reverses ?? []));
  const deposits = gone.length === 0 ? [] : await tx.rows(depositsOfLines(gone));
  if (deposits.length > 0) {
    const numbers = [...new Set(deposits.map(({ number }) => number))].join(', ');
    throw conflict(`The opening balance of Undeposited Funds is in deposit ${numbers}. Delete the deposit first.`);
  }
  await post(ctx, [{ source: SOURCE, postings, marks }], end);
}

/** Returns the numbers of the invoices and credits, which new documents must not repeat. */
const numbersIn = ({ invoices, customerCredits }: OpeningInput) =>
  usedNumbers([
    ...invoices.map(({ number }) => ({ kind: documentKinds.invoice, number })),
    ...customerCredits.map(({ number }) => ({ kind: documentKinds.creditmemo, number })),
  ]);

/** Returns the messages about stored accounts. Each message is keyed by the account's position in the request. */
function placed(
  fields: FieldMessages,
  balances: OpeningRow['balances'],
  places: ReadonlyMap<number, number>,
): FieldMessages {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const [, at = '', field = ''] = /^accounts\.(\d+)\.(.*)$/.exec(path) ?? [];
      const account = balances[Number(at)];
      if (at === '' || account === undefined) return [path, message];
      return [`accounts.${places.get(account.accountId)}.${field}`, message];
    }),
  );
}

/**
 * Replaces the opening balances and their documents. Documents without an ID are new, and documents that are not in the
 * request are deleted. Throws 404 if no opening balances are posted, 409 'stale' for an outdated version, 409 'closed'
 * if the books are closed through one of the dates, 409 with the fields that other records depend on, and 422 for
 * invalid fields.
 */
export async function redoOpeningBalances(
  ctx: Ctx,
  { rowVersion, ...input }: OpeningInput & { rowVersion: number },
): Promise<OpeningBalances> {
  const { tx } = ctx;
  const stored = await lockStored(tx);
  const before = viewOf(stored);
  if (stored.head === undefined) throw notFound('Opening balances');
  requireFresh(OpeningBalances, before, rowVersion);
  if (before.closedThrough !== null) {
    throw new Failure(
      'closed',
      `The books are closed through ${formatDate(before.closedThrough)}, so you can't change the opening balances`,
    );
  }
  const changes = changesOf(stored, input);
  refuseUsed(stored, changes);
  for (const { id, list } of changes.removed) await flowOf(list).remove(ctx, id);
  for (const { list, ask } of changes.changed) await update(ctx, list, ask);
  await createAll(ctx, changes.added);
  const { fyStartMonth } = await companySettings(ctx);
  const { date } = input;
  const head = { date, fiscalYearStart: fiscalYearStart(date, fyStartMonth), balances: accountsOf(input) };
  tx.atEnd(openings.update({ id: SOURCE.id }, { ...head, rowVersion: sql`row_version + 1` }));
  await postEntry(ctx, input);
  const after = await openingBalances(ctx);
  record(ctx, subject, { before, after });
  return after;
}

/** Locks the opening balances, their documents, and the payments on them, in that order. */
async function lockStored(tx: Tx): Promise<Stored> {
  const [, ids] = await tx.inOrder([openings.find({ id: SOURCE.id }, { lock: 'for update' }), openingDocumentIds()]);
  const documentIds = ids.map(({ id }) => id);
  if (documentIds.length > 0) {
    await tx.inOrder([lockDocumentsOf(idList(documentIds)), ...sides.map((side) => lockPaymentsOn(side, documentIds))]);
  }
  return readStored(tx);
}

const update = (ctx: Ctx, list: OpeningList, ask: OpeningBillAsk): Promise<unknown> => flowOf(list).update(ctx, ask);

interface OpeningChanges {
  removed: { id: number; list: OpeningList }[];
  changed: { list: OpeningList; ask: OpeningBillAsk; row: OpenRow }[];
  added: ReadonlyMap<OpeningList, readonly OpeningBillAsk[]>;
}

/** Returns the differences between the stored documents and a request. Throws 422 for the ID of any other document. */
function changesOf({ documents }: Stored, input: OpeningInput): OpeningChanges {
  const rows = new Map(documents.map((row) => [row.id, row]));
  const kept = new Set<number>();
  const changed: OpeningChanges['changed'] = [];
  const added = new Map<OpeningList, OpeningBillAsk[]>();
  const fields: FieldMessages = {};
  for (const list of openingLists) {
    for (const ask of asksOf(input, list)) {
      const id = ask.id ?? 0;
      const row = rows.get(id);
      if (id === 0) added.set(list, [...(added.get(list) ?? []), ask]);
      else if (row === undefined || listOf(row) !== list || kept.has(id)) {
        fields[`${ask.path}id`] = "This document isn't part of the opening balances";
      } else {
        kept.add(id);
        if (!isSame(documentView(row), ask)) changed.push({ list, ask, row });
      }
    }
  }
  refuseFaults(fields);
  const removed = documents.filter(({ id }) => !kept.has(id)).map((row) => ({ id: row.id, list: listOf(row) }));
  return { removed, changed, added };
}

/** Returns whether a request leaves a document unchanged. */
function isSame(view: OpeningDocument, ask: OpeningBillAsk): boolean {
  const { lineItems: lines, taxItems } = view;
  const total = cents([...lines, ...taxItems].reduce((all, { amount }) => all + amount, 0));
  // If a document has only one line and nothing was settled before, the line's amount can be omitted.
  const isSimple = ask.lines.length === 1 && ask.lines[0]?.amount === null;
  const shown = (all: readonly OpeningAsk['lines'][number][]) =>
    all.map(({ amount, taxable, ...line }) => {
      return { ...line, amount: isSimple ? null : amount, taxable: taxable ?? taxItems.length > 0 };
    });
  const head = ({ entityId, number, date }: Pick<OpeningAsk, 'entityId' | 'number' | 'date'>) => [
    entityId,
    number,
    date,
  ];
  const own = [...head(view), view.dueDate, view.unpaidAmount, view.salesTaxScenario, ...shown(lines).map(lineKey)];
  const asked = [...head(ask), ask.dueDate, ask.unpaid, ask.scenarioId, ...shown(ask.lines).map(lineKey)];
  if (JSON.stringify(own) !== JSON.stringify(asked)) return false;
  if (isSimple) return lines.length === 1 && total === view.unpaidAmount;
  return taxItems.every(({ id, amount }) => (ask.taxes.find((tax) => tax.id === id)?.amount ?? 0) === amount);
}

const lineKey = (line: OpeningAsk['lines'][number]) => [
  line.accountId,
  line.amount,
  line.description,
  line.taxable,
  line.profitCenterId,
  line.locationId,
];

/** Throws 409 with all documents that can't be changed or deleted because other records depend on them. */
function refuseUsed({ documents }: Stored, { removed, changed }: OpeningChanges): void {
  const fields: FieldMessages = {};
  const gone = new Set(removed.map(({ id }) => id));
  for (const row of documents) {
    if (!gone.has(row.id) || row.usedBy.length === 0) continue;
    fields[`${listOf(row)}.${row.number}`] = `${nameOf(row)} can't be deleted because of ${row.usedBy.join(', ')}`;
  }
  for (const { ask, row } of changed) {
    if (row.usedBy.length === 0) continue;
    if (ask.entityId !== row.entityId) {
      fields[`${ask.path}entityId`] =
        `${nameOf(row)} can't have a different customer or vendor because of ${row.usedBy.join(', ')}`;
    }
    const applied = cents(Math.abs(row.applied));
    if (ask.unpaid < applied) {
      fields[`${ask.path}unpaidAmount`] =
        `${nameOf(row)} must be at least ${formatUsd(applied)} because of ${row.usedBy.join(', ')}`;
    }
  }
  const messages = Object.values(fields);
  if (messages.length === 0) return;
  const [first = ''] = messages;
  const message =
    messages.length === 1 ? first : `${messages.length} documents can't be changed: ${messages.join('. ')}`;
  throw new Failure('conflict', message, fields);
}

const nameOf = ({ kind, amount, number }: OpenRow): string => `${documentLabel(kind, amount)} ${number}`;
