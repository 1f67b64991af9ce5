import { Failure, refuse } from '@evenkeel/core/failure';
import type { Ctx } from '../../platform/http/context.ts';
import type { New } from '../../platform/http/creation.ts';
import type { Outcomes } from '../../platform/http/idempotency.ts';
import { closingOverride } from '../ledger/journal.ts';

/** Payments from one or more customers or to one or more vendors in one request, with one reason for all of them. */
export interface Together<B> {
  payments: readonly B[];
  closingOverrideReason?: string | null | undefined;
}

interface Posting<B, M, R> {
  make: (ctx: Ctx, asked: readonly New<B>[], reason?: string) => Promise<Outcomes<M>>;
  reply: (made: M) => R;
}

/**
 * Posts new payments in order. An error rolls back the transaction, so either all or none of the payments are posted.
 * Throws the error for the first rejected payment, with the payment's index in the names of the invalid fields.
 */
export async function postTogether<B extends { id?: number | null | undefined }, M, R>(
  ctx: Ctx,
  { payments, closingOverrideReason }: Together<B>,
  { make, reply }: Posting<B, M, R>,
): Promise<{ payments: R[] }> {
  const reason = closingOverride(ctx, closingOverrideReason);
  const saved = payments.findIndex(({ id }) => (id ?? 0) > 0);
  if (saved !== -1)
    throw placed(refuse('Only new payments can be posted together', { id: 'This is not a new payment' }), saved);
  const news = payments.map((input) => ({ input, today: ctx.today }));
  const made = await make(ctx, news, reason);
  return {
    payments: made.map((each, at) => {
      if (each.status === 'rejected') throw placed(each.reason, at);
      return reply(each.value);
    }),
  };
}

/** Returns the error for one payment in a list, with the payment's index in the names of the invalid fields. */
function placed(error: unknown, at: number): unknown {
  if (!(error instanceof Failure)) return error;
  const { code, message, detail } = error;
  const place = `payments.${at}`;
  const fields = Object.entries(error.fields ?? {}).map(([path, text]) => [`${place}.${path}`, text]);
  return new Failure(code, message, fields.length === 0 ? { [place]: message } : Object.fromEntries(fields), detail);
}
