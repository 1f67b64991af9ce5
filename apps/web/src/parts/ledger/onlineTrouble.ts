import type { OnlineTrouble } from '@evenkeel/contract/online';
import { formatUsd } from '@evenkeel/core/money';
import { counted } from '../../ui/show/words.ts';

/** Returns one line about a problem with online payments, for example "2 payments to review". */
export function troubleWords({ name, count, amount }: Pick<OnlineTrouble, 'name' | 'count' | 'amount'>): string {
  if (name === 'reviews') return `${counted(count, { one: 'payment', many: 'payments' })} to review`;
  if (name === 'unpaid') return `${formatUsd(amount)} was not in the last payout`;
  return `No events from Stripe for ${counted(count, { one: 'payment page', many: 'payment pages' })}`;
}
