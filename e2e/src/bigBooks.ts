import { BANK_KINDS, bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { settingsCalls } from '@evenkeel/contract/settings';
import { UNCATEGORIZED_EXPENSE } from '@evenkeel/core/books/accounts';
import { decimal } from '@evenkeel/core/money';
import type { Api } from './api.ts';
import { addStatement } from './statements.ts';
import { addCustomer, addSalesTax, addVendor, daysAgo, incomeAccount, money } from './books.ts';
import {
  addBanking,
  addCredit,
  addEstimate,
  addWriteOff,
  addGoods,
  addLists,
  addMoney,
  addMoves,
  addScheduled,
  addWork,
  type Saved,
} from './oneOfEach.ts';

/** The amount of every line, price, payment, and entry in these books. */
const MOST = '9,999,999.99';

/** The number of bank accounts, including Checking and the card. */
const BANKS = 12;

/** The usual limit for the names of records that users know by heart. */
const NAME_LENGTH = 60;

/** Returns a name of 60 characters, which is too long for a column. */
const long = (name: string) => `${name} of the Grounds, Gardens, and Courses in the Upper Valley`.slice(0, NAME_LENGTH);

/** A name that is too long for a column. */
export const BIG_CUSTOMER = 'Cedar, Stone & Timber Landscape Architects of the Upper Valley';

/** Adds bank accounts with long names and opening balances. Every other bank has bank transactions for review. */
async function addBanks(api: Api): Promise<void> {
  const add = async (index: number) => {
    const { bankingAccountID: bankAccountId } = await api.call(bankingCalls.createBankingAccount, {
      body: {
        name: long(`Account ${index + 1}`),
        accountNumber: `00012345678${10 + index}`,
        kind: BANK_KINDS[index % BANK_KINDS.length],
        openingBalance: money(index % 2 === 0 ? MOST : `-${MOST}`),
        openingDate: daysAgo(60),
        allowPayments: true,
        allowDeposits: true,
      },
    });
    const amount = MOST.replaceAll(',', '');
    const [deposit, check] = [
      { date: daysAgo(3), text: 'COUNTER DEPOSIT', amount },
      { date: daysAgo(2), text: 'CHECK 118' },
    ];
    if (index % 4 === 0) await addStatement(api, bankAccountId, [deposit, { ...check, amount: `-${amount}` }]);
  };
  await Promise.all(Array.from({ length: BANKS - 2 }, (_, at) => add(at + 2)));
}

/**
 * Creates books with profit centers, locations, and sales tax in which every amount is 9,999,999.99: four invoices for
 * a customer (one partially paid), two bills, a journal entry, a product, a package, and a discount. There are
 * twelve bank accounts, and most names have 60 characters.
 */
export async function addBigBooks(api: Api): Promise<Saved> {
  await addSalesTax(api, 'State', '5.75');
  for (const settingName of ['useProfitCenters', 'useLocations']) {
    await api.call(settingsCalls.saveSettings, { body: { settingName, settingValue: 'true' } });
  }
  const lists = await addLists(api, long);
  const goods = await addGoods(api, MOST, long);
  const [customer, vendor] = [await addCustomer(api, BIG_CUSTOMER), await addVendor(api, long('Quarry Supply'))];
  const [profitCenterId, locationId] = [lists['profitCenter'], lists['location']];
  const line = {
    profitCenterId,
    locationId,
    itemPrice: money(MOST),
    quantity: decimal('1'),
    taxable: true,
    accountId: await incomeAccount(api),
  };
  const addInvoice = async (days: number, lines = [line]) => {
    const lineItems = lines.map((one) => ({
      ...one,
      description: 'Course renovation, phase 1',
      serviceDate: daysAgo(days),
    }));
    const body = { customerId: customer, invoiceDate: daysAgo(days), arBillingStatus: 2, lineItems };
    return (await api.call(billingCalls.createInvoice, { body })).id;
  };
  const invoice = await addInvoice(3, [line, { ...line, taxable: false }]);
  for (const days of [40, 70, 400]) await addInvoice(days);
  const cost = { lineItemAmount: money(MOST), accountId: UNCATEGORIZED_EXPENSE, profitCenterId };
  const addBill = async (invoiceNumber: string, vendorId = vendor) => {
    const lineItems = [{ ...cost, description: 'Gravel, four loads' }];
    const body = { vendorId, invoiceNumber, locationId, invoiceDate: daysAgo(90), lineItems };
    return (await api.call(expenseCalls.createExpense, { body })).id;
  };
  const [bill, due] = [await addBill('QS-2026-0001'), await addBill('QS-2026-0002')];
  const otherBill = await addBill('CH-2026-0001', await addVendor(api, BIG_CUSTOMER));
  const place = { profitcenterid: profitCenterId ?? 0, locationid: locationId ?? 0 };
  const paid = await addMoney(api, { customer, vendor, invoice, due, amount: MOST, place });
  const moves = await addMoves(api, MOST);
  const banking = await addBanking(api, MOST, { named: long, place });
  const work = await addWork(api, customer, { price: MOST, profitCenterId, locationId });
  const scheduled = await addScheduled(api, { customer, vendor, price: MOST, profitCenterId, locationId });
  const credit = await addCredit(api, customer, { price: MOST, profitCenterId, locationId });
  const estimate = await addEstimate(api, customer, { price: MOST, profitCenterId, locationId });
  const writeOff = await addWriteOff(api, await addInvoice(500));
  await addBanks(api);
  return {
    ...credit,
    ...estimate,
    ...writeOff,
    ...scheduled,
    ...lists,
    ...goods,
    ...paid,
    ...moves,
    ...banking,
    ...work,
    customer,
    vendor,
    invoice,
    bill,
    otherBill,
  };
}
