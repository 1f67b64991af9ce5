import type { ProofAccount, ProofFailure, ProofMonth, ProofRow } from '@evenkeel/contract/moving';
import { accountTypeInfo, isProfitAndLoss } from '@evenkeel/core/books/accounts';
import { fiscalYearStart, formatDate, formatMonth, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount } from '@evenkeel/core/money';
import { trialBalances, type MonthlyAmount } from '@evenkeel/imports/summary';
import type { AccountBalances, StoredBalances } from './moving.sql.ts';

/** Compares balances in the source with balances in the ledger, by account and month. */

/** A company account in the proof, with the names of the source accounts that are imported into it. */
export interface ProofSubject {
  id: number;
  key: string;
  number: string;
  name: string;
  type: string;
}

export interface Side {
  /** The amounts by account ID. */
  amounts: readonly MonthlyAmount<number>[];
}

export interface Asked {
  subjects: ReadonlyMap<number, ProofSubject>;
  source: readonly MonthlyAmount<number>[];
  ledger: readonly MonthlyAmount<number>[];
  /** All month ends in the source and the ledger, and the first month end that is compared. */
  monthEnds: readonly IsoDate[];
  first: number;
  retainedEarnings: number;
  startMonth: number;
}

export interface Comparison {
  months: ProofMonth[];
  balances: StoredBalances;
  /** The accounts whose balances differ, each with its first difference. */
  differing: ProofAccount[];
  rows: ProofRow[];
  totalDifference: Cents;
}

const temporary =
  ({ subjects }: Asked) =>
  (id: number): boolean => {
    const type = subjects.get(id)?.type;
    return type !== undefined && isProfitAndLoss(accountTypeInfo(type));
  };

/** Compares the trial balance of every account at every month end. */
export function compareBalances(asked: Asked): Comparison {
  const { subjects, source, ledger, monthEnds: all, first, retainedEarnings, startMonth } = asked;
  const closing = { isTemporary: temporary(asked), retainedEarnings, startMonth };
  const [wanted, own] = [trialBalances(source, all, closing), trialBalances(ledger, all, closing)];
  const monthEnds = all.slice(first);
  const none = monthEnds.map(() => cents(0));
  const ids = [...new Set([...wanted.keys(), ...own.keys()])].toSorted((a, b) => a - b);
  const accounts = ids.map((id) => {
    const [a, b] = [wanted.get(id)?.slice(first) ?? none, own.get(id)?.slice(first) ?? none];
    return { id, subject: subjects.get(id), source: a, ledger: b };
  });
  const months = monthEnds.map((monthEnd, column): ProofMonth => {
    const debits = (side: 'source' | 'ledger'): number =>
      accounts.reduce((sum, one) => sum + Math.max(0, one[side][column] ?? 0), 0);
    const differences = accounts.map((one) => Math.abs((one.ledger[column] ?? 0) - (one.source[column] ?? 0)));
    return {
      monthEnd,
      accounts: accounts.length,
      source: cents(debits('source')),
      ledger: cents(debits('ledger')),
      difference: cents(differences.reduce((a, b) => a + b, 0)),
      differing: differences.filter((one) => one !== 0).length,
    };
  });
  const differing = accounts.flatMap((one) => firstDifference(one, monthEnds));
  const totalDifference = cents(months.reduce((sum, { difference }) => sum + difference, 0));
  const last = months.at(-1);
  const trial: ProofRow = {
    kind: 'trialBalance',
    name: 'Trial balance',
    compared: `${plural(accounts.length, 'account')} at ${plural(months.length, 'month end')}`,
    source: last?.source ?? cents(0),
    ledger: last?.ledger ?? cents(0),
    difference: totalDifference,
    differing: months.filter((month) => month.differing > 0).length,
    total: months.length,
  };
  return {
    months: months.toReversed(),
    balances: { monthEnds, accounts: accounts.map(storedOf) },
    differing,
    rows: [trial, ...resultRows(asked, accounts, monthEnds)],
    totalDifference,
  };
}

