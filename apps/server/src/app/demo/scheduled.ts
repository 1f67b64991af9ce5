import { ACCUMULATED_DEPRECIATION, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import { addMonths, startOfMonth } from '@evenkeel/core/dates';
import { decimal, fromDollars } from '@evenkeel/core/money';
import { type Schedule, scheduleFrom } from '@evenkeel/core/documents/schedule';
import type { Ctx } from '../../platform/http/context.ts';
import { scheduledBills, scheduledInvoices, scheduledJournals } from '../../across/scheduled/kinds.ts';
import { templateCalls } from '../../across/scheduled/templates.ts';

const RENT = 167;
const DEPRECIATION = 155;

/** The records that the templates refer to. */
interface Named {
  landlord: number;
  /** A customer who pays a retainer, and a customer who is billed quarterly. */
  retained: number;
  quarterly: number;
}

/**
 * Writes the demo company's templates: a retainer today, and rent, quarterly maintenance, and depreciation from next
 * month.
 */
export async function writeScheduled(ctx: Ctx, { landlord, retained, quarterly }: Named): Promise<void> {
  const start = addMonths(startOfMonth(ctx.today), 1);
  const monthly = scheduleFrom(start);
  const lastDay: Schedule = { ...monthly, monthDay: 'last' };
  const byQuarter: Schedule = { ...monthly, unit: 'quarter' };
  const billed = (customerId: number, description: string, dollars: number) => ({
    customerId,
    invoiceDate: start,
    lineItems: [{ description, itemPrice: fromDollars(dollars), quantity: decimal(1), accountId: SERVICE_INCOME }],
  });
  const invoices = templateCalls(scheduledInvoices);
  const retainer = billed(retained, 'Grounds care, monthly retainer', 480);
  // The schedule starts today, and its first invoice is created.
  const begun = { schedule: scheduleFrom(ctx.today), makes: 'posted', document: retainer } as const;
  const { id, nextN: n } = await invoices.create(ctx, begun);
  await invoices.act(ctx, id, { action: 'run', n });
  const upkeep = billed(quarterly, 'Irrigation check, each quarter', 165);
  await invoices.create(ctx, { schedule: byQuarter, makes: 'draft', document: upkeep });
  await templateCalls(scheduledBills).create(ctx, {
    schedule: monthly,
    makes: 'posted',
    document: {
      vendorId: landlord,
      invoiceNumber: 'Rent',
      invoiceDate: start,
      lineItems: [{ accountId: RENT, lineItemAmount: fromDollars(1350), description: 'Rent of yard and office' }],
      documentLinks: [],
    },
  });
  const amount = fromDollars(310);
  await templateCalls(scheduledJournals).create(ctx, {
    name: 'Depreciation',
    schedule: lastDay,
    makes: 'draft',
    document: {
      generalLedgerEntries: [
        { accountID: DEPRECIATION, debit: true, amount, description: 'Depreciation of mowers and truck' },
        { accountID: ACCUMULATED_DEPRECIATION, debit: false, amount, description: 'Depreciation of mowers and truck' },
      ],
    },
  });
}
