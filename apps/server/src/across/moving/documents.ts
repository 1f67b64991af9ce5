import {
  OPENING_BALANCE_EQUITY,
  refusedOnLine,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from '@evenkeel/core/books/accounts';
import type { Basis, PostingRequest } from '@evenkeel/core/books/ledger';
import { openParts } from '@evenkeel/core/books/opening';
import { formatDate } from '@evenkeel/core/dates';
import { PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import { present } from '@evenkeel/core/failure';
import { type Cents, cents, sum } from '@evenkeel/core/money';
import {
  type DocumentKind,
  type Notice,
  noticeAt,
  type SourceBooks,
  type SourceDocument,
  type SourceTransaction,
} from '@evenkeel/imports/books';
import { type Person, personKey } from '@evenkeel/imports/people';
import { accountsByIdSql, type AccountRow } from '../../books/ledger/accounts.sql.ts';
import { createMany } from '../../books/ledger/batch.ts';
import { post } from '../../books/ledger/journal.ts';
import type { OpeningAsk } from '../../books/documents/opening.ts';
import { companySettings } from '../../books/company-settings.ts';
import { openingCredits, openingInvoices } from '../../features/billing/opening.ts';
import { openingBills } from '../../features/expenses/opening.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { identityOf } from './mapping.ts';
import { type Brought, knownRecords, transactionsOf } from './moving.sql.ts';
import type { WrittenRecords } from './records.ts';
import { eachTransaction } from './writing.ts';

/**
 * Writes the open documents of a move. The history already contains their receivables and payables, so each document
 * gets an entry with the same date that reverses the amount in its control account against opening balance equity. On
 * the cash basis, the entry reverses the income or expense for the unpaid part, which is recognized when that part is
 * paid.
 */

export interface OpenDocuments {
  counts: { openInvoices: number; unpaidBills: number; credits: number };
  /** The documents, their transactions, and the transactions of their entries. */
  brought: Brought[];
  /** The IDs of all transactions. */
  ids: number[];
  rejected: Notice[];
}

interface Given {
  ctx: Ctx;
  system: string;
  books: SourceBooks;
  records: WrittenRecords;
  /** Whether the history is on both bases even though only the accrual basis is known. */
  isOnBoth: boolean;
}

interface Line {
  accountId: number;
  amount: Cents;
  description: string;
}

/** A document that can be written, with its original lines. */
interface Ready {
  document: SourceDocument;
  identity: Buffer;
  side: 'receivable' | 'payable';
  /** 1 if the document increases its control account on the debit side, and −1 otherwise. */
  sign: 1 | -1;
  isCredit: boolean;
  entityId: number;
  /** The control account that the history uses. */
  controlId: number;
  lines: Line[];
}

const isBill = (kind: DocumentKind): boolean => /^(bill|vendor)/.test(kind);
const isCreditKind = (kind: DocumentKind): boolean => kind !== 'invoice' && kind !== 'bill';

/** Writes the documents that were not imported before. A document that can't be written is skipped with its reason. */
export async function writeDocuments(given: Given): Promise<OpenDocuments> {
  const { ctx, system, books, records, isOnBoth } = given;
  const found: OpenDocuments = {
    counts: { openInvoices: 0, unpaidBills: 0, credits: 0 },
    brought: [],
    ids: [],
    rejected: [],
  };
  if (books.documents.length === 0) return found;
  const accounts = await ctx.tx.rows(accountsByIdSql([...new Set(records.accounts.values())]));
  const ready = await readyDocuments(given, accounts, found.rejected);
  const lists = {
    invoices: ready.filter(({ side, isCredit }) => side === 'receivable' && !isCredit),
    credits: ready.filter(({ side, isCredit }) => side === 'receivable' && isCredit),
    bills: ready.filter(({ side }) => side === 'payable'),
  };
  const news = <A>(list: readonly Ready[], ask: (one: Ready) => A) =>
    list.map((one) => ({ input: ask(one), today: ctx.today }));
  const made = [
    ...(await createMany(ctx, openingInvoices.creation, news(lists.invoices, askOf))),
    ...(await createMany(ctx, openingCredits.creation, news(lists.credits, askOf))),
    ...(await createMany(
      ctx,
      openingBills.creation,
      news(lists.bills, (one) => ({ ...askOf(one), isCredit: one.isCredit })),
    )),
  ].map(({ id }) => id);
  const all = [...lists.invoices, ...lists.credits, ...lists.bills];
  for (const [at, { identity }] of all.entries()) {
    found.brought.push({ kind: 'document', identity, recordId: present(made[at], 'document ID'), isNew: true });
  }
  const posted = await ctx.tx.rows(transactionsOf(made));
  const settings = await companySettings(ctx);
  const control = { receivable: settings.defaultARAccountId, payable: settings.defaultAPAccountId };
  const offsets = await post(
    ctx,
    all.map((one) => offsetOf(one, control[one.side], isOnBoth)),
  );
  const ids = [
    ...posted.map(({ id }) => id),
    ...offsets.flatMap(({ transactions }) => transactions.map(({ id }) => id)),
  ];
  for (const id of ids) {
    const identity = identityOf(system, 'transaction', `document ${id}`);
    found.brought.push({ kind: 'transaction', identity, recordId: id, isNew: true });
  }
  found.ids = ids;
  const credits = all.filter(({ isCredit }) => isCredit).length;
  found.counts = {
    openInvoices: lists.invoices.length,
    unpaidBills: lists.bills.filter(({ isCredit }) => !isCredit).length,
    credits,
  };
  return found;
}

async function readyDocuments(given: Given, accounts: readonly AccountRow[], rejected: Notice[]): Promise<Ready[]> {
  const { ctx, system, books } = given;
  const counts = new Map<string, number>();
  const all = books.documents.map((document) => {
    const { kind, party, number = '', date } = document;
    const base = `${kind} ${party.toLowerCase()} ${number} ${date}`;
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    return { document, identity: identityOf(system, 'document', `${base} ${count}`) };
  });
  const known = await ctx.tx.rows(
    knownRecords(
      'document',
      all.map(({ identity }) => identity),
    ),
  );
  const isKnown = new Set(known.map(({ identity }) => identity.toString('hex')));
  const sources = await sourcesOf(given);
  const usable = new Map(accounts.map((account) => [account.id, account]));
  return all.flatMap(({ document, identity }): Ready[] => {
    if (isKnown.has(identity.toString('hex')) || document.open === 0) return [];
    const ready = sources.readyOf(document, identity);
    const fault = typeof ready === 'string' ? ready : lineFault(ready, usable);
    if (fault === undefined && typeof ready !== 'string') return [ready];
    rejected.push(noticeAt(document.place, `${fault ?? ''} The document is imported only as a journal entry.`));
    return [];
  });
}

const UNAPPLIED: readonly number[] = [UNAPPLIED_CASH_INCOME, UNAPPLIED_CASH_EXPENSE];

function lineFault({ document, lines }: Ready, accounts: ReadonlyMap<number, AccountRow>): string | undefined {
  const total = sum(lines.map(({ amount }) => amount));
  if (document.open > total) return 'The unpaid amount is more than the amount of the transaction.';
  for (const { accountId } of lines) {
    const account = accounts.get(accountId);
    if (UNAPPLIED.includes(accountId)) continue;
    if (account === undefined || refusedOnLine(account, 'payable') !== undefined) {
      return `The transaction posts to ${account?.name ?? 'an account'}, which a document can't use.`;
    }
  }
  return undefined;
}

const sourceKey = ({ date, number = '' }: Pick<SourceDocument, 'date' | 'number'>): string => `${date} ${number}`;

/** Finds the transactions with a document's date and number. */
async function sourcesOf(given: Given): Promise<Sources> {
  const byKey = new Map<string, SourceTransaction[]>(given.books.documents.map((one) => [sourceKey(one), []]));
  await eachTransaction(given.books, (transaction) => byKey.get(sourceKey(transaction))?.push(transaction));
  return new Sources(given, byKey);
}

/** Finds the transactions that the documents come from. */
class Sources {
  readonly #given: Given;
  readonly #roles: ReadonlyMap<string, string | undefined>;
  readonly #byKey: ReadonlyMap<string, readonly SourceTransaction[]>;

  constructor(given: Given, byKey: ReadonlyMap<string, readonly SourceTransaction[]>) {
    this.#given = given;
    this.#roles = new Map(given.books.accounts.map(({ key, role }) => [key, role]));
    this.#byKey = byKey;
  }

  /** Returns the document with its original lines, or the reason why it can't be written. */
  readyOf(document: SourceDocument, identity: Buffer): Ready | string {
    const { kind, party } = document;
    const side = isBill(kind) ? 'payable' : 'receivable';
    const person: Person = side === 'payable' ? 'vendor' : 'customer';
    const { records } = this.#given;
    const entityId = records.people.get(personKey(person, party));
    if (entityId === undefined) return 'The document has no customer or vendor.';
    const isCredit = isCreditKind(kind);
    const sign = (side === 'receivable') === isCredit ? -1 : 1;
    const source = this.#sourceOf(document, side, sign);
    const controlKey = source?.lines.find(({ account }) => this.#roles.get(account) === side)?.account;
    const controlId = records.accounts.get(controlKey ?? '');
    if (source === undefined || controlId === undefined) return 'No transaction has the same date, number, and amount.';
    const ready = { document, identity, side, sign, isCredit, entityId, controlId } as const;
    if (kind === 'customerPayment' || kind === 'vendorPayment') {
      const accountId = side === 'receivable' ? UNAPPLIED_CASH_INCOME : UNAPPLIED_CASH_EXPENSE;
      return { ...ready, lines: [{ accountId, amount: document.open, description: source.type }] };
    }
    const lines = source.lines
      .filter(({ account, amount }) => this.#roles.get(account) !== side && amount !== 0)
      .map(({ account, amount, memo }): Line => ({
        accountId: present(records.accounts.get(account), 'account'),
        amount: cents(-amount * sign),
        description: memo ?? source.memo ?? source.type,
      }));
    return lines.length === 0 ? 'The transaction has no other lines.' : { ...ready, lines };
  }

  #sourceOf(
    { party, open, ...document }: SourceDocument,
    side: 'receivable' | 'payable',
    sign: 1 | -1,
  ): SourceTransaction | undefined {
    return (this.#byKey.get(sourceKey(document)) ?? []).find(({ lines }) => {
      const own = lines.filter(({ account }) => this.#roles.get(account) === side);
      const total = sum(own.map(({ amount }) => amount)) * sign;
      return total >= open && own.every((line) => (line.party ?? '').toLowerCase() === party.toLowerCase());
    });
  }
}

function askOf({ document, entityId, lines }: Ready): OpeningAsk {
  const { number = '', date, dueDate = null, open } = document;
  return {
    id: 0,
    source: 'import',
    path: '',
    asOf: null,
    entityId,
    number: (number || formatDate(date)).slice(0, 50),
    date,
    dueDate: dueDate !== null && dueDate < date ? null : dueDate,
    unpaid: open,
    scenarioId: null,
    lines: lines.map((line) => ({
      ...line,
      description: line.description.slice(0, 500),
      profitCenterId: null,
      locationId: null,
    })),
    taxes: [],
  };
}

/** Returns the entry that reverses a document's control account. */
function offsetOf(
  { document, side, sign, isCredit, entityId, controlId, lines }: Ready,
  control: number,
  isOnBoth: boolean,
): PostingRequest {
  const { number = '', date, open } = document;
  const { words } = side === 'receivable' ? RECEIVABLE : PAYABLE;
  const description = `Open ${isCredit ? 'credit' : words.document} ${number}`.trim();
  const entry = (accountId: number, amount: number, basis: Basis, entity: number | null) => ({
    accountId,
    amount: cents(amount),
    basis,
    description,
    entityId: entity,
    profitCenterId: null,
    locationId: null,
    reverses: null,
  });
  const parts = openParts(
    lines.map(({ amount }) => amount),
    open,
  );
  const cash = isOnBoth
    ? [
        entry(controlId, -sign * open, 'C', entityId),
        ...lines.map(({ accountId }, at) => entry(accountId, sign * (parts[at] ?? 0), 'C', null)),
      ]
    : [];
  return {
    source: { type: 'journal', id: 0 },
    postings: [
      {
        postingDate: date,
        description,
        entries: [
          entry(control, -sign * open, 'A', entityId),
          entry(OPENING_BALANCE_EQUITY, sign * open, 'A', null),
          ...cash,
        ],
      },
    ],
  };
}
