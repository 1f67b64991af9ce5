import { reviewedReports } from '@evenkeel/core/books/closing';
import { exportFormats } from '@evenkeel/core/books/books-export';
import * as z from 'zod';
import { closingLineCalls } from './closingline.ts';
import { endpoint } from './endpoint.ts';
import { DateField, Done, Id, IdText, maybe, Moment, RowVersion, text, Usd } from './fields.ts';
import { OnlineTrouble } from './online.ts';

/** The accountant's calls: the checklist for closing a period, and the export of the books. */

const ClosingAccount = z.object({
  accountId: Id,
  label: z.string(),
  /** The balance as displayed, which is positive on the normal side of the account's root. */
  amount: Usd,
});

/**
 * The balance of the control accounts, which is always on the accrual basis, and the total of the open items of
 * customers or vendors. Journal entries in the control accounts make up the difference.
 */
const ControlBalance = z.object({ ledger: Usd, open: Usd });

/** A report that an administrator reviews and signs off on before closing. */
const ClosingReview = z.object({
  report: z.enum(reviewedReports),
  /** The administrator who signed off on the report. Null if the report is not signed off. */
  signedBy: z.string().nullable(),
  signedAt: Moment.nullable(),
  /** Whether a transaction dated on or before the closing date was posted after the report was signed off. */
  outdated: z.boolean(),
});

/** An account balance that an administrator signed off on, as it was known when the administrator signed off. */
export const AccountSignOff = z.object({
  id: Id,
  accountId: Id,
  label: z.string(),
  /** The last day included in the balance. */
  date: DateField,
  /** The first day of the balance, for income and expenses. Null for all entries. */
  from: DateField.nullable(),
  /** The basis: 0 for accrual, 1 for cash. */
  basis: z.number().int(),
  /** The signed-off balance, which is positive on the normal side of the account's root. */
  balance: Usd,
  /** The current balance on the same date. */
  current: Usd,
  /** The current balance less the signed-off balance. */
  change: Usd,
  /**
   * The last transaction in the signed-off balance. `PUT /GeneralLedger/PostedItems` returns the later transactions.
   */
  since: z.number().int(),
  note: z.string(),
  signedBy: z.string(),
  signedAt: Moment,
});
export type AccountSignOff = z.output<typeof AccountSignOff>;

const AccountSignOffs = z.object({
  date: DateField,
  /** The account's balance on the date. */
  balance: Usd,
  /** The last 24 sign-offs, latest date first. */
  signOffs: z.array(AccountSignOff),
});

/** The administrator who moved the closing date, with the time and the note. */
const ClosingNote = z.object({ person: z.string(), at: Moment, note: z.string(), reopening: z.boolean() });

/** The Ed25519 key that signs proofs of the books, as 64 hexadecimal digits. */
export const ProofPublicKey = z.object({ publicKey: z.string() });

/** The closing date. `rowVersion` is 0 if the date has never been set. */
export const ClosingDate = z.object({
  /** The closing date. Null if no date is closed. */
  closingDate: DateField.nullable(),
  rowVersion: RowVersion,
  /** The last 24 closed months, latest first, with all of their notes. */
  months: z.array(z.object({ date: DateField, closedBy: z.string(), closedAt: Moment, notes: z.array(ClosingNote) })),
});
export type ClosingDate = z.output<typeof ClosingDate>;

export const ClosingChecklist = z.object({
  date: DateField,
  /** Active bank accounts that have entries and whose last statement is dated before the requested date. */
  bankAccounts: z.array(
    z.object({
      bankAccountId: Id,
      name: z.string(),
      lastReconciledDate: DateField.nullable(),
      /**
       * The GL account's balance on the date less the balance on the last statement, calculated as debits less credits.
       */
      amount: Usd,
    }),
  ),
  /** Bank transactions to review, dated on or before the date, by bank account. */
  review: z.array(z.object({ bankAccountId: Id, name: z.string(), count: z.number().int(), amount: Usd })),
  /** Drafts by kind of document (`invoice`, `creditmemo`, `expense`, …, `journal`), dated on or before the date. */
  drafts: z.array(z.object({ kind: z.string(), label: z.string(), count: z.number().int(), amount: Usd })),
  /**
   * Recurring templates, by kind of document, with an occurrence that is due on or before the date but not created yet.
   */
  scheduled: z.array(z.object({ kind: z.string(), label: z.string(), count: z.number().int(), amount: Usd })),
  /**
   * Recurring templates with dates on hold through the date: the first of these dates, the number of dates, and the
   * total amount.
   */
  held: z.array(
    z.object({
      templateId: Id,
      kind: z.string(),
      name: z.string(),
      first: DateField,
      count: z.number().int(),
      amount: Usd,
    }),
  ),
  /** Exempt customers who have an invoice dated after their certificate expired and on or before the date. */
  certificates: z.array(z.object({ customerId: Id, name: z.string(), exemptUntil: DateField, amount: Usd })),
  /** Tax agencies with unfiled returns for periods that ended on or before the date. */
  returns: z.array(z.object({ agencyId: Id, name: z.string(), periods: z.number().int(), first: z.string() })),
  /**
   * For a date in December, vendors who are tracked for 1099 forms and were paid in that year, but whose tax ID or
   * classification is missing.
   */
  vendorTaxes: z.array(z.object({ vendorId: Id, name: z.string(), amount: Usd })),
  /** Open work on online payments, which does not depend on the date. */
  onlinePayments: z.array(OnlineTrouble),
  /**
   * Clearing accounts with a balance on the date. For income and expense accounts, the balance starts with the fiscal
   * year that contains the date.
   */
  clearingAccounts: z.array(ClosingAccount),
  /** Other asset and liability accounts whose balance on the date is on the wrong side. */
  negativeAccounts: z.array(ClosingAccount),
  /** Accounts receivable, and the open invoices less the customers' credits and unapplied payments. */
  receivables: ControlBalance,
  /** Accounts payable, and the open bills less the vendors' credits and unapplied payments. */
  payables: ControlBalance,
  /** The sales tax that has been collected through the date and not remitted. */
  salesTax: z.array(ClosingAccount),
  reviews: z.array(ClosingReview),
  /** Each account's last sign-off through the date. A changed balance is an open item. */
  signOffs: z.array(AccountSignOff),
  /** The amounts for the month that ends on the date, and the total assets on the date, both on the company's basis. */
  figures: z.object({ income: Usd, costOfGoodsSold: Usd, expenses: Usd, netIncome: Usd, assets: Usd }),
});
export type ClosingChecklist = z.output<typeof ClosingChecklist>;

