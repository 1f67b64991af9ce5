import { SALES } from '@evenkeel/core/accounts';
import { present } from '@evenkeel/core/failure';
import { decimal, fromDollars } from '@evenkeel/core/money';
import { saveFinanceChargeSettings } from '../billing/charge-settings.ts';
import { listFinanceCharges, makeFinanceCharge } from '../billing/charges.ts';
import { credits } from '../billing/credits.ts';
import { invoices } from '../billing/invoices.ts';
import type { Ctx } from '../http/context.ts';

/** The last day of the demo company's story: what customers get back, and what the latest of them is charged. */
export async function writeAfterwards(ctx: Ctx): Promise<void> {
  await takeBack(ctx);
  await saveFinanceChargeSettings(ctx, { annualRate: decimal(12), graceDays: 10, minimum: fromDollars(5) });
  const { charges } = await listFinanceCharges(ctx);
  // The others are left for whoever looks around.
  const [first] = charges.toSorted((a, b) => b.amount - a.amount);
  if (first !== undefined) await makeFinanceCharge(ctx, { id: first.id });
}

/** A credit memo of a part of an open invoice, and one of none; neither is applied yet. */
async function takeBack(ctx: Ctx): Promise<void> {
  const all = await invoices.list(ctx, {});
  const open = (Array.isArray(all) ? all : all.items).filter((row) => row.readyToPay);
  const [credited, other] = [open.at(-1), open.at(-4)].map((row) => present(row, 'open invoice of the demo'));
  if (credited === undefined || other === undefined) return;
  const { customerId, lineItems } = await invoices.get(ctx, credited.id);
  const line = present(lineItems[0], 'line of an invoice');
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
