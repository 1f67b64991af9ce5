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

/** Transfers between the company's own accounts (docs/accounting.md, "Transfers and deposits"). */

/** A transfer to post. Paying a credit card is a transfer. */
export interface PostableTransfer {
  date: IsoDate;
  /** The transfer's GL accounts. */
  fromAccountId: number;
  toAccountId: number;
  amount: Cents;
  description: string;
}

/** Returns two entries on both bases, one for each account. */
export function postTransfer(transfer: PostableTransfer): Transaction {
  const { date, amount, description, fromAccountId, toAccountId } = transfer;
  return balanced(date, description, [
    line({ accountId: toAccountId, amount, basis: 'B', description }),
    line({ accountId: fromAccountId, amount: negate(amount), basis: 'B', description }),
  ]);
}

/**
 * A transfer as entered in the form and sent in the request. Bank accounts are given by ID, and 0 means that none is
 * selected.
 */
export interface CheckableTransfer {
  fromBankAccountId?: number | null | undefined;
  toBankAccountId?: number | null | undefined;
  amount: Cents;
}

/** Returns the validation messages for a transfer by field path. Used by the form and the server. */
export function checkTransfer({ fromBankAccountId, toBankAccountId, amount }: CheckableTransfer): FieldMessages {
  const isSame = toBankAccountId === fromBankAccountId;
  return {
    ...(fromBankAccountId ? {} : { fromBankAccountId: 'Please select the account to transfer from' }),
    ...(toBankAccountId ? {} : { toBankAccountId: 'Please select the account to transfer to' }),
    ...(toBankAccountId && isSame ? { toBankAccountId: 'Please select two different accounts' } : {}),
    ...(amount > 0 ? {} : { amount: 'The amount must be greater than $0.00' }),
  };
}

/** Checks a transfer with `checkTransfer` and throws 422 if there is a message. */
export function requireTransfer(transfer: CheckableTransfer): void {
  refuseFields(checkTransfer(transfer));
}

/** An additional amount in a deposit, from another account. */
export interface DepositLine {
  accountId: number;
  /** The amount that is added to the deposit, in cents. Cash back is negative. */
  amount: Cents;
  /** The line's description. If empty, the deposit's description is used. */
  description: string;
  entityId: number | null;
  profitCenterId: number | null;
  locationId: number | null;
}

/** A deposit to post. */
export interface PostableDeposit {
  date: IsoDate;
  /** The bank's GL account. */
  accountId: number;
  description: string;
  /** The amounts of the receipts from Undeposited Funds, in cents. */
  receipts: readonly Cents[];
  lines: readonly DepositLine[];
}

/** Returns the amount that the bank receives: the total of the deposit's receipts and other lines. */
export function depositTotal(receipts: readonly Cents[], lines: readonly Pick<DepositLine, 'amount'>[]): Cents {
  return sum([...receipts, ...lines.map(({ amount }) => amount)]);
}

/**
 * Returns one entry for the bank, which matches the bank statement, and the opposite entries for Undeposited Funds and
 * the accounts of the other lines.
 */
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

/** A deposit as entered in the form and sent in the request. */
export interface CheckableDeposit {
  bankAccountId?: number | null | undefined;
  /** The amounts of the selected receipts. */
  receipts: readonly Cents[];
  lineItems: readonly { accountId?: number | null | undefined; amount: Cents }[];
}

/** Returns the validation messages for a deposit by field path. Used by the form and the server. */
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

/** The maximum amount for a record: 100 billion dollars, in cents. */
const MOST = 10_000_000_000_000;

function totalFault(receipts: readonly Cents[], lines: readonly { amount: Cents }[]): string | undefined {
  if (receipts.length + lines.length === 0) return 'Please select the receipts to deposit';
  // Sums of unchecked amounts may exceed the range of cents.
  const [received, added] = [receipts, lines.map(({ amount }) => amount)].map((amounts) =>
    amounts.reduce<number>((total, amount) => total + amount, 0),
  );
  const [chosen, others] = [received ?? 0, added ?? 0];
  if (Math.max(Math.abs(chosen), Math.abs(chosen + others)) > MOST) return 'Amount is out of range';
  return chosen + others <= 0 ? 'A deposit must be more than $0.00' : undefined;
}

/** Checks a deposit with `checkDeposit` and throws 422 if there is a message. */
export function requireDeposit(deposit: CheckableDeposit): void {
  refuseFields(checkDeposit(deposit));
}

const OTHER = 'Please select another account';

/**
 * Returns the reason why an additional line on a deposit cannot use an account, or undefined if it can. Unlike an
 * invoice line, a deposit line can use a cash account, because cash back may go to petty cash.
 */
export function refusedInDeposit(id: number, info: AccountTypeInfo, bankGlAccountId: number): string | undefined {
  if (id === bankGlAccountId) return `This is the account that you are depositing to. ${OTHER}`;
  if (id === UNDEPOSITED) return 'To deposit money from Undeposited Funds, select its receipts';
  if (isControlAccount(info)) return `Invoices, bills, and payments post to this account automatically. ${OTHER}`;
  const isUnapplied = id === UNAPPLIED_CASH_INCOME || id === UNAPPLIED_CASH_EXPENSE;
  return isUnapplied ? `Only payments can post to unapplied cash accounts. ${OTHER}` : undefined;
}
