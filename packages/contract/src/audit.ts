import { fromPlain, toPlain } from '@evenkeel/core/money';
import * as z from 'zod';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { DateField, flag, Id, IdText, Moment, Usd } from './fields.ts';

/** The audit log. */

/** A field in words, as it was and as it became; null where there was nothing. */
const AuditChange = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() });
export type AuditChange = z.output<typeof AuditChange>;

export const AuditEntry = z.object({
  id: Id,
  at: Moment,
  userId: Id,
  person: z.string(),
  /** create, update, delete, post or reverse. */
  action: z.string(),
  /** The kind of record, e.g. `invoice`, and which one. */
  kind: z.string(),
  recordId: Id,
  /** Its number or name at that time. */
  title: z.string(),
  amount: Usd.nullable(),
  /** An administrator's reason to change closed books. */
  reason: z.string().nullable(),
  /** session, key, job, command or server; empty for what is older than this note. */
  byKind: z.string(),
  /** The device of a session, or the name of the job, key or command. */
  byName: z.string(),
  changes: z.array(AuditChange),
});
export type AuditEntry = z.output<typeof AuditEntry>;

/** An amount in a query, in dollars. */
const AmountText = z
  .codec(z.string().regex(/^-?\d{1,12}(\.\d{1,2})?$/, 'must be an amount'), Usd.out, {
    decode: (text) => fromPlain(text),
    encode: (amount) => toPlain(amount),
  })
  .describe('US dollars, at most 2 decimals');

export const AuditQuery = PageQuery.extend({
  /** One entry, by its id. */
  entry: IdText.optional(),
  /** The user who acted. */
  person: IdText.optional(),
  kind: z.string().max(50).optional(),
  /** The id of one record of the kind. */
  record: IdText.optional(),
  /** Days of the company, both included. */
  from: DateField.optional(),
  to: DateField.optional(),
  /** Bounds of the amount of the record. */
  least: AmountText.optional(),
  most: AmountText.optional(),
  /** Changes of closed books alone. */
  exceptions: flag,
});

export const auditCalls = {
  listAudit: endpoint({
    method: 'GET',
    path: '/audit',
    needs: 'by record',
    summary:
      'Returns the audit log, oldest first (administrators only), or the history of one record that you may view.',
    query: AuditQuery,
    reply: listOf(AuditEntry),
  }),
};
