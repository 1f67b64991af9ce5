import { SALES, UNDEPOSITED } from '@evenkeel/core/books/accounts';
import { present } from '@evenkeel/core/failure';
import { cents, decimal, fromDollars, ZERO } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { saveFinanceChargeSettings } from '../../features/billing/charge-settings.ts';
import { listFinanceCharges, makeFinanceCharge } from '../../features/billing/charges.ts';
import { credits } from '../../features/billing/credits.ts';
import { invoices } from '../../features/billing/invoices.ts';
import { billingPayments } from '../../features/billing/views.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { openDocuments } from '../../books/documents/reads.ts';
import { demoCustomers } from './customers.data.ts';

/** The payment type "Cash". */
const CASH = 1;

/**
 * Writes the last day of the demo company's story: credits for customers, an early-payment discount, and a finance
 * charge.
 */
export async function writeAfterwards(ctx: Ctx): Promise<void> {
  await takeBack(ctx);
  await takeDiscount(ctx);
  await saveFinanceChargeSettings(ctx, { annualRate: decimal(12), graceDays: 10, minimum: fromDollars(5) });
  const { charges } = await listFinanceCharges(ctx);
  // The other finance charges are left for visitors to the demo to create.
  const [first] = charges.toSorted((a, b) => b.amount - a.amount);
  if (first !== undefined) await makeFinanceCharge(ctx, { id: first.id });
}

/** A customer with discount terms pays its newest invoice early and in cash, less the discount. */
async function takeDiscount(ctx: Ctx): Promise<void> {
  const name = demoCustomers.find(({ discount }) => discount !== undefined)?.name;
  const all = await invoices.list(ctx, {});
  const own = (Array.isArray(all) ? all : all.items).filter((row) => row.customerDisplayName === name);
  const newest = own.findLast((row) => row.readyToPay && row.openAmount === row.invoiceAmount);
  if (newest === undefined) return;
  const { customerId, id: invoiceId } = newest;
  const open = await openDocuments(ctx, RECEIVABLE, customerId, 0);
  const { amount: discountAmount = ZERO, until = null } =
    open.find((each) => each.invoiceId === invoiceId)?.discount ?? {};
  const paymentDate = until !== null && until < ctx.today ? until : ctx.today;
  const amount = cents(newest.openAmount - discountAmount);
  await billingPayments.creation.create(ctx, {
    body: {
      customerId,
      paymentDate,
      paymentAmount: amount,
      paymentTypeId: CASH,
      paymentAccountId: UNDEPOSITED,
      paymentApplications: [{ invoiceId, amount, discountAmount }],
    },
  });
}

/** Creates one credit memo for part of an open invoice and one without an invoice. Neither is applied yet. */
async function takeBack(ctx: Ctx): Promise<void> {
  const all = await invoices.list(ctx, {});
  const open = (Array.isArray(all) ? all : all.items).filter((row) => row.readyToPay);
  const [credited, other] = [open.at(-1), open.at(-4)].map((row) => present(row, 'open invoice in the demo'));
  if (credited === undefined || other === undefined) return;
  const { customerId, lineItems } = await invoices.get(ctx, credited.id);
  const line = present(lineItems[0], 'invoice line');
  await credits.create(ctx, {
    body: {
      customerId,
      invoiceDate: ctx.today,
      creditedInvoiceId: credited.id,
      reason: 'Less was needed than we billed',
      lineItems: [{ ...line, creditedLineId: line.id, id: -1, quantity: decimal(1) }],
    },
  });
  const goodwill = { description: 'Gate left open, goodwill', itemPrice: fromDollars(35), quantity: decimal(1) };
  await credits.create(ctx, {
    body: {
      customerId: other.customerId,
      invoiceDate: ctx.today,
      reason: 'Goodwill',
      lineItems: [{ ...goodwill, accountId: SALES, taxable: false }],
    },
  });
}
