import {
  type AccountTypeInfo,
  isControlAccount,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
  UNDEPOSITED,
} from '../books/accounts.ts';
import type { IsoDate } from '../dates.ts';
import { type FieldMessages, refuseFields } from '../failure.ts';
import type { Transaction } from '../books/ledger.ts';
import { type Cents, negate, sum, ZERO } from '../money.ts';
import { balanced, line } from '../books/posting.ts';

/** Money that moves between accounts of the company itself (docs/accounting.md, "Transfers and deposits"). */

/** A transfer as the journal takes it; paying a credit card is one. */
export interface PostableTransfer {
  date: IsoDate;
  /** The GL accounts that the money leaves and reaches. */
  fromAccountId: number;
  toAccountId: number;
  amount: Cents;
  description: string;
}

/** Two entries in both views, one for each side. */
export function postTransfer(transfer: PostableTransfer): Transaction {
  const { date, amount, description, fromAccountId, toAccountId } = transfer;
  return balanced(date, description, [
    line({ accountId: toAccountId, amount, basis: 'B', description }),
    line({ accountId: fromAccountId, amount: negate(amount), basis: 'B', description }),
  ]);
}

/** A transfer as the form and the request carry it: banking accounts by id, 0 for none. */
export interface CheckableTransfer {
  fromBankAccountId?: number | null | undefined;
  toBankAccountId?: number | null | undefined;
  amount: Cents;
}

/** The messages for what is wrong with a transfer by field path; the form shows them, the server refuses with them. */
export function checkTransfer({ fromBankAccountId, toBankAccountId, amount }: CheckableTransfer): FieldMessages {
  const isSame = toBankAccountId === fromBankAccountId;
  return {
    ...(fromBankAccountId ? {} : { fromBankAccountId: 'Please select the account to transfer from' }),
    ...(toBankAccountId ? {} : { toBankAccountId: 'Please select the account to transfer to' }),
    ...(toBankAccountId && isSame ? { toBankAccountId: 'Please select two different accounts' } : {}),
    ...(amount > 0 ? {} : { amount: 'The amount must be greater than $0.00' }),
  };
}

/** As checkTransfer, but throws where there is a message (422). */
export function requireTransfer(transfer: CheckableTransfer): void {
  refuseFields(checkTransfer(transfer));
}

/** Money of another account in a deposit. */
export interface DepositLine {
  accountId: number;
  /** Adds to the deposit, in cents; cash that is taken back is negative. */
  amount: Cents;
  /** Empty: the deposit's. */
  description: string;
  entityId: number | null;
  profitCenterId: number | null;
  locationId: number | null;
}

/** A deposit as the journal takes it. */
export interface PostableDeposit {
  date: IsoDate;
  /** The bank's GL account. */
  accountId: number;
  description: string;
  /** The amounts of the receipts that leave Undeposited Funds, in cents. */
  receipts: readonly Cents[];
  lines: readonly DepositLine[];
}

/** The amount that reaches the bank: the receipts and the other lines. */
export function depositTotal(receipts: readonly Cents[], lines: readonly Pick<DepositLine, 'amount'>[]): Cents {
  return sum([...receipts, ...lines.map(({ amount }) => amount)]);
}

/** One entry on the bank, as its statement has it, against Undeposited Funds and the accounts of the other lines. */
export function postDeposit({ date, accountId, description, receipts, lines }: PostableDeposit): Transaction {
  return balanced(date, description, [
    line({ accountId, amount: depositTotal(receipts, lines), basis: 'B', description }),
    line({ accountId: UNDEPOSITED, amount: negate(sum(receipts)), basis: 'B', description }),
    ...lines.map((each) => ({
      ...line({ ...each, amount: negate(each.amount), basis: 'B', description: each.description || description }),
      profitCenterId: each.profitCenterId,
      locationId: each.locationId,
    })),
  ]);
}

/** A deposit as the form and the request carry it. */
export interface CheckableDeposit {
  bankAccountId?: number | null | undefined;
  /** The amounts of the chosen receipts. */
  receipts: readonly Cents[];
  lineItems: readonly { accountId?: number | null | undefined; amount: Cents }[];
}

/** The messages for what is wrong with a deposit by field path; the form shows them, the server refuses with them. */
export function checkDeposit({ bankAccountId, receipts, lineItems }: CheckableDeposit): FieldMessages {
  const fields: FieldMessages = {};
  if (!bankAccountId) fields['bankAccountId'] = 'Please Select a Bank Account';
  lineItems.forEach(({ accountId, amount }, index) => {
    if (!accountId) fields[`lineItems.${index}.accountId`] = 'Please Select an Account';
    if (amount === ZERO) fields[`lineItems.${index}.amount`] = 'The amount cannot be $0.00';
  });
  const fault = totalFault(receipts, lineItems);
  return fault === undefined ? fields : { ...fields, receipts: fault };
}

/** The largest amount that a record may have: 100 billion dollars. */
const MOST = 10_000_000_000_000;

function totalFault(receipts: readonly Cents[], lines: readonly { amount: Cents }[]): string | undefined {
  if (receipts.length + lines.length === 0) return 'Please select the receipts to deposit';
  // Sums of what may be beyond what cents hold.
  const [received, added] = [receipts, lines.map(({ amount }) => amount)].map((amounts) =>
    amounts.reduce<number>((total, amount) => total + amount, 0),
  );
  const [chosen, others] = [received ?? 0, added ?? 0];
  if (Math.max(Math.abs(chosen), Math.abs(chosen + others)) > MOST) return 'Amount is out of range';
  return chosen + others <= 0 ? 'A deposit must be more than $0.00' : undefined;
}

/** As checkDeposit, but throws where there is a message (422). */
export function requireDeposit(deposit: CheckableDeposit): void {
  refuseFields(checkDeposit(deposit));
}

const OTHER = 'Please select another account';

/**
 * Why another line of a deposit may not name an account; undefined where it may. Unlike a line of an invoice it may
 * name money: cash that is taken back goes to petty cash.
 */
export function refusedInDeposit(id: number, info: AccountTypeInfo, bankGlAccountId: number): string | undefined {
  if (id === bankGlAccountId) return `This is the account you are depositing to. ${OTHER}`;
  if (id === UNDEPOSITED) return 'To deposit money from Undeposited Funds, select its receipts';
  if (isControlAccount(info)) return `Invoices, bills, and payments post to this account automatically. ${OTHER}`;
  const isUnapplied = id === UNAPPLIED_CASH_INCOME || id === UNAPPLIED_CASH_EXPENSE;
  return isUnapplied ? `Only payments can post to unapplied cash accounts. ${OTHER}` : undefined;
}
