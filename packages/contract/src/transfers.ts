import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { DateField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { recordCalls } from './subledger.ts';

/** Transfers between bank accounts, and deposits from Undeposited Funds. */

/** Response fields that transfers and deposits share. */
const shown = {
  id: Id,
  /** The amount, which is always positive. */
  amount: Usd,
  referenceNumber: z.string(),
  memo: z.string(),
  entryDate: DateField,
  documentLinks: z.array(DocumentLink),
  rowVersion: RowVersion,
};

/** Request fields that transfers and deposits share. */
const asked = {
  id: maybe(LineId),
  referenceNumber: maybe(text(100)),
  memo: maybe(text(500)),
  documentLinks: documentLinksInput,
  rowVersion: maybe(RowVersion),
  /** An administrator's reason for a change on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
};

/** A transfer from one bank account to another. A transfer to a credit card pays the card. */
export const Transfer = z.object({
  ...shown,
  transferNumber: z.string(),
  transferDate: DateField,
  fromBankAccountId: Id,
  fromBankAccountName: z.string(),
  toBankAccountId: Id,
  toBankAccountName: z.string(),
});
export type Transfer = z.output<typeof Transfer>;

export const TransferInput = z.object({
  ...asked,
  transferDate: DateField,
  fromBankAccountId: maybe(Id),
  toBankAccountId: maybe(Id),
  amount: Usd,
});
export type TransferInput = z.output<typeof TransferInput>;

/**
 * An item in Undeposited Funds: a payment, or a journal entry line. Either `paymentId` or `lineId` is null. An item for
 * money out, such as a payment to a vendor, is negative.
 */
export const Receipt = z.object({
  paymentId: Id.nullable(),
  lineId: Id.nullable(),
  /** The kind of document that the item belongs to, as named in journal entries. */
  sourceType: z.string(),
  sourceId: Id,
  number: z.string(),
  receiptDate: DateField,
  payer: z.string(),
  /** The payment's check or reference number. */
  referenceNumber: z.string(),
  memo: z.string(),
  amount: Usd,
});
export type Receipt = z.output<typeof Receipt>;

/** An additional amount in a deposit, from another account. Cash back is negative. */
const DepositLine = z.object({
  accountId: Id,
  amount: Usd,
  description: z.string(),
  entityId: Id.nullable(),
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
});

/** Receipts and other amounts that arrive at the bank as one amount. */
export const Deposit = z.object({
  ...shown,
  depositNumber: z.string(),
  depositDate: DateField,
  bankAccountId: Id,
  bankAccountName: z.string(),
  receipts: z.array(Receipt),
  lineItems: z.array(DepositLine),
});
export type Deposit = z.output<typeof Deposit>;

const ReceiptInput = z.object({ paymentId: maybe(Id), lineId: maybe(Id) });

const DepositLineInput = z.object({
  accountId: maybe(Id),
  amount: Usd,
  description: maybe(text(500)),
  entityId: maybe(Id),
  profitCenterId: maybe(Id),
  locationId: maybe(Id),
});

export const DepositInput = z.object({
  ...asked,
  depositDate: DateField,
  bankAccountId: maybe(Id),
  /**
   * The deposit's receipts, each a payment or a journal line. Receipts that are not listed are removed from the
   * deposit.
   */
  receipts: maybe(z.array(ReceiptInput).max(1000)),
  lineItems: maybe(z.array(DepositLineInput).max(200)),
});
export type DepositInput = z.output<typeof DepositInput>;

const DepositRow = Deposit.omit({ receipts: true, lineItems: true, documentLinks: true }).extend({
  receiptCount: z.number().int(),
});
const TransferRow = Transfer.omit({ documentLinks: true });

/** The page parameters of a list. If an account is given, the list has only items that involve this account. */
const ListQuery = PageQuery.extend({ bankAccountId: IdText.optional() });

const transfers = recordCalls(
  { path: '/transfer', area: 'Banking' },
  { whole: Transfer, input: TransferInput, saved: Transfer, gone: Done },
  {
    get: 'Returns a transfer.',
    create: 'Creates and posts a transfer between two bank accounts.',
    update: 'Updates a transfer and posts the difference.',
    remove: 'Reverses and deletes a transfer.',
  },
);

const deposits = recordCalls(
  { path: '/deposit', area: 'Banking' },
  { whole: Deposit, input: DepositInput, saved: Deposit, gone: Done },
  {
    get: 'Returns a deposit with its receipts and other lines.',
    create: 'Creates and posts a deposit of the selected receipts and other lines.',
    update: 'Updates a deposit and posts the difference. Receipts that you remove return to Undeposited Funds.',
    remove: 'Reverses and deletes a deposit. Its receipts return to Undeposited Funds.',
  },
);

export const transferCalls = {
  listTransfers: endpoint({
    method: 'GET',
    path: '/transfer',
    needs: 'View Banking',
    summary: 'Lists transfers, sorted by date. Set `bankAccountId` to filter by account.',
    query: ListQuery,
    reply: listOf(TransferRow),
  }),
  getTransfer: transfers.get,
  createTransfer: transfers.create,
  updateTransfer: transfers.update,
  deleteTransfer: transfers.remove,
  listDeposits: endpoint({
    method: 'GET',
    path: '/deposit',
    needs: 'View Banking',
    summary: 'Lists deposits, sorted by date. Set `bankAccountId` to filter by account.',
    query: ListQuery,
    reply: listOf(DepositRow),
  }),
  getDeposit: deposits.get,
  createDeposit: deposits.create,
  updateDeposit: deposits.update,
  deleteDeposit: deposits.remove,
  listUndeposited: endpoint({
    method: 'GET',
    path: '/undeposited',
    needs: 'View Banking',
    summary: 'Lists the receipts in Undeposited Funds that are not in a deposit, earliest first.',
    reply: z.array(Receipt),
  }),
};
