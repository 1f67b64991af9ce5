import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { UNCATEGORIZED_EXPENSE } from '@evenkeel/core/accounts';
import { cents, decimal } from '@evenkeel/core/money';
import type { Api } from './api.ts';
import { addCustomer, addSalesTax, addVendor, daysAgo, incomeAccount, today } from './books.ts';

/** 9,999,999.99 */
const MOST = cents(999_999_999);

/** Names by which the screens of big books are found. */
export interface BigBooks {
  customerId: number;
  vendorId: number;
  invoiceId: number;
  billId: number;
  paymentId: number;
  productId: number;
  packageId: number;
  discountId: number;
}

async function addPlaces(api: Api) {
  const settings = ['useProfitCenters', 'useLocations'].map(async (settingName) =>
    api.call(settingsCalls.saveSettings, { body: { settingName, settingValue: 'true' } }),
  );
  await Promise.all(settings);
  const center = await api.call(ledgerCalls.createProfitCenter, { body: { profitcentername: 'Installation' } });
  const location = await api.call(ledgerCalls.createLocation, { body: { locationName: 'Medina Yard' } });
  return { profitCenterId: center.profitcenterid, locationId: location.locationId };
}

async function addGoods(api: Api, accountId: number) {
  const priced = { GLAccountID: accountId, salesPrice: MOST, productServiceType: 1 };
  const product = await api.call(catalogueCalls.createProduct, {
    body: { ...priced, name: 'Irrigation Repair', description: 'Heads 7 to 12 replaced', taxable: true },
  });
  const untaxed = await api.call(catalogueCalls.createProduct, {
    body: { ...priced, name: 'Course Renovation', description: 'Phase 1 of 3', taxable: false },
  });
  const discount = await api.call(catalogueCalls.createDiscount, {
    body: {
      name: 'Loyalty',
      description: 'Off products',
      GLAccountID: accountId,
      discountType: 0,
      discountTypeTarget: 1,
      discountFlatValue: cents(123_456_789),
    },
  });
  const parts = [product, untaxed].map(({ productID }) => ({
    productID,
    quantity: decimal('1'),
    isAProductLine: true,
  }));
  const deal = await api.call(catalogueCalls.createPackage, {
    body: {
      name: 'Spring Refresh',
      description: 'Beds and courses',
      packageDealDiscountType: 2,
      goalPrice: MOST,
      packageLineItems: parts,
    },
  });
  return { productId: product.productID, packageId: deal.packageID, discountId: discount.discountID };
}

/**
 * Books with profit centers, locations and sales tax in which every amount is 9,999,999.99: four invoices of a customer
 * (one paid in part), a bill, a journal entry, a product, a package and a discount.
 */
export async function addBigBooks(api: Api): Promise<BigBooks> {
  await addSalesTax(api, 'State', '5.75');
  const place = await addPlaces(api);
  const accountId = await incomeAccount(api);
  const goods = await addGoods(api, accountId);
  const customerId = await addCustomer(api, 'Blue Heron Golf Club');
  const vendorId = await addVendor(api, 'Quarry Supply');
  const line = { ...place, accountId, itemPrice: MOST, quantity: decimal('1'), taxable: true };
  const invoice = async (days: number, lines = [line, { ...line, taxable: false }]) => {
    const lineItems = lines.map((one) => ({
      ...one,
      description: 'Course renovation, phase 1',
      serviceDate: daysAgo(days),
    }));
    const body = { customerId, invoiceDate: daysAgo(days), arBillingStatus: 2, lineItems };
    return api.call(billingCalls.createInvoice, { body });
  };
  const { id: invoiceId } = await invoice(3);
  for (const days of [40, 70, 400]) await invoice(days, [line]);
  const cost = { lineItemAmount: MOST, accountId: UNCATEGORIZED_EXPENSE, profitCenterId: place.profitCenterId };
  const bill = await api.call(expenseCalls.createExpense, {
    body: {
      vendorId,
      invoiceNumber: 'QS-2026-0001',
      locationId: place.locationId,
      invoiceDate: daysAgo(90),
      lineItems: [{ ...cost, description: 'Gravel, four loads' }],
    },
  });
  const [[account], types] = await Promise.all([
    api.call(ledgerCalls.listPaymentAccounts, { query: {} }),
    api.call(bankingCalls.listPaymentTypes, { query: {} }),
  ]);
  if (account === undefined) throw new Error('there is no account to pay into');
  const paymentAccountId = account.customerAccountID;
  const payment = await api.call(billingCalls.createPayment, {
    body: {
      customerId,
      paymentDate: today(),
      paymentAmount: MOST,
      paymentTypeId: types[0]?.id,
      paymentAccountId,
      paymentApplications: [{ invoiceId, amount: MOST }],
    },
  });
  await api.call(ledgerCalls.postTransaction, {
    body: {
      postingDate: today(),
      generalLedgerEntries: [true, false].map((debit) => ({
        amount: MOST,
        description: 'Owner’s loan',
        debit,
        postingDate: today(),
        accountID: debit ? paymentAccountId : accountId,
        profitcenterid: place.profitCenterId,
        locationid: place.locationId,
      })),
    },
  });
  return { customerId, vendorId, invoiceId, billId: bill.id, paymentId: payment.id, ...goods };
}
