import * as z from 'zod';
import { DateField, Id, text } from './fields.ts';

/** What reports and cards share: how a figure is asked for, and what is behind it. */

/** What is behind a figure, so that a click opens the entries. */
export const Source = z.object({
  accountIds: z.array(Id),
  from: DateField.nullable(),
  to: DateField.nullable(),
  basis: z.number().int(),
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
  /** The lines of one customer or vendor alone. */
  entityId: Id.optional(),
  /** Retained earnings only: besides the accounts' lines, all income and expense before this date. */
  earningsBefore: DateField.optional(),
  /** One transaction: its line is the figure. */
  transactionId: Id.optional(),
});

/**
 * Names: reportdate, startdate (type 1), locationid, profitcenterid, customerid (type 0), basis, periodType, pltype,
 * compare (type 3): previousperiod, previousyear, month, quarter, profitcenter, location.
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
