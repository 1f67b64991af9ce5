import type { BankLineInput } from '@evenkeel/contract/statements';
import { conflict, notFound } from '@evenkeel/core/failure';
import { planLinks } from '../../books/attachments/links.ts';
import { type OwnerKind, ownerAreas } from '../../books/attachments/owners.ts';
import { record } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireOneOf } from '../../platform/http/session.ts';
import { requireSeen, subject } from './acts.ts';
import { actsSql, bankLines } from './lines.sql.ts';

const isOwner = (type: string | null): type is OwnerKind => type !== null && Object.hasOwn(ownerAreas, type);

/**
 * The permission required to attach a file to a payment, in addition to Manage Banking. This permission is also
 * required to post the payment.
 */
const RIGHTS = { payment: 'Manage Billing', expensepayment: 'Manage Expenses' } as const;

/**
 * Attaches files to a bank transaction's document: the payment, journal entry, transfer, or deposit. Throws 404, 403 if
 * the caller can't manage the payment, 409 if the bank transaction has no document, and 422 with the field name if a
 * file is missing.
 */
export async function attachFiles(ctx: Ctx, id: number, input: BankLineInput): Promise<number[]> {
  // Locking only the matched bank transaction can't cause a deadlock, because no later lock waits for the ledger head.
  const line = await ctx.tx.row(bankLines.find({ id }, { lock: 'for no key update' }));
  if (line === undefined) throw notFound('Bank transaction');
  requireSeen(line, input.rowVersion);
  const act = line.actId === null ? undefined : await ctx.tx.row(actsSql([line.actId]));
  const { ownerType = null, ownerId = null } = act ?? {};
  if (!isOwner(ownerType) || ownerId === null)
    throw conflict("You can't attach files to this bank transaction because it hasn't been matched or categorized");
  if (ownerType === 'payment' || ownerType === 'expensepayment') requireOneOf(ctx, [RIGHTS[ownerType]]);
  const links = await planLinks(ctx, { kind: ownerType, id: ownerId }, input.documentLinks);
  const { amount, text, state } = line;
  const seen = { id, amount, text, state, reason: act?.reason ?? '', glids: [] };
  const filed = (all: typeof links.before) => ({ ...seen, files: all.map(({ documentName }) => documentName) });
  record(ctx, subject, { before: filed(links.before), after: filed(links.after), write: links.write(ownerId) });
  return [id];
}
