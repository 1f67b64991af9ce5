import { exportFormats } from '@evenkeel/core/books/books-export';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { DateField, Id, Usd } from './fields.ts';

/** The accountant's calls: the checklist for closing a period, and the export of the books. */

const ClosingAccount = z.object({
  accountId: Id,
  label: z.string(),
  /** The balance as displayed, which is positive on the side of the account's root. */
  amount: Usd,
});

export const ClosingChecklist = z.object({
  date: DateField,
  /** Active bank accounts with entries whose last statement ends before the date. */
  bankAccounts: z.array(
    z.object({
      bankAccountId: Id,
      name: z.string(),
      lastReconciledDate: DateField.nullable(),
      /** The balance of its GL account on the date less the balance of the last statement, as debits less credits. */
      amount: Usd,
    }),
  ),
  /** Bank transactions to review, dated on or before the date, by bank account. */
  review: z.array(z.object({ bankAccountId: Id, name: z.string(), count: z.number().int(), amount: Usd })),
  /** Drafts by kind of document (`invoice`, `creditmemo`, `expense`, …, `journal`), dated on or before the date. */
  drafts: z.array(z.object({ kind: z.string(), label: z.string(), count: z.number().int(), amount: Usd })),
  /** Recurring templates, by kind of document, with an uncreated occurrence due on or before the date. */
  scheduled: z.array(z.object({ kind: z.string(), label: z.string(), count: z.number().int(), amount: Usd })),
  /**
   * Clearing accounts with a balance on the date. For income and expense accounts, the balance covers the fiscal year
   * of the date.
   */
  clearingAccounts: z.array(ClosingAccount),
  /** Sales tax collected through the date and not remitted. */
  salesTax: z.array(ClosingAccount),
});
export type ClosingChecklist = z.output<typeof ClosingChecklist>;

export const closingCalls = {
  /** The date defaults to today. The checklist is only information: a closing date can be set even if work remains. */
  closingChecklist: endpoint({
    method: 'GET',
    path: '/closingchecklist',
    needs: 'Administrator',
    summary: 'Returns the open items as of a proposed closing date.',
    query: z.object({ date: DateField.optional() }),
    reply: ClosingChecklist,
  }),
  /**
   * Defaults to CSV on the accrual basis. The response has no content length, because the file is created while it is
   * sent. Returns 422 if the last day is before the first, and 503 while other exports of the company are running. A
   * failure during the export breaks the connection.
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
};
