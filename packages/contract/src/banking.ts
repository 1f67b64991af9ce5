import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint, InactiveQuery } from './endpoint.ts';
import { DateField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { AccountItem } from './ledger.ts';

/** Bank accounts and payment types. For reconciliations, see reconciliation.ts. */

export const BankingAccount = z.object({
  bankingAccountID: Id,
  /**
   * The account number, masked except for the last four digits. Empty without a number, or if the number must be
   * entered again.
   */
  accountNumber: z.string(),
  /** Whether this installation's key cannot decrypt the stored number, so that the user must enter the number again. */
  isNumberLost: z.boolean(),
  routingNumber: z.string(),
  entityID: Id,
  name: z.string(),
  glAccountID: Id,
  allowPayments: z.boolean(),
  allowDeposits: z.boolean(),
  /**
   * Whether the account is a credit card, either because its GL account is of type Credit Card or because a client
   * marked the account as a credit card.
   */
  creditCards: z.boolean(),
  documentLinks: z.array(DocumentLink),
  /** The balance. Negative if money is owed: a card with 310.00 owed has a balance of -310. */
  currentBalance: Usd.optional(),
  /** The date of the last reconciliation. Null if the account has never been reconciled. */
  lastReconciledDate: DateField.nullable(),
  lastReconciledBalance: Usd.optional(),
  /**
   * Whether the GL account has entries. If so, the GL account can't be changed, and deleting the bank account only
   * makes the bank account inactive.
   */
  hasEntries: z.boolean(),
  active: z.boolean(),
  rowVersion: RowVersion,
});
export type BankingAccount = z.output<typeof BankingAccount>;

/** The kinds of new banking accounts. Each kind has a base account in the chart. */
export const BANK_KINDS = ['Checking', 'Savings', 'Credit Card', 'Cash'] as const;

/**
 * If the account number is the masked number from a response, the stored number does not change. Missing fields keep
 * their values.
 */
export const BankingAccountInput = z.object({
  bankingAccountID: maybe(LineId),
  name: maybe(text(100)),
  accountNumber: maybe(text(40)),
  routingNumber: maybe(text(40)),
  glAccountID: maybe(Id),
  /** Only for a new account without `glAccountID`: creates a GL account of this kind with the same name. */
  kind: maybe(z.enum(BANK_KINDS)),
  /**
   * Only for a new account: the opening balance, which is posted on `openingDate` to Opening Balance Equity. A card
   * with 310.00 owed has an opening balance of -310.
   */
  openingBalance: maybe(Usd),
  openingDate: maybe(DateField),
  closingOverrideReason: maybe(text(500)),
  allowPayments: maybe(z.boolean()),
  allowDeposits: maybe(z.boolean()),
  /** If true, the account is marked as a credit card. An account of type Credit Card is always a credit card. */
  creditCards: maybe(z.boolean()),
  documentLinks: documentLinksInput,
  /** If true, an inactive account becomes active again. */
  active: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type BankingAccountInput = z.output<typeof BankingAccountInput>;

export const PaymentType = z.object({ id: Id, displayName: z.string(), active: z.boolean(), rowVersion: RowVersion });
export type PaymentType = z.output<typeof PaymentType>;
const PaymentTypeInput = z.object({
  id: maybe(LineId),
  displayName: maybe(text(60)),
  active: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});

export const bankingCalls = {
  listBankingAccounts: endpoint({
    method: 'GET',
    path: '/bankingaccount',
    needs: 'signed-in',
    summary:
      'Lists bank accounts, sorted by name. Balances require View Banking. Set `inactive` to include ' +
      'inactive accounts.',
    query: InactiveQuery,
    reply: z.array(BankingAccount),
  }),
  getBankingAccount: endpoint({
    method: 'GET',
    path: '/bankingAccount/GetBankingAccount/{id}',
    needs: 'View Banking',
    summary: 'Returns a bank account and its balance.',
    params: z.object({ id: IdText }),
    reply: BankingAccount,
  }),
  reconciledAccounts: endpoint({
    method: 'GET',
    path: '/reconciledaccounts',
    needs: 'View Banking',
    summary: 'Lists the bank accounts that can be reconciled, with the last reconciled date and balance of each.',
    reply: z.array(BankingAccount),
  }),
  createBankingAccount: endpoint({
    method: 'POST',
    path: '/bankingaccount',
    needs: 'Manage Banking',
    summary:
      'Creates a bank account (id 0) for a bank, cash, or credit card GL account, or updates ' +
      'the one with this ID. `kind` also creates the GL account, and `openingBalance` posts an ' +
      'opening balance. Both require Manage Accounting.',
    body: BankingAccountInput,
    names: 'bankingAccountID',
    reply: BankingAccount,
  }),
  updateBankingAccount: endpoint({
    method: 'PUT',
    path: '/bankingaccount/{id}',
    needs: 'Manage Banking',
    summary: "Updates a bank account. After the account has transactions, you can't change its GL account.",
    params: z.object({ id: IdText }),
    body: BankingAccountInput,
    reply: BankingAccount,
  }),
  deleteBankingAccount: endpoint({
    method: 'DELETE',
    path: '/bankingaccount/{id}',
    needs: 'Manage Banking',
    summary: 'Deletes a bank account, or makes it inactive if it has transactions.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  availableGlAccounts: endpoint({
    method: 'GET',
    path: '/bankingaccount/AvailableGLAccounts/{accountIdInUse}',
    needs: 'signed-in',
    summary: 'Lists the bank, cash, and credit card GL accounts that no bank account uses, plus the given account.',
    params: z.object({ accountIdInUse: IdText }),
    reply: z.array(AccountItem),
  }),
  listPaymentTypes: endpoint({
    method: 'GET',
    path: '/paymenttypes',
    needs: 'signed-in',
    summary:
      'Lists payment types: Cash, Check, Credit Card, ACH, Wire, Other, and your own. Set ' +
      '`inactive` to include inactive ones.',
    query: InactiveQuery,
    reply: z.array(PaymentType),
  }),
  createPaymentType: endpoint({
    method: 'POST',
    path: '/paymenttypes',
    needs: 'Administrator',
    summary: 'Creates a payment type (id 0), or updates the one with this ID.',
    body: PaymentTypeInput,
    names: 'id',
    reply: PaymentType,
  }),
  updatePaymentType: endpoint({
    method: 'PUT',
    path: '/paymenttypes/{id}',
    needs: 'Administrator',
    summary: 'Renames a payment type, or makes it active again.',
    params: z.object({ id: IdText }),
    body: PaymentTypeInput,
    reply: PaymentType,
  }),
  deletePaymentType: endpoint({
    method: 'DELETE',
    path: '/paymenttypes/{id}',
    needs: 'Administrator',
    summary: 'Deletes a payment type, or makes it inactive if it has been used.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
};
