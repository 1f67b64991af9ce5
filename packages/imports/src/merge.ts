import type { IsoDate } from '@evenkeel/core/dates';
import {
  emptyBooks,
  type Notice,
  noticeAt,
  type PartyKind,
  Refusal,
  type SourceBooks,
  type SourceParty,
  type SourceSystem,
  type SourceTransaction,
} from './books.ts';
import { Chart } from './chart.ts';
import { contentOf, identified } from './identity.ts';
import type { FileBooks } from './reader.ts';
import { grouped } from './grouped.ts';
import { Transactions } from './transactions.ts';

/** The contents of one file. */
export interface ReadPart {
  file: string;
  format: string;
  system: SourceSystem;
  books: FileBooks;
}

/**
 * The formats that contain transactions, ordered by how much information they have. If several files come from the same
 * program, only the best format is used.
 */
const BEST_FIRST = ['qbo-journal', 'qbo-ledger', 'desktop-detail', 'iif', 'xero-journal', 'xero-transactions'];

const rankOf = ({ format }: Pick<ReadPart, 'format'>): number => {
  const rank = BEST_FIRST.indexOf(format);
  return rank < 0 ? 0 : rank;
};

/** Combines files into one chart, one list of transactions without duplicates, and all notices. */
export function merged(parts: readonly ReadPart[]): SourceBooks {
  const books = emptyBooks();
  const systems = new Set(parts.map(({ system }) => system));
  const main = parts.find(({ books: { transactions } }) => (transactions?.length ?? 0) > 0) ?? parts[0];
  if (main === undefined) return books;
  books.system = main.system;
  checkSystems(parts, systems, books);
  checkCompanies(parts, books);
  const chart = chartOf(parts, main.system);
  for (const { books: part } of parts) {
    books.warnings.push(...(part.warnings ?? []));
    books.questions.push(...(part.questions ?? []));
    books.items.push(...(part.items ?? []));
    books.taxes.push(...(part.taxes ?? []).filter(isNew(books.taxes)));
    books.paymentTypes.push(...(part.paymentTypes ?? []).filter(isNew(books.paymentTypes)));
    if (part.basis !== undefined) books.basis = part.basis;
  }
  try {
    books.transactions = transactionsOf(parts, chart, books);
    books.documents = uniqueDocuments(parts).map((document) => ({
      ...document,
      lines: document.lines.map((line) =>
        line.account === undefined ? line : { ...line, account: chart.keyFor(line.account, document.place) },
      ),
    }));
    for (const { books: part } of parts) {
      books.partyBalances.push(...(part.partyBalances ?? []));
      for (const balance of part.trialBalances ?? []) {
        const balances = balance.balances.map((one) => ({ ...one, account: chart.keyFor(one.account, one.place) }));
        books.trialBalances.push({ ...balance, balances });
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    books.refusals.push(error.notice);
  }
  books.accounts = chart.accounts;
  books.parties = partiesOf(parts, books);
  books.warnings.push(...chart.warnings());
  setPeriod(parts, books);
  return books;
}

/** Returns the chart of the accounts listed in the files. */
export function chartOf(parts: readonly ReadPart[], system: SourceSystem | undefined): Chart {
  const chart = new Chart(system);
  const accounts = parts.flatMap(({ books }) => books.accounts ?? []);
  // Accounts from lists are added first, because lists contain more information than transactions do.
  for (const account of accounts) if (account.place !== undefined) chart.add(account);
  for (const account of accounts) if (account.place === undefined) chart.add(account);
  return chart;
}

function checkSystems(parts: readonly ReadPart[], systems: ReadonlySet<SourceSystem>, books: SourceBooks): void {
  const withBooks = new Set(
    parts.filter(({ books: part }) => (part.transactions?.length ?? 0) > 0).map(({ system }) => system),
  );
  if (withBooks.size < 2 || systems.size < 2) return;
  const other = parts.find(
    ({ system, books: part }) => system !== books.system && (part.transactions?.length ?? 0) > 0,
  );
  if (other === undefined) return;
  const sentence =
    `The file is from ${other.system}, but other files are from ${books.system ?? ''}. ` +
    `Import from one program at a time.`;
  books.refusals.push(noticeAt(other.file, sentence));
}

const companyName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Rejects a file from another company. The company name that most files have is taken as correct. */
function checkCompanies(parts: readonly ReadPart[], books: SourceBooks): void {
  const named = parts.flatMap(({ file, books: { company, titles } }) =>
    company === undefined ? [] : [{ file, company, names: titles ?? [company] }],
  );
  const all = named.flatMap(({ file, names }) => [...new Set(names)].map((name) => ({ file, name })));
  const groups = grouped(all, ({ name }) => companyName(name));
  const own = [...groups.values()].toSorted((a, b) => b.length - a.length)[0]?.[0];
  if (own === undefined) return;
  books.company = own.name;
  for (const { file, company, names } of named) {
    if (names.some((name) => companyName(name) === companyName(own.name))) continue;
    const sentence = `The file is for ${company}, but ${own.file} is for ${own.name}. Remove one of the two files.`;
    books.refusals.push(noticeAt(file, sentence));
  }
}

/** Returns the transactions of all files. A transaction that is in several files counts only once. */
function transactionsOf(parts: readonly ReadPart[], chart: Chart, books: SourceBooks): Transactions {
  const all = parts.flatMap(({ file, format, system, books: { transactions } }): Used[] =>
    transactions === undefined || transactions.length === 0 || system !== books.system
      ? []
      : [{ file, format, system, transactions }],
  );
  const best = all.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
  const used = all.filter(({ format }) => format === best?.format);
  for (const part of all) {
    if (used.includes(part)) continue;
    const sentence =
      `The transactions in this file are not imported, because ${best?.file ?? ''} contains them ` + `in more detail`;
    books.warnings.push(noticeAt(part.file, sentence));
  }
  chart.usesFullNames = used.some(({ transactions }) => namesParents(transactions));
  for (const { system, transactions } of used) {
    let index = 0;
    for (const { identity } of identified(system, transactions, isByDate(transactions))) {
      transactions.identify(index, identity, (account, place) => chart.keyFor(account, place));
      index += 1;
    }
  }
  const [first, ...others] = used;
  if (first === undefined) return new Transactions();
  return others.length === 0 ? first.transactions : combined(used, books);
}

/** A file whose transactions are used. */
interface Used extends Omit<ReadPart, 'books'> {
  transactions: Transactions;
}

function namesParents(transactions: Transactions): boolean {
  for (const { lines } of transactions) if (lines.some(({ account }) => account.includes(':'))) return true;
  return false;
}

function isByDate(transactions: Transactions): boolean {
  for (let index = 1; index < transactions.length; index += 1) {
    if (transactions.dateAt(index) < transactions.dateAt(index - 1)) return false;
  }
  return true;
}

/** Returns the transactions from several files, without duplicates. */
function combined(used: readonly Used[], books: SourceBooks): Transactions {
  const found = new Transactions();
  const positions = new Map<string, number>();
  const changed = new Map<number, SourceTransaction>();
  for (const { transactions } of used) {
    for (const transaction of transactions) {
      const { identity = '' } = transaction;
      const position = positions.get(identity);
      const known = position === undefined ? undefined : (changed.get(position) ?? found.at(position));
      if (position === undefined || known === undefined) {
        positions.set(identity, found.length);
        found.push(transaction);
      } else if (isOtherBasis(known, transaction)) changed.set(position, withCash(known, transaction));
      else if (isOtherBasis(transaction, known)) changed.set(position, withCash(transaction, known));
      else if (contentOf(known) !== contentOf(transaction)) books.refusals.push(twoVersions(known, transaction));
    }
  }
  if (changed.size === 0) return found;
  const whole = new Transactions();
  let position = 0;
  for (const transaction of found) {
    whole.push(changed.get(position) ?? transaction);
    position += 1;
  }
  return whole;
}

const onCashOnly = ({ lines }: SourceTransaction): SourceTransaction['lines'] =>
  lines.filter(({ basis }) => basis === 'C');

const withCash = (accrual: SourceTransaction, cash: SourceTransaction): SourceTransaction => ({
  ...accrual,
  lines: [...accrual.lines, ...onCashOnly(cash)],
});

/**
 * Returns whether the second transaction is the same as the first transaction, but exported on the cash basis. Evenkeel
 * exports each basis to its own file.
 */
function isOtherBasis(accrual: SourceTransaction, cash: SourceTransaction): boolean {
  const isOn = (basis: 'A' | 'C') => (line: SourceTransaction['lines'][number]) => line.basis === basis;
  if (accrual.lines.some(isOn('C')) || cash.lines.some(isOn('A'))) return false;
  if (!accrual.lines.some(isOn('A')) && !cash.lines.some(isOn('C'))) return false;
  const onBoth = (one: SourceTransaction): string =>
    contentOf({ ...one, lines: one.lines.filter(({ basis }) => basis === 'B') });
  return onBoth(accrual) === onBoth(cash);
}

function twoVersions(known: SourceTransaction, own: SourceTransaction): Notice {
  return noticeAt(
    own.place,
    `Transaction ${own.id ?? ''} differs from the one in ${known.place.file}, row ${known.place.row}. ` +
      `Export both files again.`,
  );
}

/** Returns each open document only once, because an aging report may repeat documents in an invoice list. */
function uniqueDocuments(parts: readonly ReadPart[]): SourceBooks['documents'] {
  const found = new Map<string, SourceBooks['documents'][number]>();
  for (const { file, books } of parts) {
    const counts = new Map<string, number>();
    for (const document of books.documents ?? []) {
      const { kind, number, date, party, open } = document;
      const base = JSON.stringify([kind, number ?? '', date, party.toLowerCase(), open]);
      const count = (counts.get(base) ?? 0) + 1;
      counts.set(base, count);
      const known = found.get(`${base} ${count}`);
      // A document with line items has more information and is preferred.
      if (known === undefined || (known.place.file !== file && document.lines.length > known.lines.length)) {
        found.set(`${base} ${count}`, document);
      }
    }
  }
  return [...found.values()];
}

/** Returns a function that checks whether a record's name is new. Names that differ only in case are the same. */
function isNew(known: readonly { name: string }[]): (one: { name: string }) => boolean {
  const names = new Set(known.map(({ name }) => name.toLowerCase()));
  return ({ name }) => !names.has(name.toLowerCase());
}

/** Returns the customers, vendors, and other names in lists and transactions. */
function partiesOf(parts: readonly ReadPart[], books: SourceBooks): SourceParty[] {
  const found = new Map<string, SourceParty>();
  for (const { books: part } of parts) {
    for (const party of part.parties ?? []) {
      const key = party.name.toLowerCase();
      const known = found.get(key);
      if (known === undefined) found.set(key, party);
      else if (known.kind !== party.kind && party.kind !== undefined) found.set(`${key} ${party.kind}`, party);
    }
  }
  const roles = new Map(books.accounts.map((account) => [account.key, account.role]));
  for (const { lines } of books.transactions) {
    for (const { party, partyKind, account } of lines) {
      if (party === undefined) continue;
      const key = party.toLowerCase();
      const known = found.get(key);
      const kind = partyKind ?? kindFor(roles.get(account));
      if (known === undefined) found.set(key, { name: party, ...(kind === undefined ? {} : { kind }), isActive: true });
      else if (known.kind === undefined && kind !== undefined) found.set(key, { ...known, kind });
    }
  }
  for (const { party, kind } of books.documents) {
    const side: PartyKind = /^(bill|vendor)/.test(kind) ? 'vendor' : 'customer';
    const known = found.get(party.toLowerCase());
    if (known === undefined) found.set(party.toLowerCase(), { name: party, kind: side, isActive: true });
    else if (known.kind === undefined) found.set(party.toLowerCase(), { ...known, kind: side });
  }
  return [...found.values()];
}

const kindFor = (role: string | undefined): PartyKind | undefined =>
  role === 'receivable' ? 'customer' : role === 'payable' ? 'vendor' : undefined;

function setPeriod(parts: readonly ReadPart[], books: SourceBooks): void {
  const withBooks = parts.filter(({ books: part }) => (part.transactions?.length ?? 0) > 0);
  const starts = withBooks.map(({ books: { from } }) => from);
  const ends = withBooks.map(({ books: { to } }) => to);
  let [first, last]: (IsoDate | undefined)[] = [];
  for (let index = 0; index < books.transactions.length; index += 1) {
    const date = books.transactions.dateAt(index);
    if (first === undefined || date < first) first = date;
    if (last === undefined || date > last) last = date;
  }
  const from = starts.every((one) => one !== undefined) ? starts.toSorted()[0] : first;
  const to = ends.every((one) => one !== undefined) ? ends.toSorted().at(-1) : last;
  if (from !== undefined) books.from = from;
  if (to !== undefined) books.to = to;
}
