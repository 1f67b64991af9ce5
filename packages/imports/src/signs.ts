import { accountTypeInfo, type AccountType } from '@evenkeel/core/books/accounts';
import { cents } from '@evenkeel/core/money';
import { refusalAt } from './books.ts';
import { roleFor, ROLE_TYPES } from './accountTypes.ts';
import type { LooseLine } from './regroup.ts';
import type { TypeOf } from './reader.ts';
import { grouped } from './grouped.ts';

type Sign = 1 | -1;

const signOf = (type: AccountType): Sign => {
  const { root } = accountTypeInfo(type);
  return root === 'Asset' || root === 'Expense' ? 1 : -1;
};

/** Returns the last part of a full account name. */
export const leafOf = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/**
 * Returns lines with debits as positive amounts. Reports with natural signs show an increase in any account as
 * positive, so the sign depends on the account's type. The type comes from a list, from a name such as Accounts
 * Receivable, or from the transactions: if a transaction has only one account whose sign is unknown, that sign is
 * determined by the others.
 */
export function withDebits(file: string, lines: readonly LooseLine[], typeOf: TypeOf): LooseLine[] {
  const accounts = [...new Set(lines.map(({ account }) => account))];
  const signs = new Map<string, Sign>();
  for (const account of accounts) {
    const role = roleFor({ name: leafOf(account) });
    const type = typeOf(account) ?? (role === undefined ? undefined : ROLE_TYPES[role]);
    if (type !== undefined) signs.set(account, signOf(type));
  }
  const [first] = accounts;
  // The bank accounts come first in the report.
  if (signs.size === 0 && first !== undefined) signs.set(first, 1);
  solve(lines, signs);
  const unknown = lines.find(({ account }) => !signs.has(account));
  if (unknown !== undefined) {
    throw refusalAt(
      { file, row: unknown.row },
      `The report doesn't show whether ${unknown.account} has debits or credits. Add the account list to the files.`,
    );
  }
  return lines.map((line) => ({ ...line, amount: cents(line.amount * (signs.get(line.account) ?? 1)) }));
}

/** Adds the signs that are determined by transactions in which only one account has an unknown sign. */
function solve(lines: readonly LooseLine[], signs: Map<string, Sign>): void {
  let open = [...grouped(lines, ({ date, type, number }) => `${date}|${type}|${number}`).values()].map(totals);
  for (;;) {
    const before = signs.size;
    open = open.filter((sums) => {
      const unknown = [...sums].filter(([account, sum]) => sum !== 0 && !signs.has(account));
      const [single] = unknown;
      if (unknown.length > 1) return true;
      if (single === undefined) return false;
      let known = 0;
      for (const [account, sum] of sums) known += sum * (signs.get(account) ?? 0);
      if (Math.abs(known) === Math.abs(single[1])) signs.set(single[0], known === -single[1] ? 1 : -1);
      return false;
    });
    if (signs.size > before) continue;
    const linked = linkOf(open, signs);
    if (linked === undefined) return;
    signs.set(...linked);
  }
}

/**
 * Returns a sign that is determined by a transaction with several unknown accounts, if only one combination of signs
 * balances.
 */
function linkOf(open: readonly Map<string, number>[], signs: ReadonlyMap<string, Sign>): [string, Sign] | undefined {
  for (const sums of open) {
    const unknown = [...sums].filter(([account, sum]) => sum !== 0 && !signs.has(account));
    if (unknown.length > 10) continue;
    let known = 0;
    for (const [account, sum] of sums) known += sum * (signs.get(account) ?? 0);
    const fitting: number[] = [];
    for (let choice = 0; choice < 2 ** unknown.length; choice += 1) {
      const total = unknown.reduce(
        (sum, [, amount], at) => sum + (((choice >> at) & 1) === 1 ? amount : -amount),
        known,
      );
      if (total === 0) fitting.push(choice);
    }
    for (const [at, [account]] of unknown.entries()) {
      const values = new Set(fitting.map((choice) => (choice >> at) & 1));
      if (fitting.length > 0 && values.size === 1) return [account, values.has(1) ? 1 : -1];
    }
  }
  return undefined;
}

function totals(group: readonly LooseLine[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { account, amount } of group) sums.set(account, (sums.get(account) ?? 0) + amount);
  return sums;
}
