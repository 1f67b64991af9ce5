import { bankingCalls } from '@evenkeel/contract/banking';
import {
  type Deposit,
  type DepositInput,
  type Receipt,
  type Transfer,
  transferCalls as calls,
  type TransferInput,
} from '@evenkeel/contract/transfers';
import { ask, inAlert, type Told, useRead } from '../../client/api.ts';
import { because } from '../../records/reads.ts';
import { records } from '../../records/records.ts';
import type { PickerOption } from '../../ui/fields/pickerOptions.ts';

/** The API calls for transfers and deposits, and the options of their forms. */

export const transfers = records<Omit<Transfer, 'documentLinks'>, Transfer, TransferInput>({
  words: {
    one: 'transfer',
    many: 'transfers',
    loadAll: 'Error Loading Transfers',
    loadOne: 'Error Loading Transfer',
    create: 'Error Posting Transfer:',
    update: 'Error Posting Transfer:',
  },
  idOf: (one) => one.id,
  list: (_, query) => ask(calls.listTransfers, { query }),
  get: (id) => ask(calls.getTransfer, { params: { id } }),
  create: (body) => ask(calls.createTransfer, { body }),
  update: (id, body) => ask(calls.updateTransfer, { body: { ...body, id } }),
  remove: (id, reason) => ask(calls.deleteTransfer, { params: { id }, query: because(reason) }),
});

type DepositRow = Omit<Deposit, 'documentLinks' | 'receipts' | 'lineItems'> & { receiptCount: number };

export const deposits = records<DepositRow, Deposit, DepositInput>({
  words: {
    one: 'deposit',
    many: 'deposits',
    loadAll: 'Error Loading Deposits',
    loadOne: 'Error Loading Deposit',
    create: 'Error Posting Deposit:',
    update: 'Error Posting Deposit:',
  },
  idOf: (one) => one.id,
  list: (_, query) => ask(calls.listDeposits, { query }),
  get: (id) => ask(calls.getDeposit, { params: { id } }),
  create: (body) => ask(calls.createDeposit, { body }),
  update: (id, body) => ask(calls.updateDeposit, { body: { ...body, id } }),
  remove: (id, reason) => ask(calls.deleteDeposit, { params: { id }, query: because(reason) }),
});

/** Loads the receipts in Undeposited Funds. */
export const useUndeposited = (more: Told & { enabled?: boolean } = { alert: 'Error Loading Receipts' }) =>
  useRead(ask(calls.listUndeposited, {}), more);

/** Returns a unique key for a receipt, which is either a payment or a journal line. */
export const receiptKey = ({ paymentId, lineId }: Pick<Receipt, 'paymentId' | 'lineId'>): string =>
  paymentId === null ? `line ${lineId ?? 0}` : `payment ${paymentId}`;

/** Returns a receipt's key as it is sent in a request. */
export function receiptInput(key: string): { paymentId?: number; lineId?: number } {
  const [kind, id] = key.split(' ');
  return kind === 'payment' ? { paymentId: Number(id) } : { lineId: Number(id) };
}

/** Loads the active bank accounts. */
export function useBanks() {
  return useRead(ask(bankingCalls.listBankingAccounts, { query: {} }), inAlert('Error Loading Accounts'));
}
export type Banks = ReturnType<typeof useBanks>;

/** Returns the bank accounts to choose from. Includes `saved` even if it is now inactive. */
export function bankOptions(
  { value = [] }: Banks,
  isOffered: (bank: NonNullable<Banks['value']>[number]) => boolean,
  saved: PickerOption<number> | undefined,
): PickerOption<number>[] {
  const offered = value.filter((bank) => isOffered(bank) || bank.bankingAccountID === saved?.id);
  const options = offered.map(({ bankingAccountID: id, name, creditCards }) => {
    return { id, label: name, group: creditCards ? 'Credit cards' : 'Bank accounts' };
  });
  const isMissing = saved !== undefined && options.every(({ id }) => id !== saved.id);
  return isMissing ? [...options, { ...saved, group: 'Inactive' }] : options;
}
