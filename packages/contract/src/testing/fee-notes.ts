import { FEE_NOTE } from '@evenkeel/core/testing/fee-note';
import * as z from 'zod';
import { BillingInvoiceRow } from '../billing.ts';
import { chosenId, DateField, Id, LineId, maybe, RowVersion, Usd } from '../fields.ts';
import { sentCalls } from '../sending.ts';
import { documentCalls } from '../subledger.ts';

const fee = { description: z.string(), accountId: Id, lineItemAmount: Usd };

export const FeeNote = BillingInvoiceRow.extend({
  lineItems: z.array(
    z.object({ ...fee, id: Id, deleted: z.boolean(), profitCenterId: Id.nullable(), locationId: Id.nullable() }),
  ),
});
export type FeeNote = z.output<typeof FeeNote>;

const FeeNoteInput = z.object({
  id: maybe(LineId),
  customerId: chosenId('Please Select a Customer'),
  invoiceDate: DateField,
  lineItems: z.array(z.object({ ...fee, id: maybe(LineId), profitCenterId: maybe(Id) })),
  rowVersion: maybe(RowVersion),
});
export type FeeNoteInput = z.output<typeof FeeNoteInput>;

/** The endpoints for a kind of document that Evenkeel doesn't have. */
export const feeNoteCalls = {
  ...documentCalls(
    { path: '/feenote', area: FEE_NOTE.area },
    { whole: FeeNote, row: BillingInvoiceRow, input: FeeNoteInput },
    {
      list: 'Lists fee notes.',
      get: 'Returns a fee note.',
      create: 'Creates a fee note.',
      update: 'Updates a fee note.',
      remove: 'Deletes a fee note.',
    },
  ),
  ...sentCalls('feenote', 'a fee note'),
};