interface Balances {
  id: number;
  subject: ProofSubject | undefined;
  source: readonly Cents[];
  ledger: readonly Cents[];
}

function storedOf({ id, subject, source, ledger }: Balances): AccountBalances {
  const isSame = source.every((amount, at) => amount === ledger[at]);
  const { key = String(id), number = '', name = `Account ${id}` } = subject ?? {};
  return { key, number, name, source: [...source], ledger: isSame ? null : [...ledger] };
}

function firstDifference({ id, subject, source, ledger }: Balances, monthEnds: readonly IsoDate[]): ProofAccount[] {
  const at = monthEnds.findIndex((_, column) => source[column] !== ledger[column]);
  const monthEnd = monthEnds[at];
  if (monthEnd === undefined) return [];
  const [a, b] = [source[at] ?? cents(0), ledger[at] ?? cents(0)];
  const { key = String(id), number = '', name = `Account ${id}` } = subject ?? {};
  return [
    {
      key,
      number,
      name,
      lastAgreeing: monthEnds[at - 1] ?? null,
      monthEnd,
      source: a,
      ledger: b,
      difference: cents(b - a),
      differenceAtEnd: cents((ledger.at(-1) ?? 0) - (source.at(-1) ?? 0)),
    },
  ];
}

/** Compares net income for the fiscal year through the last day, and retained earnings from earlier years. */
function resultRows(asked: Asked, accounts: readonly Balances[], monthEnds: readonly IsoDate[]): ProofRow[] {
  const last = monthEnds.at(-1);
  if (last === undefined) return [];
  const isTemporary = temporary(asked);
  const sumOf = (side: 'source' | 'ledger', of: (one: Balances) => boolean): Cents =>
    cents(-accounts.filter(of).reduce((sum, one) => sum + (one[side].at(-1) ?? 0), 0) || 0);
  const row = (kind: ProofRow['kind'], name: string, compared: string, of: (one: Balances) => boolean): ProofRow => {
    const [source, ledger] = [sumOf('source', of), sumOf('ledger', of)];
    const difference = cents(Math.abs(ledger - source));
    return { kind, name, compared, source, ledger, difference, differing: difference === 0 ? 0 : 1, total: 1 };
  };
  const start = fiscalYearStart(last, asked.startMonth);
  return [
    row('netIncome', `Net income since ${formatDate(start)}`, 'Income less expenses', ({ id }) => isTemporary(id)),
    row(
      'retainedEarnings',
      'Retained earnings',
      `All years before ${formatDate(start)}`,
      ({ id }) => id === asked.retainedEarnings,
    ),
  ];
}

/** Returns text such as "1 account" or "34 accounts". */
export const plural = (count: number, word: string): string =>
  `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;

const LIST = new Intl.ListFormat('en-US');

/** Returns the message about accounts whose balances differ. The account with the earliest difference comes first. */
export function failureWords(
  differing: readonly ProofAccount[],
  total: number,
): Pick<ProofFailure, 'title' | 'text' | 'accounts' | 'otherAccounts'> {
  const accounts = differing.toSorted((a, b) =>
    a.monthEnd === b.monthEnd ? Math.abs(b.difference) - Math.abs(a.difference) : a.monthEnd < b.monthEnd ? -1 : 1,
  );
  const [first, ...others] = accounts;
  if (first === undefined) throw new Error('a proof without differences failed');
  const amount = formatAmount(cents(Math.abs(first.difference)));
  const rest = total - accounts.length;
  const names = others.slice(0, 3).map(({ name }) => name);
  const more = others.length - names.length;
  const sides =
    names.length === 0
      ? ''
      : `${LIST.format([...names, ...(more > 0 ? [plural(more, 'more account')] : [])])} also ${
          others.length === 1 ? 'differs' : 'differ'
        }. `;
  return {
    title: `${first.name} differs by ${amount} in ${formatMonth(first.monthEnd)}`,
    text: `${sides}${plural(rest, 'other account')} ${rest === 1 ? 'agrees' : 'agree'}. The import was rolled back.`,
    accounts,
    otherAccounts: rest,
  };
}
