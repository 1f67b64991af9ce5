import { formatDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import { type Notice, noticeAt, refusalAt, type SourceTransaction } from './books.ts';
import { shown } from './cells.ts';
import { MAX_TRANSACTIONS } from './limits.ts';
import { Transactions } from './transactions.ts';

/** Returns the total of a transaction's lines, which is zero if the transaction balances. */
export function totalOf({ lines }: Pick<SourceTransaction, 'lines'>): Cents {
  let total = 0;
  for (const { amount } of lines) total += amount;
  return cents(total);
}

/** Returns text such as "Invoice 1042 dated 03/06/2025". */
export function transactionText({ type, number, date }: Pick<SourceTransaction, 'type' | 'number' | 'date'>): string {
  const name = [type === '' ? 'Transaction' : type, number ?? ''].filter((part) => part !== '').join(' ');
  return `${name} dated ${formatDate(date)}`;
}

/**
 * Throws a Refusal if a transaction doesn't balance. `suspects` are the rows that may be wrong, if other totals in the
 * file narrow them down.
 */
export function checkBalance(transaction: SourceTransaction, advice: string, suspects?: readonly number[]): void {
  const total = totalOf(transaction);
  if (total === 0) return;
  const { place, lines } = transaction;
  const side = total > 0 ? 'debits are greater than its credits' : 'credits are greater than its debits';
  throw refusalAt(
    place,
    `${transactionText(transaction)} doesn't balance: its ${side} by ${shown(cents(Math.abs(total)))}. ${advice}`,
    suspects ?? lines.map((line) => line.place.row),
  );
}

/** The advice for files that were changed or reports that were filtered. */
export const FILTERED =
  "If the report is filtered or was edited, remove the filter, export it again, and don't edit the file.";

/** Returns a warning about records that are not part of the ledger. */
export function notPosting(file: string, count: number, words: { one: string; many: string }): Notice {
  const which = count === 1 ? `1 ${words.one} doesn't` : `${count.toLocaleString('en-US')} ${words.many} don't`;
  return noticeAt(file, `${which} post and won't be imported`);
}

/** The transactions in one file. Lines without an amount and transactions without lines are counted but not stored. */
export class Entries {
  readonly transactions = new Transactions();
  #empty = 0;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Adds a transaction, which must balance. Lines without an amount are omitted. */
  add(transaction: SourceTransaction): void {
    const hasEmpty = transaction.lines.some(({ amount }) => amount === 0);
    if (hasEmpty) transaction.lines = transaction.lines.filter(({ amount }) => amount !== 0);
    if (transaction.lines.length === 0) {
      this.#empty += 1;
      return;
    }
    if (this.transactions.length >= MAX_TRANSACTIONS) {
      throw refusalAt(transaction.place, 'The file has more than 500,000 transactions. Export a shorter period.');
    }
    this.transactions.push(transaction);
  }

  /** Returns a warning about transactions without amounts, which are usually void. */
  warnings(): Notice[] {
    if (this.#empty === 0) return [];
    const which =
      this.#empty === 1
        ? '1 transaction is void or empty'
        : `${this.#empty.toLocaleString('en-US')} transactions are void or empty`;
    return [noticeAt(this.#file, `${which} and won't be imported`)];
  }
}
