import { type AccountType, accountTypeInfo } from '@evenkeel/core/books/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import { type Place, refusalAt, type SourceAccount } from './books.ts';
import { roleFor } from './accountTypes.ts';
import { amountIn, shown } from './cells.ts';

/** A line in a journal, with the file that contains it. */
export interface TextLine {
  text: string;
  place: Place;
}

/**
 * Returns the lines of a journal and of the files that it includes, in order. Included files are found by name among
 * the files that were chosen together. Throws a Refusal if an included file is missing or includes itself.
 */
export function linesOf(
  file: { name: string; text: string },
  others: ReadonlyMap<string, string>,
  include: RegExp,
): TextLine[] {
  const found: TextLine[] = [];
  const add = (name: string, text: string, above: readonly string[]): void => {
    for (const [index, line] of text.split('\n').entries()) {
      const place = { file: name, row: index + 1 };
      const wanted = include.exec(line)?.[1];
      if (wanted === undefined) {
        found.push({ text: line, place });
        continue;
      }
      const path = wanted.trim().replace(/^\.\//, '');
      const own = [...others.keys()].find((other) => other === path || baseName(other) === baseName(path));
      if (own === undefined) {
        throw refusalAt(
          place,
          `The journal includes ${path.slice(0, 100)}, which is not among the files. Add that file.`,
        );
      }
      if (above.includes(own)) throw refusalAt(place, `The journal includes itself through ${own}`);
      add(own, others.get(own) ?? '', [...above, own]);
    }
  };
  add(file.name, file.text, [file.name]);
  return found;
}

/** Returns the last part of a path. */
const baseName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** Returns the names of files that other files include. */
export function includedBy(texts: ReadonlyMap<string, string>): Set<string> {
  const included = new Set<string>();
  const names = [...texts.keys()];
  for (const [from, text] of texts) {
    for (const [, quotedName, plain] of text.matchAll(/^!?include\s+(?:"([^"\n]+)"|([^\n;]+))/gm)) {
      const wanted = baseName((quotedName ?? plain ?? '').trim());
      for (const name of names) if (name !== from && baseName(name) === wanted) included.add(name);
    }
  }
  return included;
}

const ROOTS: readonly [RegExp, AccountType][] = [
  [/^assets?$/i, 'Other Current Asset'],
  [/^(liabilit(y|ies)|debts?)$/i, 'Other Current Liability'],
  [/^equity$/i, 'Equity'],
  [/^(income|revenues?)$/i, 'Income'],
  [/^expenses?$/i, 'Expense'],
];

const BANK = /\b(cash|bank|check(ing)?|cheque|savings?|current|money market|paypal|stripe)\b/i;

/** Returns an account in a journal whose account names start with Assets, Liabilities, Equity, Income, or Expenses. */
export function plainAccount(
  path: string,
  { letter, place }: { letter?: string | undefined; place?: Place } = {},
): SourceAccount {
  const [root = '', ...rest] = path.split(':');
  const name = rest.length > 0 && ROOTS.some(([pattern]) => pattern.test(root)) ? rest.join(':') : path;
  const leaf = path.slice(path.lastIndexOf(':') + 1);
  const broad = letterType(letter) ?? ROOTS.find(([pattern]) => pattern.test(root))?.[1];
  const type = broad === undefined ? undefined : narrowed(broad, leaf, letter);
  const role = roleFor({ name: leaf, type });
  return {
    key: path,
    name,
    ...(type === undefined ? {} : { type }),
    ...(role === undefined ? {} : { role }),
    isActive: true,
    ...(place === undefined ? {} : { place }),
  };
}

const LETTERS: Record<string, AccountType> = {
  A: 'Other Current Asset',
  L: 'Other Current Liability',
  E: 'Equity',
  R: 'Income',
  X: 'Expense',
  C: 'Bank',
  V: 'Equity',
};

const letterType = (letter: string | undefined): AccountType | undefined =>
  LETTERS[(letter ?? '')[0]?.toUpperCase() ?? ''];

function narrowed(broad: AccountType, leaf: string, letter: string | undefined): AccountType {
  if (broad === 'Bank') return /\b(undeposited|cash|petty)\b/i.test(leaf) ? 'Cash' : 'Bank';
  const { root } = accountTypeInfo(broad);
  if (root === 'Asset' && /receivable/i.test(leaf) && !/allowance|doubtful/i.test(leaf)) return 'Accounts Receivable';
  if (root === 'Asset' && /^accumulated depreciation\b/i.test(leaf)) return 'Accumulated Depreciation';
  if (root === 'Asset' && letter === undefined && BANK.test(leaf)) return 'Bank';
  if (root === 'Liability' && /^accounts[ -]payable\b/i.test(leaf)) return 'Accounts Payable';
  if (root === 'Liability' && /\b(credit card|visa|mastercard|amex)\b/i.test(leaf)) return 'Credit Card';
  if (root === 'Liability' && /sales[ -]tax/i.test(leaf)) return 'Sales Tax Payable';
  if (root === 'Equity' && /^retained[ -]earnings\b/i.test(leaf)) return 'Retained Earnings';
  return broad;
}

const DOLLARS = /^(?:(-?)\s*(?:\$|USD\s?|"USD"\s?)\s*(-?)\s*([\d.,]+)|(-?)([\d.,]+)\s*(?:USD|\$)?)$/;

/** Returns an amount in US dollars. Throws a Refusal with the account if the amount is in another commodity. */
export function dollars(text: string, account: string, place: Place): Cents {
  const match = DOLLARS.exec(text.trim());
  if (match === null) {
    throw refusalAt(
      place,
      `'${text.trim().slice(0, 40)}' in ${account} is not an amount in US dollars. Only amounts in US ` +
        `dollars can be imported.`,
    );
  }
  const [, before = '', inside = '', first, sign = '', second] = match;
  const isNegative = [before, inside, sign].filter((one) => one === '-').length === 1;
  const amount = amountIn(first ?? second ?? '', place);
  if (amount === undefined) throw refusalAt(place, `'${text.slice(0, 40)}' is not an amount`);
  return cents(isNegative ? -amount : amount);
}

/** A balance stated in a journal, and the account that it applies to. */
export interface Assertion {
  date: IsoDate;
  account: string;
  amount: Cents;
  /** Whether subaccounts are included. */
  isInclusive: boolean;
  place: Place;
}

/** The balances of accounts while a journal is read in date order. */
export class Running {
  readonly #balances = new Map<string, number>();

  add(account: string, amount: Cents): void {
    this.#balances.set(account, (this.#balances.get(account) ?? 0) + amount);
  }

  of(account: string, isInclusive: boolean): Cents {
    let total = this.#balances.get(account) ?? 0;
    if (isInclusive) {
      for (const [other, amount] of this.#balances) if (other.startsWith(`${account}:`)) total += amount;
    }
    return cents(total);
  }

  /** Throws a Refusal if the calculated balance differs from the stated one. */
  check({ account, amount, isInclusive, place }: Assertion): void {
    const own = this.of(account, isInclusive);
    if (own === amount) return;
    throw refusalAt(
      place,
      `The balance of ${account} should be ${shown(amount)}, but its entries add up to ${shown(own)}. Correct ` +
        `the journal first.`,
    );
  }
}
