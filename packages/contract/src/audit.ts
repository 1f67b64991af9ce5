import { fromPlain, toPlain } from '@evenkeel/core/money';
import * as z from 'zod';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { DateField, flag, Id, IdText, maybe, Moment, text, Usd } from './fields.ts';

/** The audit log. */

/** A field with its old and new values as text. A missing value is null. */
const AuditChange = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() });
export type AuditChange = z.output<typeof AuditChange>;

export const AuditEntry = z.object({
  id: Id,
  at: Moment,
  userId: Id,
  person: z.string(),
  /** One of create, update, delete, post, and reverse. */
  action: z.string(),
  /** The kind of record, for example `invoice`. */
  kind: z.string(),
  recordId: Id,
  /** The record's number or name at the time of the change. */
  title: z.string(),
  amount: Usd.nullable(),
  /** An administrator's reason for a change to closed books. */
  reason: z.string().nullable(),
  /** One of session, key, job, command, and server. Empty for entries that were created before this field existed. */
  byKind: z.string(),
  /** The device of a session, or the name of the job, key, or command. */
  byName: z.string(),
  changes: z.array(AuditChange),
  /** Whether `undoChange` can undo this kind of change, as long as no newer change or record depends on it. */
  canUndo: z.boolean(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

/** An amount in a query, in dollars. */
const AmountText = z
  .codec(z.string().regex(/^-?\d{1,12}(\.\d{1,2})?$/, 'must be an amount'), Usd.out, {
    decode: (text) => fromPlain(text),
    encode: (amount) => toPlain(amount),
  })
  .describe('US dollars, at most 2 decimal places');

export const AuditQuery = PageQuery.extend({
  /** The ID of an audit log entry. */
  entry: IdText.optional(),
  /** The user who made the change. */
  person: IdText.optional(),
  kind: z.string().max(50).optional(),
  /** The ID of a record of this kind. */
  record: IdText.optional(),
  /** The first and last date, inclusive, in the company's time zone. */
  from: DateField.optional(),
  to: DateField.optional(),
  /** The minimum and maximum amount of the record. */
  least: AmountText.optional(),
  most: AmountText.optional(),
  /** Whether to return only changes to closed books. */
  exceptions: flag,
});

export const auditCalls = {
  listAudit: endpoint({
    method: 'GET',
    path: '/audit',
    needs: 'by record',
    summary:
      'Returns the audit log, oldest first (administrators only), or the history of one record that you can view.',
    query: AuditQuery,
    reply: listOf(AuditEntry),
  }),
  undoChange: endpoint({
    method: 'POST',
    path: '/audit/{id}/undo',
    needs: 'by record',
    summary:
      'Undoes a change in the audit log: deletes a created record, restores the values before a change, or reverses ' +
      'a journal entry. Returns 409 with the reason if the change can’t be undone.',
    params: z.object({ id: IdText }),
    body: z.object({ closingOverrideReason: maybe(text(500)) }),
    /** The API call that undid the change, for example `deleteBillinginvoiceId`. */
    reply: z.object({ operation: z.string() }),
    ofPerson: true,
  }),
};
