import * as z from 'zod';
import { DocumentLink } from './attachments.ts';
import { endpoint, InactiveQuery } from './endpoint.ts';
import { DateField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { AccountItem } from './ledger.ts';

/** Bank accounts: lookup and read. */

export const BankingAccount = z.object({
  bankingAccountID: Id,
  accountNumber: z.string(),
  routingNumber: z.string(),
  entityID: Id,
  name: z.string(),
  glAccountID: Id,
  allowPayments: z.boolean(),
  allowDeposits: z.boolean(),
  creditCards: z.boolean(),
  documentLinks: z.array(DocumentLink),
  currentBalance: Usd.optional(),
  lastReconciledDate: DateField.nullable(),
  lastReconciledBalance: Usd.optional(),
  rowVersion: RowVersion,
});
export type BankingAccount = z.output<typeof BankingAccount>;

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
    summary: 'Banking accounts by name; balances for those who may view banking.',
    reply: z.array(BankingAccount),
  }),
  getBankingAccount: endpoint({
    method: 'GET',
    path: '/bankingAccount/GetBankingAccount/{id}',
    needs: 'View Banking',
    summary: 'One banking account with its balance.',
    params: z.object({ id: IdText }),
    reply: BankingAccount,
  }),
  availableGlAccounts: endpoint({
    method: 'GET',
    path: '/bankingaccount/AvailableGLAccounts/{accountIdInUse}',
    needs: 'signed-in',
    summary: 'Bank, cash and credit card accounts that no banking account uses, and the one in use.',
    params: z.object({ accountIdInUse: IdText }),
    reply: z.array(AccountItem),
  }),
  listPaymentTypes: endpoint({
    method: 'GET',
    path: '/paymenttypes',
    needs: 'signed-in',
    summary: 'Payment types: Cash, Check, Credit Card, ACH, Wire, Other and own ones; with inactive all of them.',
    query: InactiveQuery,
    reply: z.array(PaymentType),
  }),
  createPaymentType: endpoint({
    method: 'POST',
    path: '/paymenttypes',
    needs: 'Administrator',
    summary: 'Creates a payment type (id 0), or saves the one it names.',
    body: PaymentTypeInput,
    names: 'id',
    reply: PaymentType,
  }),
  updatePaymentType: endpoint({
    method: 'PUT',
    path: '/paymenttypes/{id}',
    needs: 'Administrator',
    summary: 'Renames a payment type, or restores one that was deactivated.',
    params: z.object({ id: IdText }),
    body: PaymentTypeInput,
    reply: PaymentType,
  }),
  deletePaymentType: endpoint({
    method: 'DELETE',
    path: '/paymenttypes/{id}',
    needs: 'Administrator',
    summary: 'Removes a payment type; a used one is deactivated.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
};
