import { notFound } from '@evenkeel/core/failure';
import type { Side } from '@evenkeel/core/side';
import type * as z from 'zod';
import { record, type Subject } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { closingOverride } from '../ledger/post.ts';
import { loadPayment, type PaymentInput, removePayment, type SavedPayment, savePayment } from './payments.ts';
import { type NamedPayment, type PaidRow, selectPaid, selectPayment } from './payments.sql.ts';
import type { NamedDocument } from './reads.sql.ts';
import type { DocumentRow } from './tables.sql.ts';

/** What of a side's payments is its own: requests and replies. */
interface PaymentKind<S extends z.ZodType<{ rowVersion: number }>, B, D> {
  side: Side;
  subject: Subject<S>;
  input: (body: B) => PaymentInput;
  /** A stored payment as the API shows it. */
  view: (payment: NamedPayment, paid: readonly PaidRow[]) => z.output<S>;
  /** A document that a payment touched. */
  documentView: (ctx: Ctx, row: NamedDocument) => D;
}

interface Asked {
  id?: number | null | undefined;
  rowVersion?: number | null | undefined;
  closingOverrideReason?: string | null | undefined;
}

/** The calls on the payments of one side (Specification part 1 §4 "Payment allocation"). */
export function paymentCalls<S extends z.ZodType<{ rowVersion: number }>, B extends Asked, D>(
  kind: PaymentKind<S, B, D>,
) {
  const { side, subject, view } = kind;
  const affected = (ctx: Ctx, { payment, documents }: Pick<SavedPayment, 'payment' | 'documents'>): D[] =>
    documents.map((row: DocumentRow) => kind.documentView(ctx, { ...row, entityName: payment.entityName }));

  async function save(ctx: Ctx, body: B) {
    const reason = closingOverride(ctx, body.closingOverrideReason);
    const work = await loadPayment(ctx, side, kind.input(body));
    const before = work.before && view(work.before.payment, work.before.paid);
    if (before !== undefined) requireFresh(subject.schema, before, body.rowVersion);
    const saved = await savePayment(ctx, work, reason !== undefined);
    const after = view(saved.payment, saved.paid);
    record(ctx, subject, { before, after, reason });
    return { ...after, affectedInvoices: affected(ctx, saved), transactionID: saved.transactionId };
  }

  return {
    /** Posts a payment. */
    create: (ctx: Ctx, body: B) => save(ctx, { ...body, id: 0 }),

    /** Saves a payment and posts the difference. 404, 409 when somebody else has saved it meanwhile. */
    update: (ctx: Ctx, body: B) => {
      if ((body.id ?? 0) === 0) throw notFound('Payment');
      return save(ctx, body);
    },

    /** Reverses and removes a payment; its documents are open again. */
    remove: async (ctx: Ctx, id: number, overrideReason: string | undefined) => {
      const reason = closingOverride(ctx, overrideReason);
      const removed = await removePayment(ctx, side, { id, mayPostClosed: reason !== undefined });
      record(ctx, subject, { before: view(removed.payment, removed.paid), reason });
      return { ok: true as const, affectedInvoices: affected(ctx, removed) };
    },

    get: async (ctx: Ctx, id: number) => {
      const [payment, paid] = await Promise.all([ctx.tx.row(selectPayment(side, id)), ctx.tx.rows(selectPaid(id))]);
      if (payment === undefined) throw notFound('Payment');
      return view(payment, paid);
    },
  };
}
