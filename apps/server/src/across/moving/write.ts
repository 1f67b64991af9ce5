import type { MoveResult, ProofAccount, ProofRow } from '@evenkeel/contract/moving';
import { accountTypeInfo, isProfitAndLoss, RETAINED_EARNINGS } from '@evenkeel/core/books/accounts';
import type { Basis, Posting, PostingRequest } from '@evenkeel/core/books/ledger';
import { addDays, endOfMonth, fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import { present, refuse } from '@evenkeel/core/failure';
import { cents, formatAmount } from '@evenkeel/core/money';
import { NOT_IMPORTED } from '@evenkeel/core/moving/sources';
import type { SourceBooks, SourceLine, SourceTransaction } from '@evenkeel/imports/books';
import { People, personKey } from '@evenkeel/imports/people';
import { monthEndsOf } from '@evenkeel/imports/prove';
import type { BooksSummary, MonthlyAmount } from '@evenkeel/imports/summary';
import { accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { post } from '../../books/ledger/journal.ts';
import { sql } from 'kysely';
import { breaths } from '../../platform/http/turns.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type Comparison, compareBalances, failureWords, plural, type ProofSubject } from './balances.ts';
import {
  lastChecks,
  moveNumbers,
  type Reconciled,
  reconcileBanks,
  reconciliationWords,
  waitingReceipts,
} from './banking.ts';
import { candidatesFor } from './candidates.ts';
import { type OpenDocuments, writeDocuments } from './documents.ts';
import { listsOf, readOwnLists, transactionsMissing } from './lists.ts';
import { identityOf, readOwn } from './mapping.ts';
import {
  type Brought,
  entityNames,
  knownRecords,
  moved,
  type SourceFacts,
  type StoredBalances,
  writtenSums,
} from './moving.sql.ts';
import { type WrittenRecords, writeRecords } from './records.ts';
import { eachTransaction, type Writing } from './writing.ts';

export interface Written {
  result: Omit<MoveResult, 'at' | 'seconds'>;
  balances: StoredBalances;
}

/**
 * The number of transactions that are posted together. With larger numbers, other companies' requests wait longer,
 * because the posting of a batch can't be interrupted. Batches of 500 are not faster than batches of 100.
 */
const TOGETHER = 100;

/**
 * Writes everything that a move imports, in the caller's transaction, and verifies the balances from the written rows.
 * `proved` is false if any balance differs. In that case, the caller must roll back. Throws 422 if a question is open
 * or the books are closed on a date.
 */
export async function writeMove(writing: Writing): Promise<Written> {
  const { ctx, books, summary, choices, tell } = writing;
  const { tx } = ctx;
  requireReady(summary);
  await tell({ phase: 'records', done: 0, total: summary.accounts.length + summary.people.length, date: null });
  const own = await readOwn(tx, summary);
  const lists = listsOf(summary, choices, await readOwnLists(tx, summary));
  const records = await writeRecords(tx, { summary, choices, own, lists }, await namesIn(books));
  const subjects = await subjectsOf(tx, records, books);
  const posting = await postAll(writing, { records, subjects });
  await tell({ phase: 'proof', done: 0, total: 0, date: null });
  const reconciled = await reconcileBanks(writing, records, subjects);
  const checks = await lastChecks(writing, records);
  await noteRecords(writing, [
    ...[...reconciled.brought, ...(await waitingReceipts(tx, summary.system, posting.ids))].map((brought) => {
      return { brought, source: null };
    }),
    ...checks,
  ]);
  await moveNumbers(tx, books, writing.moveId);
  return proved(writing, { records, subjects, reconciled }, posting);
}

/** Throws 422 if the files were rejected or a question about them is open. */
export function requireReady(summary: BooksSummary): void {
  const { refusals, hasQuestions } = summary;
  const [refusal] = refusals;
  if (refusal !== undefined) throw refuse(refusal.text);
  if (hasQuestions) throw refuse('Answer the questions about the files first');
  const missing = transactionsMissing(summary);
  if (missing !== undefined) throw refuse(missing);
}

async function namesIn(books: SourceBooks): Promise<{ profitCenters: Set<string>; locations: Set<string> }> {
  const [profitCenters, locations] = [new Set<string>(), new Set<string>()];
  await eachTransaction(books, ({ lines }) => {
    for (const { profitCenter, location } of lines) {
      if (profitCenter !== undefined) profitCenters.add(profitCenter);
      if (location !== undefined) locations.add(location);
    }
  });
  return { profitCenters, locations };
}

/** Converts the source's lines to journal entries. */
class Entries {
  readonly #records: WrittenRecords;
  readonly #people: People;
  readonly keepsBases: boolean;

  constructor(books: SourceBooks, summary: BooksSummary, records: WrittenRecords) {
    this.#records = records;
    this.#people = new People(books);
    // The basis of each line is known only if the files are another Evenkeel company's exports on both bases. Lines
    // from other books are on both bases.
    this.keepsBases = summary.files.filter(({ format }) => format === 'evenkeel').length > 1;
  }

  accountOf({ account }: SourceLine): number {
    return present(this.#records.accounts.get(account), `account ${account}`);
  }

  entityOf(line: SourceLine, transaction: SourceTransaction): number | null {
    const kind = this.#people.kindOf(line, transaction);
    if (kind === undefined || line.party === undefined) return null;
    return this.#records.people.get(personKey(kind, line.party)) ?? null;
  }

  basisOf({ basis = 'B' }: SourceLine): Basis {
    return this.keepsBases ? basis : 'B';
  }

  postingOf(transaction: SourceTransaction): Posting {
    const title = titleOf(transaction);
    const memo = clean(transaction.memo ?? '');
    const isOwn = transaction.lines.some(({ basis }) => basis !== undefined);
    const description = isOwn ? memo || title : [title, memo].filter((part) => part !== '').join(' · ');
    return {
      postingDate: transaction.date,
      description,
      entries: transaction.lines.map((line) => ({
        accountId: this.accountOf(line),
        amount: line.amount,
        basis: this.basisOf(line),
        description: clean(line.memo ?? '') || description,
        entityId: this.entityOf(line, transaction),
        profitCenterId: this.#records.profitCenters.get(line.profitCenter ?? '') ?? null,
        locationId: this.#records.locations.get(line.location ?? '') ?? null,
        reverses: null,
      })),
    };
  }
}

const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim();

const titleOf = ({ type, number = '' }: SourceTransaction): string => clean(`${type} ${number}`);

interface PostedAll {
  /**
   * The IDs of the ledger transactions for the transactions in the files, including transactions from earlier imports.
   */
  ids: number[];
  posted: number;
  known: number;
  entries: Entries;
  documents: OpenDocuments;
}

/** The results that the transactions need: the records, and the accounts, by ID, that the transactions post to. */
interface Ready {
  records: WrittenRecords;
  subjects: ReadonlyMap<number, ProofSubject>;
}

async function postAll(writing: Writing, ready: Ready): Promise<PostedAll> {
  const { ctx, books, summary, choices } = writing;
  const { records } = ready;
  const entries = new Entries(books, summary, records);
  const from = choices.history?.from ?? null;
  const order = inDateOrder(books, from);
  const found: Found = { ids: [], posted: 0, known: 0 };
  const postAndTell = async (part: readonly Fresh[], done: number): Promise<void> => {
    const date = await postPart(writing, part, found);
    await writing.tell({ phase: 'transactions', done, total: order.length, date });
  };
  const opening = from === null ? undefined : await openingPosting(writing, ready, { entries, from });
  if (opening !== undefined) {
    const digest = identityOf(summary.system, 'transaction', `opening ${from ?? ''}`);
    await postAndTell([{ digest, posting: () => opening, source: OPENING_FACTS }], 0);
  }
  for (let at = 0; at < order.length; at += TOGETHER) {
    const part = order.slice(at, at + TOGETHER).map((index): Fresh => {
      const transaction = present(books.transactions.at(index), 'transaction');
      return {
        digest: identityOf(summary.system, 'transaction', present(transaction.identity, 'identity')),
        posting: () => entries.postingOf(transaction),
        source: factsOf(transaction),
      };
    });
    await postAndTell(part, at + part.length);
  }
  await writing.tell({ phase: 'documents', done: 0, total: books.documents.length, date: null });
  const isOnBoth = !entries.keepsBases;
  const documents = await writeDocuments({ ctx, system: summary.system, books, records, isOnBoth });
  found.ids.push(...documents.ids);
  await noteRecords(
    writing,
    [...records.brought, ...documents.brought].map((brought) => ({ brought, source: null })),
  );
  return { ...found, entries, documents };
}

/**
 * The IDs of the ledger transactions for the transactions in the files, and the numbers of new and known transactions.
 */
type Found = Pick<PostedAll, 'ids' | 'posted' | 'known'>;

/**
 * Returns the positions of the transactions from a date on, sorted by date. Transactions on the same day keep their
 * order.
 */
function inDateOrder({ transactions }: SourceBooks, from: IsoDate | null): number[] {
  const dates = Array.from({ length: transactions.length }, (_, index) => transactions.dateAt(index));
  const wanted = [...dates.keys()].filter((index) => from === null || (dates[index] ?? '') >= from);
  return wanted.toSorted((a, b) => {
    const [one, other] = [dates[a] ?? '', dates[b] ?? ''];
    return one < other ? -1 : one > other ? 1 : a - b;
  });
}

/** Posts transactions, except the ones that an earlier import posted. Returns the date of the last one. */
async function postPart(writing: Writing, part: readonly Fresh[], found: Found): Promise<IsoDate | null> {
  const { ctx } = writing;
  const rows = await ctx.tx.rows(
    knownRecords(
      'transaction',
      part.map(({ digest }) => digest),
    ),
  );
  const known = new Map(rows.map(({ identity, recordId }) => [identity.toString('hex'), recordId]));
  found.ids.push(...known.values());
  found.known += known.size;
  const fresh = part.filter(({ digest }) => !known.has(digest.toString('hex')));
  const breath = breaths();
  const requests: PostingRequest[] = [];
  for (const one of fresh) {
    requests.push({ source: { type: 'journal', id: 0 }, postings: [one.posting()] });
    await breath();
  }
  const results = await post(ctx, requests);
  const brought = results.flatMap(({ transactions: [made] }, index) => {
    const one = fresh[index];
    if (made === undefined || one === undefined) return [];
    found.ids.push(made.id);
    return [
      recordRow(writing, { kind: 'transaction', identity: one.digest, recordId: made.id, isNew: true }, one.source),
    ];
  });
  found.posted += brought.length;
  if (brought.length > 0) await ctx.tx.rows(moved.insertMany(brought));
  return requests.at(-1)?.postings[0]?.postingDate ?? null;
}

/** Stores the records that the move created or used, except those of an earlier import. */
async function noteRecords(
  writing: Writing,
  all: readonly { brought: Brought; source: SourceFacts | null }[],
): Promise<void> {
  if (all.length === 0) return;
  const rows = all.map(({ brought, source }) => recordRow(writing, brought, source));
  await writing.ctx.tx.rows(sql`
    ${moved.insertMany(rows)}
    on conflict (company_id, kind, identity) where not is_undone do nothing`);
}

interface Fresh {
  digest: Buffer;
  posting: () => Posting;
  source: SourceFacts;
}

const recordRow = ({ moveId }: Writing, one: Brought, source: SourceFacts | null) => ({ moveId, ...one, source });

const OPENING_FACTS: SourceFacts = { type: 'Opening balances', file: '', row: 0 };

function factsOf({ type, number, party, id, place }: SourceTransaction): SourceFacts {
  return {
    type,
    ...(number === undefined ? {} : { number }),
    ...(party === undefined ? {} : { party }),
    ...(id === undefined ? {} : { id }),
    ...place,
  };
}

/**
 * Returns the entry with all balances on the day before the start date. Income and expenses from earlier fiscal years
 * are in retained earnings, and control accounts have a line for each customer and vendor.
 */
async function openingPosting(
  { books, startMonth }: Writing,
  { records, subjects }: Ready,
  { entries, from }: { entries: Entries; from: IsoDate },
): Promise<Posting | undefined> {
  const yearStart = fiscalYearStart(from, startMonth);
  const retained = retainedEarningsOf(books, records);
  const sums = new Map<string, { accountId: number; basis: Basis; entityId: number | null; amount: number }>();
  await eachTransaction(books, (transaction) => {
    if (transaction.date >= from) return;
    for (const line of transaction.lines) {
      const own = entries.accountOf(line);
      const type = subjects.get(own)?.type ?? '';
      const isEarlier = transaction.date < yearStart && isProfitAndLoss(accountTypeInfo(type));
      const accountId = isEarlier ? retained : own;
      const entityId = sideOf(type) === undefined ? null : entries.entityOf(line, transaction);
      const basis = entries.basisOf(line);
      const key = `${accountId} ${basis} ${entityId ?? ''}`;
      const sum = sums.get(key) ?? { accountId, basis, entityId, amount: 0 };
      sum.amount += line.amount;
      sums.set(key, sum);
    }
  });
  const lines = [...sums.values()].filter(({ amount }) => amount !== 0);
  if (lines.length === 0) return undefined;
  const description = 'Opening balances';
  return {
    postingDate: addDays(from, -1),
    description,
    entries: lines
      .toSorted((a, b) => a.accountId - b.accountId || (a.entityId ?? 0) - (b.entityId ?? 0))
      .map(({ amount, ...line }) => ({
        ...line,
        amount: cents(amount),
        description,
        profitCenterId: null,
        locationId: null,
        reverses: null,
      })),
  };
}

function retainedEarningsOf(books: SourceBooks, records: WrittenRecords): number {
  const account = books.accounts.find(({ role }) => role === 'retainedEarnings');
  return records.accounts.get(account?.key ?? '') ?? RETAINED_EARNINGS;
}

/** Returns the side that has a control account of this type. */
const sideOf = (type: string | undefined): 'receivable' | 'payable' | undefined =>
  type === 'Accounts Receivable' ? 'receivable' : type === 'Accounts Payable' ? 'payable' : undefined;

const addPerson = (map: Map<string, number>, side: string, entityId: number | null, amount: number): void => {
  const key = `${side} ${entityId ?? 0}`;
  map.set(key, (map.get(key) ?? 0) + amount);
};

/** Adds up the source's lines by account and month, and receivables and payables by name. */
async function sourceTotals(
  { books }: Writing,
  { entries, subjects }: { entries: Entries; subjects: Ready['subjects'] },
): Promise<{ source: MonthlyAmount<number>[]; people: Map<string, number> }> {
  const source = new Map<string, MonthlyAmount<number>>();
  const people = new Map<string, number>();
  await eachTransaction(books, (transaction) => {
    const { date } = transaction;
    for (const line of transaction.lines) {
      if (line.basis === 'C') continue;
      const account = entries.accountOf(line);
      const key = `${account} ${date.slice(0, 7)}`;
      source.set(key, { account, date, amount: cents((source.get(key)?.amount ?? 0) + line.amount) });
      const side = sideOf(subjects.get(account)?.type);
      if (side !== undefined) addPerson(people, side, entries.entityOf(line, transaction), line.amount);
    }
  });
  return { source: [...source.values()], people };
}

/** Compares the written rows with the source. */
async function proved(
  writing: Writing,
  { records, subjects, reconciled }: Ready & { reconciled: Reconciled },
  posting: PostedAll,
): Promise<Written> {
  const { ctx, books, summary, choices, startMonth } = writing;
  const { tx } = ctx;
  const { entries, ids, documents } = posting;
  const from = choices.history?.from ?? null;
  const sums = await tx.rows(writtenSums(ids));
  const { source, people } = await sourceTotals(writing, { entries, subjects });
  const ledger = sums.map(({ accountId, month, amount }) => ({ account: accountId, date: month, amount }));
  const own = new Map<string, number>();
  for (const { accountId, entityId, amount } of sums) {
    const side = sideOf(subjects.get(accountId)?.type);
    if (side !== undefined) addPerson(own, side, entityId, amount);
  }
  const monthEnds = monthEndsOf([...source, ...ledger].map(({ date }) => date));
  // The opening entry is part of the balances of the first month.
  const first = from === null ? 0 : Math.max(0, monthEnds.indexOf(endOfMonth(from)));
  const retainedEarnings = retainedEarningsOf(books, records);
  const compared = compareBalances({
    subjects,
    source,
    ledger,
    monthEnds,
    first,
    retainedEarnings,
    startMonth,
  });
  const parties = await compareParties(tx, people, own);
  const reports = reportRow(summary);
  const proof: ProofRow[] = [
    ...compared.rows.slice(0, 1),
    ...parties.rows,
    ...compared.rows.slice(1),
    ...(reconciled.row === undefined ? [] : [reconciled.row]),
    ...(reports === undefined ? [] : [reports]),
  ];
  const totalDifference = cents(proof.reduce((sum, { difference }) => sum + difference, 0));
  const isProved = proof.every(({ differing }) => differing === 0);
  const failure = isProved
    ? null
    : failureOf(writing, { ...compared, reconciled: reconciled.differing }, parties.differences);
  const dates = periodFrom(books, from);
  const result = {
    counts: {
      transactions: posting.posted,
      ...records.counts,
      ...documents.counts,
      known: posting.known,
    },
    ...dates,
    rejected: [...records.rejected, ...documents.rejected].map(({ file, row, text }) => ({
      file,
      text,
      ...(row === undefined ? {} : { row }),
    })),
    proved: isProved,
    totalDifference,
    comparedAccounts: compared.balances.accounts.length,
    proof,
    months: compared.months,
    failure,
    notImported: [...NOT_IMPORTED],
  };
  return { result, balances: compared.balances };
}

/** Returns the first and the last date of the transactions from a date on. */
function periodFrom({ transactions }: SourceBooks, from: IsoDate | null): { from: IsoDate | null; to: IsoDate | null } {
  const found: { from: IsoDate | null; to: IsoDate | null } = { from: null, to: null };
  for (let index = 0; index < transactions.length; index += 1) {
    const date = transactions.dateAt(index);
    if (from !== null && date < from) continue;
    if (found.from === null || date < found.from) found.from = date;
    if (found.to === null || date > found.to) found.to = date;
  }
  return found;
}

async function subjectsOf(tx: Tx, records: WrittenRecords, books: SourceBooks): Promise<Map<number, ProofSubject>> {
  const keys = new Map<number, string>();
  for (const [key, id] of records.accounts) if (!keys.has(id)) keys.set(id, key);
  const rows = await tx.rows(accountsByIdSql([...new Set([...keys.keys(), RETAINED_EARNINGS])]));
  const isListed = new Set(books.accounts.map(({ key }) => key));
  return new Map(
    rows.map(({ id, number, name, type }) => {
      const key = keys.get(id) ?? '';
      return [id, { id, key: isListed.has(key) ? key : String(id), number, name, type }];
    }),
  );
}

interface PartyComparison {
  rows: ProofRow[];
  differences: NonNullable<MoveResult['failure']>['parties'];
}

/** Compares receivables and payables by customer and vendor. */
async function compareParties(
  tx: Tx,
  source: ReadonlyMap<string, number>,
  own: ReadonlyMap<string, number>,
): Promise<PartyComparison> {
  const differences: PartyComparison['differences'] = [];
  const names = await namesOf(tx, [...source.keys(), ...own.keys()]);
  const sides = [
    { side: 'receivable', kind: 'receivables', name: 'Receivables by customer', word: 'customer', sign: 1 },
    { side: 'payable', kind: 'payables', name: 'Payables by vendor', word: 'vendor', sign: -1 },
  ] as const;
  const rows = sides.map(({ side, kind, name, word, sign }): ProofRow => {
    const keys = [...new Set([...source.keys(), ...own.keys()])].filter((key) => key.startsWith(`${side} `));
    let [wanted, found, difference, differing, open] = [0, 0, 0, 0, 0];
    for (const key of keys) {
      const [a, b] = [(source.get(key) ?? 0) * sign, (own.get(key) ?? 0) * sign];
      wanted += a;
      found += b;
      if (a !== 0 || b !== 0) open += 1;
      if (a === b) continue;
      differing += 1;
      difference += Math.abs(b - a);
      const party = names.get(key) ?? `(no ${word})`;
      differences.push({ side, party, source: cents(a), ledger: cents(b), difference: cents(b - a) });
    }
    return {
      kind,
      name,
      compared: plural(open, word),
      source: cents(wanted || 0),
      ledger: cents(found || 0),
      difference: cents(difference),
      differing,
      total: open,
    };
  });
  return { rows, differences };
}

async function namesOf(tx: Tx, keys: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(keys.map((key) => Number(key.split(' ')[1])))].filter((id) => id > 0);
  const rows = await tx.rows(entityNames(ids));
  const byId = new Map(rows.map(({ id, name }) => [id, name]));
  return new Map(
    keys.flatMap((key) => {
      const name = byId.get(Number(key.split(' ')[1]));
      return name === undefined ? [] : [[key, name] as const];
    }),
  );
}

/** Returns the row for the trial balances and aging reports among the files. */
function reportRow({ compared, reportDifferences, partyDifferences }: BooksSummary): ProofRow | undefined {
  if (compared === 0) return undefined;
  const differing = reportDifferences.length + partyDifferences.length;
  const difference = [
    ...reportDifferences.map(({ report, transactions }) => report - transactions),
    ...partyDifferences.map((one) => one.difference),
  ].reduce((sum, one) => sum + Math.abs(one), 0);
  return {
    kind: 'file',
    name: 'Reports in the files',
    compared: plural(compared, 'balance'),
    source: cents(0),
    ledger: cents(0),
    difference: cents(difference),
    differing,
    total: compared,
  };
}

function failureOf(
  { books, summary, fileOf }: Writing,
  { differing, balances, reconciled }: Comparison & { reconciled: readonly ProofAccount[] },
  parties: PartyComparison['differences'],
): NonNullable<MoveResult['failure']> {
  const inReports = summary.reportDifferences.map((one): ProofAccount => ({
    key: one.account,
    number: '',
    name: one.accountName,
    lastAgreeing: null,
    monthEnd: one.asOf,
    source: one.report,
    ledger: one.transactions,
    difference: cents(one.transactions - one.report),
    differenceAtEnd: cents(one.transactions - one.report),
  }));
  const ofReports = summary.partyDifferences.map(({ party, side, source, ledger, difference }) => {
    // In these rows, `source` is the balance in a report, and `ledger` is the balance calculated from the transactions.
    return { side, party, source, ledger, difference };
  });
  const accounts = [...new Map([...differing, ...inReports].toReversed().map((one) => [one.key, one])).values()];
  const people = [...parties, ...ofReports];
  const total = balances.accounts.length;
  const bankWords = accounts.length + people.length === 0 ? reconciliationWords(reconciled) : undefined;
  const words =
    bankWords !== undefined
      ? { ...bankWords, accounts: [...reconciled], otherAccounts: total - reconciled.length }
      : accounts.length > 0
        ? failureWords(accounts, total)
        : partyWords(people, total);
  const [first] = words.accounts;
  const month = (first?.monthEnd ?? summary.to ?? '').slice(0, 7);
  const keys = new Set(words.accounts.map(({ key }) => key));
  const difference = first?.difference ?? people[0]?.difference ?? cents(0);
  return {
    ...words,
    parties: people.slice(0, 200),
    candidates: candidatesFor(books, { accounts: keys, month, difference }, fileOf),
  };
}

function partyWords(people: PartyComparison['differences'], total: number) {
  const [first] = people;
  const amount = formatAmount(cents(Math.abs(first?.difference ?? 0)));
  const others = people.length - 1;
  const more = others > 0 ? `${plural(others, 'other name')} also ${others === 1 ? 'differs' : 'differ'}. ` : '';
  return {
    title: `${first?.party ?? ''} differs by ${amount}`,
    text: `${more}All accounts agree. The import was rolled back.`,
    accounts: [],
    otherAccounts: total,
  };
}