export const closingCalls = {
  ...closingLineCalls,
  getClosingDate: endpoint({
    method: 'GET',
    path: '/closingdate',
    needs: 'Administrator',
    summary: 'Returns the closing date and the closed months.',
    reply: ClosingDate,
  }),
  /**
   * Closing the books requires a note while items are open (see the checklist), and reopening the books requires a
   * reason. Returns 422 if the note or reason is missing, and 409 if `rowVersion` is outdated. Setting the current date
   * again is not an error.
   */
  setClosingDate: endpoint({
    method: 'PUT',
    path: '/closingdate',
    needs: 'Administrator',
    summary: 'Closes the books through a date, or reopens them.',
    body: z.object({ closingDate: DateField.nullable(), note: maybe(text(500)), rowVersion: RowVersion }),
    reply: ClosingDate,
  }),
  signOff: endpoint({
    method: 'PUT',
    path: '/closingreview',
    needs: 'Administrator',
    summary: 'Signs off on a report for the period that ends on a date, or removes the sign-off.',
    body: z.object({ date: DateField, report: z.enum(reviewedReports), signed: z.boolean() }),
    reply: ClosingReview,
  }),
  /** The date defaults to today. */
  accountSignOffs: endpoint({
    method: 'GET',
    path: '/closingreview/account/{customerAccountId}',
    needs: 'View Accounting',
    ofPerson: true,
    summary: "Returns an account's balance on a date and its sign-offs, with the changes since each sign-off.",
    params: z.object({ customerAccountId: IdText }),
    query: z.object({ date: DateField.optional() }),
    reply: AccountSignOffs,
  }),
  /** Returns 409 if the balance is outdated, or if the account is already signed off through the date. */
  signOffAccount: endpoint({
    method: 'PUT',
    path: '/closingreview/account',
    needs: 'Administrator',
    summary: 'Signs off on the balance of an account through a date.',
    body: z.object({ accountId: Id, date: DateField, balance: Usd, note: maybe(text(500)) }),
    reply: AccountSignOff,
  }),
  withdrawSignOff: endpoint({
    method: 'DELETE',
    path: '/closingreview/account/{id}',
    needs: 'Administrator',
    summary: "Withdraws the sign-off on an account's balance.",
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  /**
   * The date defaults to today. The checklist is for information only: the books can be closed even if items are open.
   */
  closingChecklist: endpoint({
    method: 'GET',
    path: '/closingchecklist',
    needs: 'Administrator',
    summary: 'Returns the open items as of a proposed closing date.',
    query: z.object({ date: DateField.optional() }),
    reply: ClosingChecklist,
  }),
  /**
   * Defaults to CSV on the accrual basis. The response has no content length, because the file is created while the
   * response is being sent. Returns 422 if the last day is before the first, and 503 while other exports of the company
   * are running. A failure during the export breaks the connection.
   */
  exportBooks: endpoint({
    method: 'GET',
    path: '/booksexport',
    atMost: 120,
    needs: 'Administrator',
    summary:
      'Exports the journal on one basis for hledger, Beancount, or a spreadsheet. Without dates, ' +
      'exports all entries.',
    query: z.object({
      format: z.enum(exportFormats).optional(),
      basis: z.enum(['accrual', 'cash']).optional(),
      from: DateField.optional(),
      to: DateField.optional(),
    }),
    reply: 'file',
  }),
  /**
   * The file, which docs/proof.md describes, is signed with the installation's key. Returns 503 while other exports of
   * the company are running.
   */
  exportProof: endpoint({
    method: 'GET',
    path: '/booksproof',
    atMost: 120,
    needs: 'Administrator',
    summary: 'Exports the journal, its hash chain, and the trial balances by month as a signed file for third parties.',
    reply: 'file',
  }),
  /** The first call creates the key. */
  proofKey: endpoint({
    method: 'GET',
    path: '/booksproof/key',
    needs: 'Administrator',
    summary: 'Returns the public key that signs proofs of the books.',
    reply: ProofPublicKey,
  }),
};
