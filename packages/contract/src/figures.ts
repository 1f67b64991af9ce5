import { type ReportSource, SUBJECTS } from '@evenkeel/core/reports/report';
import * as z from 'zod';
import { DateField, Id, text } from './fields.ts';

/** Types that reports and cards share: the request, and the source of an amount. */

/** The source of an amount, so that clicking the amount opens its entries. */
export const Source: z.ZodType<ReportSource> = z.object({
  accountIds: z.array(Id),
  from: DateField.nullable(),
  to: DateField,
  /** The basis: 0 for accrual, 1 for cash. */
  basis: z.number().int(),
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
  /** Limits the lines to one customer or vendor. */
  entityId: Id.optional(),
  /**
   * For retained earnings only: includes all income and expenses before this date in addition to the lines in the
   * accounts.
   */
  earningsBefore: DateField.optional(),
  /** The transaction that contains the line with the amount. */
  transactionId: Id.optional(),
  /** Limits the lines to documents that buy or sell an asset, or excludes these documents. */
  ofAssets: z.enum(['only', 'without']).optional(),
  /** Limits the lines to journal entries, or excludes journal entries. */
  journals: z.enum(['only', 'without']).optional(),
  /** Excludes entries that were posted after this transaction. 0 excludes all entries. */
  through: z.number().int().min(0).optional(),
  /** Limits the lines to entries that were posted after this transaction. */
  since: z.number().int().min(0).optional(),
  /**
   * Lines in another report, which returns them if it is requested with `only`. `columns` are the columns to add up. By
   * default, all columns are added up.
   */
  detail: z
    .object({
      reportId: z.number().int(),
      only: z.object({
        by: z.enum(SUBJECTS),
        /** The subject's ID. 0 means none. A month has the form 202603. */
        id: z.number().int().min(0),
      }),
      columns: z.array(z.string()).optional(),
      /** The date from which amounts are aged. Defaults to the due date. */
      ageBy: z.enum(['duedate', 'invoicedate']).optional(),
      /** The time after which entries are excluded, as given to this report. */
      knownAt: z.string().optional(),
    })
    .optional(),
});

/**
 * Names: reportdate, startdate (type 1), locationid, profitcenterid, customerid (type 0), basis, periodType, pltype.
 * compare (type 3): previousperiod, previousyear, samedays (the period through today, compared with the same days last
 * year), month, monthyear (each month next to the same month last year), quarter, profitcenter, location, income, now
 * (with `knownat`: as known then, as known now, and the change). knownat (type 3): a date or time after which entries
 * and changes are excluded, such as 2026-05-15 (through the end of that day), 2026-05-15T09:00 (in the company's time
 * zone), or 2026-05-15T13:00:00.000Z. ageby (type 3) for aging reports: duedate, invoicedate. only (type 3) for reports
 * that list lines: "customer 12", "vendor 3", "product 7", "product 0" (none), "category 2", "month 202603", "tax 4",
 * "discounts 0", "other 0" (invoiced to accounts other than income accounts).
 */
export const ReportRequest = z.object({
  reportParams: z
    .array(
      z.object({
        paramType: z.number().int().min(0).max(3),
        paramName: text(40),
        paramvalue: z.union([text(40), z.number(), z.null()]).optional(),
      }),
    )
    .max(20),
});
export type ReportRequest = z.output<typeof ReportRequest>;
