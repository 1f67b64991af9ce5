import { exportFormats } from '@evenkeel/core/books/books-export';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { DateField, Id, Usd } from './fields.ts';

/** The accountant's calls: the checklist before a period is closed, and the export of the books. */

const ClosingAccount = z.object({
  accountId: Id,
  label: z.string(),
  /** As the account is shown: positive on the side of its root. */
  amount: Usd,
});

export const ClosingChecklist = z.object({
  date: DateField,
  /** Active banking accounts with entries whose last statement ends before the date. */
  bankAccounts: z.array(
    z.object({
      bankAccountId: Id,
      name: z.string(),
      lastReconciledDate: DateField.nullable(),
      /** Balance of its GL account on the date less that of the last statement, debits less credits. */
      amount: Usd,
    }),
  ),
  /** Bank transactions to review, dated on or before the date, by banking account. */
  review: z.array(z.object({ bankAccountId: Id, name: z.string(), count: z.number().int(), amount: Usd })),
  /** Drafts by kind of document (`invoice`, `creditmemo`, `expense`, …, `journal`), dated on or before the date. */
  drafts: z.array(z.object({ kind: z.string(), label: z.string(), count: z.number().int(), amount: Usd })),
  /** Recurring templates with an occurrence due on or before the date that was not created, by kind of document. */
  scheduled: z.array(z.object({ kind: z.string(), label: z.string(), count: z.number().int(), amount: Usd })),
  /** Clearing accounts with a balance on the date. Those of income and expense have the balance of its fiscal year. */
  clearingAccounts: z.array(ClosingAccount),
  /** Sales tax that was collected through the date and not remitted. */
  salesTax: z.array(ClosingAccount),
});
export type ClosingChecklist = z.output<typeof ClosingChecklist>;

export const closingCalls = {
  /** The date is today unless given. The checklist is only information: a closing date can be set anyway. */
  closingChecklist: endpoint({
    method: 'GET',
    path: '/closingchecklist',
    needs: 'Administrator',
    summary: 'Returns the open items on a proposed closing date.',
    query: z.object({ date: DateField.optional() }),
    reply: ClosingChecklist,
  }),
  /**
   * CSV in the accrual basis unless told otherwise. Its length is not told before it is made. 422 where the last day is
   * before the first; 503 while others of the company are made; a failure in its midst breaks the connection.
   */
  exportBooks: endpoint({
    method: 'GET',
    path: '/booksexport',
    atMost: 120,
    needs: 'Administrator',
    summary:
      'Exports the journal in one basis for hledger, Beancount, or a spreadsheet. Without dates, ' +
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
