import { refuse } from '@evenkeel/core/failure';
import { type Cents, cents, formatUsd, sum } from '@evenkeel/core/money';
import type { ReadStatement } from './statement.ts';

/** Returns closing − (opening + Σ of the lines) in cents, or undefined if a balance is missing. */
export function balanceDifference(statement: Pick<ReadStatement, 'opening' | 'closing' | 'lines'>): Cents | undefined {
  const { opening, closing, lines } = statement;
  if (opening === undefined || closing === undefined) return undefined;
  return cents(closing - opening - sum(lines.map(({ amount }) => amount)));
}

/**
 * Throws 422 with the difference if a statement's opening balance plus its lines does not equal its closing balance.
 */
export function checkBalance(statement: ReadStatement): void {
  const difference = balanceDifference(statement);
  if (difference === undefined || difference === 0) return;
  const { opening, closing, lines, accountNumber } = statement;
  const account = accountNumber === undefined ? '' : ` of account …${accountNumber.slice(-4)}`;
  const balances = `${formatUsd(opening ?? cents(0))} to ${formatUsd(closing ?? cents(0))}`;
  throw refuse(
    `Line ${lines[0]?.row ?? 1}: The transactions${account} don't add up to the change in balance from ${balances}. ` +
      `The difference is ${formatUsd(difference)}.`,
  );
}
