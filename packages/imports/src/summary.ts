import { endOfMonth, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import type { Notice, Place, SourceAccount, SourceBooks, SourceItem, SourcePaymentType, SourceTax } from './books.ts';
import { People, type PersonFacts, personKey } from './people.ts';
import { type PartyDifference, provePartyBalances, proveTrialBalances, type SourceDifference } from './prove.ts';
import type { Reading, Recognized } from './read.ts';

/** An account with the number of its lines and its balance on the last day. */
export interface AccountSummary extends Omit<SourceAccount, 'place'> {
  lines: number;
  balance: Cents;
}

/** A customer or vendor with its lines in control accounts. */
export interface PersonSummary extends PersonFacts {
  /** The ID in the source. */
  id?: string;
  company: string;
  address: string;
  terms: string;
  taxId: string;
  taxCode?: string | undefined;
  isActive: boolean;
  place: Place | null;
  transactions: number;
  /** Receivables less payables on the last day. */
  balance: Cents;
}

/** The contents of files, without the transactions, as plain JSON. */
export interface BooksSummary {
  files: Recognized[];
  system: string;
  company: string;
  from: IsoDate | null;
  to: IsoDate | null;
  basis: 'accrual' | 'cash' | null;
  refusals: Notice[];
  warnings: Notice[];
  /** Whether a file leaves a question open, so that dates may be wrong. */
  hasQuestions: boolean;
  transactions: number;
  /** The number of transactions by month ("2026-03"). */
  months: Record<string, number>;
  accounts: AccountSummary[];
  people: PersonSummary[];
  items: SourceItem[];
  /** Missing in summaries that were stored before these lists were read. */
  taxes?: SourceTax[];
  paymentTypes?: SourcePaymentType[];
  documents: { invoices: number; bills: number; credits: number };
  /** Balances in the files' own reports that don't match the transactions. */
  reportDifferences: SourceDifference[];
  partyDifferences: PartyDifference[];
  /** The number of balances that were compared with the files' own reports. */
  compared: number;
}

/** Returns the number of transactions by month. */
function monthsOf(books: SourceBooks): Record<string, number> {
  const months: Record<string, number> = {};
  for (let index = 0; index < books.transactions.length; index += 1) {
    const month = books.transactions.dateAt(index).slice(0, 7);
    months[month] = (months[month] ?? 0) + 1;
  }
  return months;
}

/** Summarizes books for the user's decisions. `startMonth` is the first month of the fiscal year, 1 to 12. */
export function summaryOf({ files, books }: Reading, startMonth: number): BooksSummary {
  const isReadable = books.refusals.length === 0 && books.questions.length === 0;
  const credits = books.documents.filter(({ kind }) => kind !== 'invoice' && kind !== 'bill').length;
  return {
    files,
    system: books.system ?? 'Spreadsheet',
    company: books.company ?? '',
    from: books.from ?? null,
    to: books.to ?? null,
    basis: books.basis ?? null,
    refusals: books.refusals,
    warnings: books.warnings,
    hasQuestions: books.questions.length > 0,
    transactions: books.transactions.length,
    months: monthsOf(books),
    ...balancesOf(books),
    items: books.items,
    taxes: books.taxes,
    paymentTypes: books.paymentTypes,
    documents: {
      invoices: books.documents.filter(({ kind }) => kind === 'invoice').length,
      bills: books.documents.filter(({ kind }) => kind === 'bill').length,
      credits,
    },
    reportDifferences: isReadable ? proveTrialBalances(books, startMonth) : [],
    partyDifferences: isReadable ? provePartyBalances(books) : [],
    compared: books.trialBalances.reduce((sum, { balances }) => sum + balances.length, 0) + books.partyBalances.length,
  };
}

function balancesOf(books: SourceBooks): Pick<BooksSummary, 'accounts' | 'people'> {
  const people = new People(books);
  const sums = new Map(books.accounts.map(({ key }) => [key, { lines: 0, balance: 0 }]));
  const roles = new Map(books.accounts.map(({ key, role }) => [key, role]));
  const persons = new Map<string, PersonSummary>();
  for (const party of books.parties) {
    const { kind, place = null } = party;
    // A name in a list always becomes a record. Any other name becomes a record only if a line needs the record.
    if (place !== null && (kind === 'customer' || kind === 'vendor')) {
      persons.set(personKey(kind, party.name), personOf(kind, { ...party, place }));
    }
  }
  for (const { party, kind } of books.documents) {
    const side = /^(bill|vendor)/.test(kind) ? 'vendor' : 'customer';
    const key = personKey(side, party);
    if (!persons.has(key)) persons.set(key, personOf(side, { name: party, place: null, isActive: true }));
  }
  for (const transaction of books.transactions) {
    const named = new Set<PersonSummary>();
    for (const line of transaction.lines) {
      const sum = sums.get(line.account);
      if (sum !== undefined) {
        sum.lines += 1;
        sum.balance += line.amount;
      }
      const kind = people.kindOf(line, transaction);
      if (kind === undefined || line.party === undefined) continue;
      const key = personKey(kind, line.party);
      const person = persons.get(key) ?? personOf(kind, { name: line.party, place: null, isActive: true });
      persons.set(key, person);
      named.add(person);
      const role = roles.get(line.account);
      if (role === 'receivable' || role === 'payable') person.balance = cents(person.balance + line.amount);
    }
    for (const person of named) person.transactions += 1;
  }
  return {
    accounts: books.accounts.map(({ place: _, ...account }) => {
      const { lines, balance } = sums.get(account.key) ?? { lines: 0, balance: 0 };
      return { ...account, lines, balance: cents(balance) };
    }),
    people: [...persons.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en') || (a.key < b.key ? -1 : 1)),
  };
}

interface Known {
  name: string;
  id?: string;
  place: Place | null;
  isActive: boolean;
  company?: string;
  email?: string;
  phone?: string;
  address?: string;
  terms?: string;
  taxId?: string;
  taxCode?: string;
}

function personOf(kind: 'customer' | 'vendor', known: Known): PersonSummary {
  const { name, place, isActive, company = '', email = '', phone = '', address = '', terms = '', taxId = '' } = known;
  const facts = { company, email, phone, address, terms, taxId, taxCode: known.taxCode, isActive, place };
  const id = known.id === undefined ? {} : { id: known.id };
  return { key: personKey(kind, name), kind, name: name.trim(), ...id, ...facts, transactions: 0, balance: cents(0) };
}

/** The amounts of accounts by month, from a ledger or from books. */
export interface MonthlyAmount<K> {
  account: K;
  /** Any day of the month. */
  date: IsoDate;
  amount: Cents;
}

/**
 * The rules for a trial balance: the temporary accounts, the account to which they are closed, and the start of the
 * fiscal year.
 */
export interface Closing<K> {
  isTemporary: (account: K) => boolean;
  /** The account for the earnings of earlier fiscal years. */
  retainedEarnings: K;
  /** The first month of the fiscal year, 1 to 12. */
  startMonth: number;
}

/**
 * Returns the trial balance at each month end, as a program shows it: income and expenses since the start of the fiscal
 * year, and the earnings of earlier years in retained earnings. Accounts without any balance are omitted.
 */
export function trialBalances<K>(
  amounts: Iterable<MonthlyAmount<K>>,
  monthEnds: readonly IsoDate[],
  { isTemporary, retainedEarnings, startMonth }: Closing<K>,
): Map<K, Cents[]> {
  const columns = new Map(monthEnds.map((date, index) => [date, index]));
  const changes = new Map<K, number[]>();
  for (const { account, date, amount } of amounts) {
    const column = columns.get(endOfMonth(date));
    if (column === undefined) continue;
    const own = changes.get(account) ?? monthEnds.map(() => 0);
    own[column] = (own[column] ?? 0) + amount;
    changes.set(account, own);
  }
  const found = new Map<K, number[]>();
  const of = (account: K): number[] => {
    const known = found.get(account) ?? monthEnds.map(() => 0);
    found.set(account, known);
    return known;
  };
  for (const [account, own] of changes) {
    let balance = 0;
    let earlier = 0;
    for (const [column, monthEnd] of monthEnds.entries()) {
      if (isTemporary(account) && Number(monthEnd.slice(5, 7)) === startMonth && column > 0) {
        earlier += balance;
        balance = 0;
      }
      balance += own[column] ?? 0;
      const balances = of(account);
      balances[column] = (balances[column] ?? 0) + balance;
      if (earlier !== 0) {
        const retained = of(retainedEarnings);
        retained[column] = (retained[column] ?? 0) + earlier;
      }
    }
  }
  return new Map([...found].map(([account, balances]) => [account, balances.map(cents)]));
}
