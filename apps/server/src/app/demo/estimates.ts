import { SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { ACCEPTED, DECLINED, ESTIMATE_SENT } from '@evenkeel/core/documents/estimate';
import { decimal, fromDollars } from '@evenkeel/core/money';
import { estimates } from '../../features/billing/estimates.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { createWithin } from '../../books/ledger/batch.ts';

/**
 * An estimate in the demo company: its age in days (it is valid for 30), and its lines, each with a quantity, a
 * description, and a price in dollars.
 */
interface Offer {
  age: number;
  status: number;
  lines: readonly (readonly [quantity: number, description: string, price: number])[];
}

/** One estimate has expired, one is ready to invoice, one was declined, and two have no response yet. */
const OFFERS: readonly Offer[] = [
  { age: 48, status: ESTIMATE_SENT, lines: [[1, 'Drainage along the drive, 60 ft', 2350]] },
  {
    age: 19,
    status: ACCEPTED,
    lines: [
      [18, 'Courtyard seating wall, fieldstone, a foot', 145],
      [14, 'Boxwood, 5 gal, planted', 62],
      [6, 'Low-voltage path light, with wiring', 128],
    ],
  },
  { age: 16, status: DECLINED, lines: [[1, 'Pergola of cedar, built and stained', 6480]] },
  { age: 9, status: ESTIMATE_SENT, lines: [[22, 'Lawn renovation, a thousand square feet', 84]] },
  {
    age: 3,
    status: ESTIMATE_SENT,
    lines: [
      [3, 'Tree removal, with stump', 720],
      [1, 'Crane, half a day', 650],
    ],
  },
];

/** Writes one estimate for each of these customers, dated by its age. */
export async function writeEstimates(on: (day: IsoDate) => Ctx, today: IsoDate, customers: readonly number[]) {
  for (const [place, { age, status, lines }] of OFFERS.entries()) {
    const invoiceDate = addDays(today, -age);
    const lineItems = lines.map(([quantity, description, dollars]) => ({
      quantity: decimal(quantity),
      description,
      itemPrice: fromDollars(dollars),
      accountId: SERVICE_INCOME,
    }));
    const customerId = customers[place] ?? 0;
    const input = { customerId, invoiceDate, arBillingStatus: status, lineItems };
    await createWithin(on(invoiceDate), estimates.creation, { input });
  }
}
