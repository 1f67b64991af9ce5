import type { BankLine, Candidate } from '@evenkeel/contract/statements';
import { useMay } from '../../../client/session.ts';

/** Returns the user's permissions for bank transactions. */
export function useRights() {
  const may = useMay();
  const acts = may('Manage Banking');
  const mayPay = (amount: number) => may(amount > 0 ? 'Manage Billing' : 'Manage Expenses');
  /**
   * Returns whether the user can accept a suggested match. A payment also needs the permission for the documents that
   * it pays.
   */
  const mayDo = ({ amount }: BankLine, { action }: Candidate) => acts && (action !== 'pay' || mayPay(amount));
  /** Returns whether the user can accept the best suggested match. */
  const mayAccept = (line: BankLine) => line.candidate !== null && mayDo(line, line.candidate);
  return { acts, mayPay, mayDo, mayAccept };
}
export type Rights = ReturnType<typeof useRights>;
