import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import { roleFor, typeFor } from './accountTypes.ts';
import { type Place, refusalAt, type SourceAccount, type SourceLine, type SourceTransaction } from './books.ts';
import { shown } from './cells.ts';
import { checkBalance, Entries, notPosting } from './entries.ts';
import type { FileBooks } from './reader.ts';

/** An account as GnuCash stores it. */
export interface GnuCashAccount {
  id: string;
  name: string;
  /** GnuCash's own type, such as BANK. The root of the chart has the type ROOT. */
  type: string;
  /** The ID of the parent account. */
  parent: string;
  /** The symbol of the commodity, such as USD. */
  currency: string;
  code: string;
  description: string;
  isHidden: boolean;
  row: number;
}

/** One line of a transaction as GnuCash stores it. Amounts are fractions of a dollar, such as 1234/100. */
export interface GnuCashSplit {
  /** The ID of the account. */
  account: string;
  value: string;
  /** The amount in the account's commodity. */
  quantity: string;
  memo: string;
  row: number;
}

/** A transaction as GnuCash stores it. */
export interface GnuCashTransaction {
  id: string;
  /** Text that begins with the ISO date. */
  date: string;
  number: string;
  description: string;
  splits: readonly GnuCashSplit[];
  row: number;
}

/** The contents of a GnuCash file, whether the file is XML or a database. */
export interface GnuCashContents {
  accounts: readonly GnuCashAccount[];
  transactions: Iterable<GnuCashTransaction>;
  /** Returns the number of scheduled transactions, which don't post. Called after the transactions were read. */
  templates: () => number;
}

/** The position of a row in a file, and the account that the row is about. */
interface Amount {
  text: string;
  account: string;
  place: Place;
}

/** Converts a rational number of dollars to cents. Throws a Refusal if the result is not a whole number of cents. */
function rational({ text, account, place }: Amount): Cents {
  const [, sign = '', digits = '', below = ''] = /^(-?)(\d{1,18})\/(\d{1,12})$/.exec(text.trim()) ?? [];
  const denominator = BigInt(below === '' ? '0' : below);
  if (denominator === 0n) throw refusalAt(place, `'${text.slice(0, 40)}' in ${account} is not an amount`);
  const hundredths = BigInt(digits) * BigInt('100');
  if (hundredths % denominator !== 0n) {
    throw refusalAt(
      place,
      `The amount ${text.trim()} in ${account} is not a whole number of cents. Correct it in GnuCash first.`,
    );
  }
  const value = Number(hundredths / denominator);
  return cents(sign === '-' ? -value : value);
}

/** Returns the accounts by ID, with full names such as `Assets:Checking`. Root accounts are undefined. */
function chartOf(file: string, accounts: readonly GnuCashAccount[]): Map<string, SourceAccount | undefined> {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const chart = new Map<string, SourceAccount | undefined>();
  for (const account of accounts) {
    if (account.type === 'ROOT') {
      chart.set(account.id, undefined);
      continue;
    }
    const parts = [account.name];
    for (
      let above = byId.get(account.parent), depth = 0;
      above !== undefined && above.type !== 'ROOT' && depth < 50;
      depth += 1
    ) {
      parts.unshift(above.name);
      above = byId.get(above.parent);
    }
    const type = typeFor(account.type);
    const role = roleFor({ name: account.name, type });
    chart.set(account.id, {
      key: account.id,
      name: parts.join(':'),
      ...(account.code === '' ? {} : { number: account.code }),
      ...(type === undefined ? {} : { type }),
      sourceType: account.type,
      ...(role === undefined ? {} : { role }),
      ...(account.description === '' ? {} : { description: account.description }),
      isActive: !account.isHidden,
      place: { file, row: account.row },
    });
  }
  return chart;
}

function dateIn(text: string): IsoDate | undefined {
  const day = text.slice(0, 10);
  return isIsoDate(day) ? day : undefined;
}

/**
 * Returns the books in a GnuCash file. Throws a Refusal with the row if a transaction doesn't balance, an amount is not
 * a whole number of cents, or an account is not in US dollars.
 */
export function gnucashBooks(file: string, contents: GnuCashContents): FileBooks {
  const chart = chartOf(file, contents.accounts);
  const currencies = new Map(contents.accounts.map(({ id, currency }) => [id, currency]));

  const lineOf = ({ account: id, value, quantity, memo, row }: GnuCashSplit, description: string): SourceLine => {
    const place = { file, row };
    const account = chart.get(id);
    if (account === undefined) throw refusalAt(place, 'The split has no account');
    const { name, role } = account;
    const currency = currencies.get(id) ?? '';
    if (currency !== 'USD') {
      const commodity = currency === '' ? 'another commodity' : currency;
      throw refusalAt(place, `The account ${name} is in ${commodity}. Only US dollars can be imported.`);
    }
    const amount = rational({ text: value, account: name, place });
    if (amount !== rational({ text: quantity, account: name, place })) {
      throw refusalAt(
        place,
        `The split in ${name} has the value ${shown(amount)} and a different quantity. Correct it in GnuCash first.`,
      );
    }
    const isControl = role === 'receivable' || role === 'payable';
    return {
      account: id,
      amount,
      ...(isControl && description !== '' ? { party: description } : {}),
      ...(memo === '' ? {} : { memo }),
      place,
    };
  };

  const entries = new Entries(file);
  for (const { id, date: dateText, number, description, splits, row } of contents.transactions) {
    const place = { file, row };
    const date = dateIn(dateText);
    if (date === undefined) throw refusalAt(place, 'The transaction has no date');
    const transaction: SourceTransaction = {
      ...(id === '' ? {} : { id }),
      date,
      type: 'Transaction',
      ...(number === '' ? {} : { number }),
      ...(description === '' ? {} : { memo: description }),
      lines: splits.map((split) => lineOf(split, description)),
      place,
    };
    checkBalance(transaction, 'Correct it in GnuCash first.');
    entries.add(transaction);
  }

  const warnings = entries.warnings();
  const templates = contents.templates();
  if (templates > 0) {
    warnings.push(notPosting(file, templates, { one: 'scheduled transaction', many: 'scheduled transactions' }));
  }
  return {
    accounts: [...chart.values()].flatMap((account) => account ?? []),
    transactions: entries.transactions,
    warnings,
  };
}
