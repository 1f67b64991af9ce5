import type { BankLine, Candidate } from '@evenkeel/contract/statements';
import { useMay } from '../../../client/session.ts';

/** The rights of the session over a line. */
export function useRights() {
  const may = useMay();
  const acts = may('Manage Banking');
  const mayPay = (amount: number) => may(amount > 0 ? 'Manage Billing' : 'Manage Expenses');
  /** Whether it may do what a candidate says; a payment also needs the right for what it pays. */
  const mayDo = ({ amount }: BankLine, { action }: Candidate) => acts && (action !== 'pay' || mayPay(amount));
  /** Whether it may do what the best candidate says. */
  const mayAccept = (line: BankLine) => line.candidate !== null && mayDo(line, line.candidate);
  return { acts, mayPay, mayDo, mayAccept };
}
export type Rights = ReturnType<typeof useRights>;
