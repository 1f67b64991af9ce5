import * as z from 'zod';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { DateField, Done, Id, IdText, maybe, RowVersion, text, Usd } from './fields.ts';

/** Write-offs: amounts that customers will not pay, which are removed from receivables without a payment. */

/** A write-off. Amounts are positive. */
export const WriteOff = z.object({
  id: Id,
  writeOffNumber: z.string(),
  writeOffDate: DateField,
  customerId: Id,
  customerDisplayName: z.string(),
  invoiceId: Id.nullable(),
  amount: Usd,
  /** The part that is posted as bad debt. The rest reduces the sales tax payable. */
  badDebtAmount: Usd,
  taxAmount: Usd,
  reason: z.string(),
  rowVersion: RowVersion,
});
export type WriteOff = z.output<typeof WriteOff>;

/** A write-off with the number of its invoice, which is empty if the invoice was deleted. */
const NamedWriteOff = WriteOff.extend({ invoiceNumber: z.string() });
export type NamedWriteOff = z.output<typeof NamedWriteOff>;

const WriteOffCandidate = z.object({
  invoiceId: Id,
  invoiceNumber: z.string(),
  customerId: Id,
  customerDisplayName: z.string(),
  invoiceDate: DateField,
  dueDate: DateField.nullable(),
  openAmount: Usd,
  /** The part of the open amount that is sales tax. */
  taxAmount: Usd,
});
export type WriteOffCandidate = z.output<typeof WriteOffCandidate>;

const WriteOffInput = z.object({
  invoiceId: Id,
  writeOffDate: DateField,
  /** The open amount that the user saw. The request is rejected if the amount has changed since then. */
  amount: Usd,
  /** Whether to reduce the sales tax payable by the tax part instead of posting that part as bad debt. */
  withTax: maybe(z.boolean()),
  reason: maybe(text(500)),
  /** An administrator's reason for a change on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
});
export type WriteOffInput = z.output<typeof WriteOffInput>;

/** The result for one invoice in a list. */
const WriteOffResult = z.object({
  invoiceId: Id,
  ok: z.boolean(),
  writeOffNumber: z.string().optional(),
  message: z.string().optional(),
  /** The error code. `closed` means that an administrator can give a reason. */
  code: z.string().optional(),
});
export type WriteOffResult = z.output<typeof WriteOffResult>;

/** Dollars in a query, such as 12.50. */
const DollarsText = z.string().regex(/^\d{1,9}(\.\d{1,2})?$/, 'must be an amount such as 12.50');

/** The maximum number of invoices in one list. */
export const MOST_WRITE_OFFS = 200;

const params = z.object({ id: IdText });

export const writeOffCalls = {
  writeOffCandidates: endpoint({
    method: 'GET',
    path: '/writeoff/open',
    needs: 'View Billing',
    summary: 'Lists up to 200 open invoices to write off, filtered by invoice, maximum amount, or due date.',
    query: z.object({ invoiceId: IdText.optional(), most: DollarsText.optional(), before: DateField.optional() }),
    reply: z.array(WriteOffCandidate),
  }),
  listWriteOffs: endpoint({
    method: 'GET',
    path: '/writeoff',
    needs: 'View Billing',
    summary: 'Lists write-offs, sorted by number. Use `sort=writeOffDate&desc=true` for newest first.',
    query: PageQuery,
    reply: listOf(NamedWriteOff),
  }),
  getWriteOff: endpoint({
    method: 'GET',
    path: '/writeoff/{id}',
    needs: 'View Billing',
    summary: 'Returns a write-off.',
    params,
    reply: NamedWriteOff,
  }),
  createWriteOff: endpoint({
    method: 'POST',
    path: '/writeoff',
    needs: 'Manage Billing',
    summary: 'Writes off the open balance of an invoice. For a list, returns one result per invoice.',
    body: z.union([WriteOffInput, z.array(WriteOffInput).max(MOST_WRITE_OFFS)]),
    reply: z.union([WriteOff, z.array(WriteOffResult)]),
  }),
  deleteWriteOff: endpoint({
    method: 'DELETE',
    path: '/writeoff/{id}',
    needs: 'Manage Billing',
    summary: 'Reverses and deletes a write-off. Its invoice becomes open again.',
    params,
    query: z.object({ closingOverrideReason: text(500).optional() }),
    reply: Done,
  }),
};
