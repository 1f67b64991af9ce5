import type { BodyOf, ReplyOf } from '@evenkeel/contract/endpoint';
import { TaxPayment, type taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { difference as postingsFor } from '@evenkeel/core/books/ledger';
import { conflict, type FieldMessages, notFound, refuseFields } from '@evenkeel/core/failure';
import { taxreturn } from '@evenkeel/core/kinds/taxreturn';
import { cents, formatUsd, sum } from '@evenkeel/core/money';
import { periodOf } from '@evenkeel/core/taxes/due';
import { postTaxPayment } from '@evenkeel/core/taxes/returns';
import { closingOverride, openJournal, post } from '../../books/ledger/journal.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { taxAgency } from './agencies.ts';
import { returnName } from './periods.ts';
import { reverseTaxEntry } from './reverse.ts';
import { agencies, nextReturnId, payingBank, type PaymentRow, returns, returnsOf, taxPayments } from './taxes.sql.ts';

const subject: Subject<typeof TaxPayment> = { name: 'tax payment', schema: TaxPayment, idOf: ({ id }) => id };

/** Returns a payment with the name of its return. */
export function shownPayment({ person: _, ...row }: PaymentRow, name: string): TaxPayment {
  return { ...row, name };
}

/**
 * Records a payment to an agency. If the period is not filed, the payment is a prepayment. Throws 404 if the agency
 * does not exist. Throws 422 for an amount above the unpaid amount, a filed period that is already paid, or an inactive
 * bank account.
 */
export async function payTaxReturn(
  ctx: Ctx,
  input: BodyOf<typeof taxReturnCalls.payTaxReturn>,
): Promise<ReplyOf<typeof taxReturnCalls.payTaxReturn>> {
  const { tx } = ctx;
  const { bankAccountId, paymentDate, amount } = input;
  await tx.rows(agencies.find({ id: input.agencyId }, { lock: 'for update' }));
  const agency = await taxAgency(ctx, input.agencyId);
  const end = await openJournal(tx);
  const period = periodOf(agency, input.periodEnd);
  const [all, payments, bank] = await Promise.all([
    tx.rows(returnsOf(agency.id)),
    tx.rows(taxPayments.find({ agencyId: agency.id, periodEnd: period.to })),
    tx.row(payingBank(bankAccountId)),
  ]);
  const versions = all.filter(({ to }) => to === period.to);
  // The prepayments are already part of the amount due.
  const paid = payments.filter(({ returnId }) => returnId !== null);
  const fields: FieldMessages = {};
  if (period.from < agency.startDate) fields['periodEnd'] = "This period is before the agency's first period";
  if (bank?.active !== true) fields['bankAccountId'] = 'Please Select a Bank Account';
  if (amount <= 0) fields['amount'] = 'Please enter an amount above 0';
  else if (versions.length > 0) {
    const unpaid = cents(sum(versions.map(({ netDue }) => netDue)) - sum(paid.map((each) => each.amount)));
    if (amount > unpaid) fields['amount'] = `The unpaid amount on this return is ${formatUsd(unpaid)}`;
  }
  refuseFields(fields);
  if (bank === undefined) throw notFound('Bank account');
  const { id } = await tx.one(nextReturnId());
  const name = returnName(agency, period);
  const wanted = postTaxPayment({
    date: paymentDate,
    description: `${versions.length === 0 ? 'Prepayment' : 'Payment'} of sales tax, ${name}`,
    taxAccountId: agency.accountId,
    bankAccountId: bank.glAccountId,
    amount,
  });
  const reason = closingOverride(ctx, input.closingOverrideReason);
  await post(ctx, [{ source: { type: taxreturn.source, id }, postings: postingsFor([], [wanted]), reason }], end);
  const returnId = versions.at(-1)?.id ?? null;
  const row = { id, agencyId: agency.id, periodEnd: period.to, returnId, bankAccountId, paymentDate, amount };
  const after = { ...row, name };
  return record(ctx, subject, {
    action: 'post',
    after,
    reason,
    write: taxPayments.insert({ ...row, person: ctx.by.person }),
  });
}

/**
 * Reverses and deletes a payment. Throws 404, and 409 if a filed return includes the payment as a prepayment, if the
 * payment is reconciled, or if its period is closed.
 */
export async function deleteTaxPayment(ctx: Ctx, id: number, overrideReason?: string): Promise<{ ok: true }> {
  const { tx } = ctx;
  const seen = await tx.row(taxPayments.find({ id }));
  if (seen === undefined) throw notFound('Tax payment');
  await tx.rows(agencies.find({ id: seen.agencyId }, { lock: 'for update' }));
  const [row, agency, filed] = await Promise.all([
    tx.row(taxPayments.find({ id })),
    taxAgency(ctx, seen.agencyId),
    tx.row(returns.find({ agencyId: seen.agencyId, to: seen.periodEnd })),
  ]);
  if (row === undefined) throw notFound('Tax payment');
  const name = returnName(agency, periodOf(agency, row.periodEnd));
  if (row.returnId === null && filed !== undefined) {
    throw conflict(`The return for ${name} includes this prepayment. Undo its filing first.`);
  }
  const reason = closingOverride(ctx, overrideReason);
  await reverseTaxEntry(ctx, id, reason);
  record(ctx, subject, { before: shownPayment(row, name), reason, write: taxPayments.delete({ id }) });
  return { ok: true };
}
