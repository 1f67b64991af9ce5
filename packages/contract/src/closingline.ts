import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { DateField } from './fields.ts';

/** The Month End summary, which the dashboard shows without loading the other closing calls. */

const ClosingLine = z.object({
  /** The closing date. Null if no date is closed. */
  closingDate: DateField.nullable(),
  /** The last day of the checklist, which is today. */
  through: DateField,
  /** The number of open items in the checklist for this day. 0 if the books are closed through this day. */
  openCount: z.number().int(),
});

export const closingLineCalls = {
  getClosingLine: endpoint({
    method: 'GET',
    path: '/closingdate/line',
    needs: 'Administrator',
    summary: 'Returns the closing date and the number of open items in the checklist for closing through today.',
    reply: ClosingLine,
  }),
};
