import { refuse } from '@evenkeel/core/failure';
import { type Cents, cents, formatUsd, sum } from '@evenkeel/core/money';
import type { ReadStatement } from './statement.ts';

/** Closing − (opening + Σ of the lines) in cents; undefined where the file does not say both balances. */
export function balanceDifference(statement: Pick<ReadStatement, 'opening' | 'closing' | 'lines'>): Cents | undefined {
  const { opening, closing, lines } = statement;
  if (opening === undefined || closing === undefined) return undefined;
  return cents(closing - opening - sum(lines.map(({ amount }) => amount)));
}

/** Refuses (422) a statement whose lines do not lead from its opening to its closing balance, with the difference. */
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
