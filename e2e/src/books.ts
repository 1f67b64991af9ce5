import { billingCalls, type BillingInvoice, type BillingPayment } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls, type ExpenseInvoice } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { UNCATEGORIZED_EXPENSE } from '@evenkeel/core/books/accounts';
import { addDays, type IsoDate, parseDate } from '@evenkeel/core/dates';
import { decimal, parseUsd } from '@evenkeel/core/money';
import type { Api } from './api.ts';

/** Uses the API to create records that a journey needs but does not test. Amounts are given as text: '1,234.50'. */

/** Returns the current date in UTC. */
export const today = (): IsoDate => {
  const date = parseDate(new Date().toISOString().slice(0, 10));
  if (date === undefined) throw new Error('today is not a date');
  return date;
};

export const daysAgo = (days: number): IsoDate => addDays(today(), -days);

/** Converts text such as '1,234.50' to an amount. */
export const money = (text: string) => {
  const amount = parseUsd(text);
  if (amount === undefined) throw new Error(`${text} is not an amount`);
  return amount;
};

export async function addCustomer(api: Api, name: string): Promise<number> {
  const emailAddress = `${name.toLowerCase().replace(/\W+/g, '.')}@customer.example`;
  return (await api.call(entityCalls.createCustomer, { body: { id: 0, name, emailAddress } })).id;
}

export async function addVendor(api: Api, name: string): Promise<number> {
  const emailAddress = `${name.toLowerCase().replace(/\W+/g, '.')}@vendor.example`;
  return (await api.call(entityCalls.createVendor, { body: { id: 0, name, emailAddress } })).id;
}

export interface NewBill {
  vendorId: number;
  number: string;
  amount: string;
  date?: IsoDate;
}

/** Adds a bill with one line that posts to Uncategorized Expense. */
export async function addBill(api: Api, { vendorId, number, amount, date }: NewBill): Promise<ExpenseInvoice> {
  const line = { description: 'Gravel', lineItemAmount: money(amount), accountId: UNCATEGORIZED_EXPENSE };
  const body = { id: 0, vendorId, invoiceNumber: number, invoiceDate: date ?? today(), lineItems: [line] };
  return api.call(expenseCalls.createExpense, { body });
}

/** Returns the first income account that billing offers. */
export async function incomeAccount(api: Api): Promise<number> {
  const [account] = await api.call(ledgerCalls.listRevenueAccounts, { query: {} });
  if (account === undefined) throw new Error('there is no income account');
  return account.customerAccountID;
}

/** Adds an item with this percentage to the company's sales tax. */
export async function addSalesTax(api: Api, label: string, percentage: string): Promise<void> {
  const [scenario] = await api.call(settingsCalls.listSalesTax, {});
  if (scenario === undefined) throw new Error('there is no sales tax scenario');
  const { id, glAccountId, filingFrequency } = scenario;
  const salesTaxItems = [{ id: -1, label, salesTaxType: 0, percentage: decimal(percentage) }];
  await api.call(settingsCalls.updateSalesTax, {
    params: { id },
    body: { glAccountId, filingFrequency, salesTaxItems },
  });
}

export interface NewInvoice {
  customerId: number;
  amount: string;
  date?: IsoDate;
  description?: string;
  taxable?: boolean;
}

export async function addInvoice(api: Api, invoice: NewInvoice): Promise<BillingInvoice> {
  const invoiceDate = invoice.date ?? today();
  const line = {
    itemPrice: money(invoice.amount),
    quantity: decimal('1'),
    description: invoice.description ?? 'Work',
    serviceDate: invoiceDate,
    taxable: invoice.taxable ?? false,
    accountId: await incomeAccount(api),
  };
  const body = { id: 0, invoiceDate, customerId: invoice.customerId, lineItems: [line] };
  return api.call(billingCalls.createInvoice, { body });
}

export async function invoicesOf(api: Api, customerId: number) {
  const rows = await api.call(billingCalls.customerHistory, { params: { customerId } });
  return rows.filter((row) => row.kind === 'invoice');
}

export async function paymentsOf(api: Api, customerId: number): Promise<BillingPayment[]> {
  const rows = await api.call(billingCalls.customerHistory, { params: { customerId } });
  const ids = rows.filter((row) => row.kind === 'payment').map((row) => row.id);
  return Promise.all(ids.map((id) => api.call(billingCalls.getPayment, { params: { id } })));
}
