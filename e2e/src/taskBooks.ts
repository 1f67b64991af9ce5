import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { addDays, type IsoDate, parseDate } from '@evenkeel/core/dates';
import type { Api } from './api.ts';
import { addBill, addCustomer, addInvoice, addVendor, daysAgo, incomeAccount, money, today } from './books.ts';

/** The names and amounts that the tasks search for. */
export const BOOKS = {
  /** The customer with the largest balance. */
  debtor: 'Harbor Bakery',
  product: 'Mowing',
  /** The unique amount of an invoice from a year ago. */
  lastYear: '1,907.25',
  paid: '640.00',
  bills: ['B-1', 'B-2', 'B-3'],
} as const;

const CUSTOMERS = ['Canal Stores', 'Oak Hollow', 'Ridge Apartments', 'Lock Keeper', 'Orchard Row', 'Ferry House'];

/** Returns the day last year that is the given number of days before the end of the year. */
function lastYear(before: number): IsoDate {
  const end = parseDate(`${Number(today().slice(0, 4)) - 1}-12-31`);
  if (end === undefined) throw new Error('last year has no end');
  return addDays(end, -before);
}

/**
 * Creates books for two years: 7 customers with 8 invoices each, a paid customer, a product, and bills from three
 * vendors.
 */
export async function addTaskBooks(api: Api): Promise<void> {
  for (const [at, name] of [BOOKS.debtor, ...CUSTOMERS].entries()) {
    const customerId = await addCustomer(api, name);
    for (let month = 0; month < 8; month += 1) {
      const date = month < 5 ? lastYear(month * 28 + at) : daysAgo(month * 9 + at);
      const amount = at === 0 ? `${900 + month}.50` : `${100 + 10 * at + month}.50`;
      await addInvoice(api, { customerId, amount, date });
    }
    if (at === 1) await addInvoice(api, { customerId, amount: BOOKS.lastYear, date: daysAgo(365) });
    if (at === 2) await addPaid(api, customerId);
  }
  const product = { name: BOOKS.product, description: 'Mowing', salesPrice: money('120.00'), productServiceType: 2 };
  const sold = { GLAccountID: await incomeAccount(api), taxable: false };
  await api.call(catalogueCalls.createProduct, { body: { ...product, ...sold } });
  for (const [at, name] of ['Clay & Sons', 'Oak Yard', 'Zinc Works'].entries()) {
    const vendorId = await addVendor(api, name);
    await addBill(api, { vendorId, number: BOOKS.bills[at] ?? '', amount: `${80 + at}.00`, date: daysAgo(20) });
  }
}

async function addPaid(api: Api, customerId: number): Promise<void> {
  const invoice = await addInvoice(api, { customerId, amount: BOOKS.paid, date: daysAgo(70) });
  const [type] = await api.call(bankingCalls.listPaymentTypes, { query: {} });
  const [account] = await api.call(ledgerCalls.listPaymentAccounts, { query: {} });
  const paymentAmount = money(BOOKS.paid);
  await api.call(billingCalls.createPayment, {
    body: {
      customerId,
      paymentDate: daysAgo(60),
      paymentAmount,
      paymentTypeId: type?.id,
      paymentAccountId: account?.customerAccountID,
      paymentApplications: [{ invoiceId: invoice.id, amount: paymentAmount }],
    },
  });
}
