import { type ReportSource, SUBJECTS } from '@evenkeel/core/reports/report';
import * as z from 'zod';
import { DateField, Id, text } from './fields.ts';

/** Shapes that reports and cards share: the request of a figure, and its source. */

/** The source of a figure, so that a click opens the entries. */
export const Source: z.ZodType<ReportSource> = z.object({
  accountIds: z.array(Id),
  from: DateField.nullable(),
  to: DateField,
  /** 0 accrual, 1 cash. */
  basis: z.number().int(),
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
  /** The lines of one customer or vendor alone. */
  entityId: Id.optional(),
  /** Retained earnings only: besides the accounts' lines, all income and expense before this date. */
  earningsBefore: DateField.optional(),
  /** One transaction: its line is the figure. */
  transactionId: Id.optional(),
  /** Lines of documents that buy or sell an asset alone, or without these. */
  ofAssets: z.enum(['only', 'without']).optional(),
  /** Lines of journal entries alone, or without these. */
  journals: z.enum(['only', 'without']).optional(),
  /** Lines of another report, which lists them when it is asked for `only`; `columns` are added up, or all. */
  detail: z
    .object({
      reportId: z.number().int(),
      only: z.object({
        by: z.enum(SUBJECTS),
        /** 0 names none; a month is 202603. */
        id: z.number().int().min(0),
      }),
      columns: z.array(z.string()).optional(),
      /** The date from which its amounts age; the due date when nothing is said. */
      ageBy: z.enum(['duedate', 'invoicedate']).optional(),
    })
    .optional(),
});

/**
 * Names: reportdate, startdate (type 1), locationid, profitcenterid, customerid (type 0), basis, periodType, pltype,
 * compare (type 3): previousperiod, previousyear, samedays (up to today, and the same days of last year), month,
 * monthyear (each month beside that of last year), quarter, profitcenter, location, income; ageby (type 3), of aging
 * reports: duedate, invoicedate; only (type 3), of reports that list lines: "customer 12", "vendor 3", "product 7",
 * "product 0" (names none), "category 2", "month 202603", "tax 4", "discounts 0", "other 0" (invoiced on accounts that
 * are no income).
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
