import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { creditCalls } from '@evenkeel/contract/credits';
import { estimateCalls } from '@evenkeel/contract/estimates';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { settingsCalls } from '@evenkeel/contract/settings';
import { workItemCalls } from '@evenkeel/contract/workitems';
import type * as z from 'zod';
import { sql } from 'kysely';
import type { TestApp } from './app.ts';
import type { WorldCompany } from './world.ts';

type Body<E extends Endpoint> = E extends { body: infer B extends z.ZodType } ? z.input<B> : never;
type InvoiceBody = Body<typeof billingCalls.createInvoice>;
type CreditBody = Body<typeof creditCalls.createCredit>;
type EstimateBody = Body<typeof estimateCalls.createEstimate>;
type PaymentBody = Body<typeof billingCalls.createPayment>;
type ItemBody = Body<typeof workItemCalls.createWorkItem>;
type BillBody = Body<typeof expenseCalls.createExpense>;
type BillPaymentBody = Body<typeof expenseCalls.createExpensePayment>;

/** Functions that create documents over HTTP. Amounts are in dollars, as in the API. Omitted fields have defaults. */
export interface Factory {
  token: string;
  customer(name?: string): Promise<number>;
  product(given?: { name?: string; salesPrice?: number; taxable?: boolean; GLAccountID?: number }): Promise<number>;
  /** Sets rates of 5.75% (state) and 1% (county) in the company's default scenario. */
  tax(rates?: readonly { label: string; salesTaxType: number; percentage: string }[]): Promise<void>;
  invoice(body: Partial<InvoiceBody> & { customerId: number; amount?: number }): Promise<Reply<'createInvoice'>>;
  /** Creates a credit memo with one line in Sales, which can be used on any invoice. */
  credit(
    body: Partial<CreditBody> & { customerId: number; amount?: number },
  ): Promise<z.output<typeof creditCalls.createCredit.reply>>;
  /** Creates a draft estimate with one line in Sales. */
  estimate(
    body: Partial<EstimateBody> & { customerId: number; amount?: number },
  ): Promise<z.output<typeof estimateCalls.createEstimate.reply>>;
  payment(body: Partial<PaymentBody> & { customerId: number; paymentAmount: number }): Promise<Reply<'createPayment'>>;
  /** Creates a work item for one hour at 100.00 in Sales. */
  workItem(
    body: Partial<ItemBody> & { customerId: number },
  ): Promise<z.output<typeof workItemCalls.createWorkItem.reply>>;
  vendor(name?: string): Promise<number>;
  /** Creates a bill with one line in Car & Truck. A negative amount makes it a vendor credit. */
  bill(body: Partial<BillBody> & { vendorId: number; amount?: number }): Promise<Bill>;
  billPayment(body: Partial<BillPaymentBody> & { vendorId: number; paymentAmount: number }): Promise<BillPayment>;
}

type Bill = z.output<typeof expenseCalls.createExpense.reply>;
type BillPayment = z.output<typeof expenseCalls.createExpensePayment.reply>;

type Reply<K extends 'createInvoice' | 'createPayment'> = z.output<(typeof billingCalls)[K]['reply']>;

/** A payment type that every new company has. */
export const CHECK = 2;

/** Returns Checking, the bank account that every new company has. */
export async function checkingOf(t: TestApp, companyId: number): Promise<number> {
  const row = await t.inCompany(companyId, (tx) =>
    tx.row(sql<{ id: number }>`select id from banking_account where company_id = ${companyId} and gl_account_id = 101`),
  );
  if (row === undefined) throw new Error('the company has no Checking account');
  return row.id;
}

/** Moves a company to another time zone, as its administrator. */
export async function setTimeZone(t: TestApp, company: WorldCompany, timeZone: string): Promise<void> {
  const { companyId, administrator } = company;
  const sent = { token: administrator.token, params: { id: companyId }, body: { timeZone } };
  await t.call(settingsCalls.updateCompany, sent);
}

/** Makes a customer or vendor inactive despite open items, as earlier versions allowed. */
export async function makeInactive(t: TestApp, companyId: number, entityId: number): Promise<void> {
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      update entity set deleted = true, row_version = row_version + 1
      where company_id = ${companyId} and id = ${entityId}`),
  );
}

/** Returns factories for one company, which act as its bookkeeper. */
export function factoryFor(t: TestApp, company: WorldCompany): Factory {
  const { token } = company.bookkeeper;
  let bills = 0;
  return {
    token,
    customer: async (name = 'Fairlawn Heights') => {
      const body = { name, emailAddress: 'billing@fairlawn.example' };
      return (await t.call(entityCalls.createCustomer, { token, body })).id;
    },
    product: async (given = {}) => {
      const body = { name: 'Mowing', description: 'Mowing', salesPrice: 50, taxable: true, GLAccountID: 141, ...given };
      return (await t.call(catalogueCalls.createProduct, { token, body })).productID;
    },
    tax: (rates = STATE_AND_COUNTY) => writeRates(t, company.companyId, rates),
    invoice: ({ amount = 100, ...given }) => {
      const lineItems = [{ description: 'Work', itemPrice: amount, quantity: 1, accountId: 140 }];
      const body = { invoiceDate: '2026-03-10', dueDate: '2026-04-09', lineItems, ...given };
      return t.call(billingCalls.createInvoice, { token, body });
    },
    credit: ({ amount = 100, ...given }) => {
      const lineItems = [{ description: 'Returned', itemPrice: amount, quantity: 1, accountId: 140 }];
      return t.call(creditCalls.createCredit, { token, body: { invoiceDate: '2026-03-15', lineItems, ...given } });
    },
    estimate: ({ amount = 100, ...given }) => {
      const lineItems = [{ description: 'Planned', itemPrice: amount, quantity: 1, accountId: 140 }];
      return t.call(estimateCalls.createEstimate, { token, body: { invoiceDate: '2026-03-10', lineItems, ...given } });
    },
    payment: async (given) => {
      const bankAccountId = await checkingOf(t, company.companyId);
      const body = { paymentDate: '2026-03-20', bankAccountId, paymentTypeId: CHECK, ...given };
      return t.call(billingCalls.createPayment, { token, body });
    },
    workItem: (given) => {
      const hour = { description: 'Crew hour', itemPrice: 100, quantity: 1, accountId: 140, serviceDate: '2026-03-06' };
      return t.call(workItemCalls.createWorkItem, { token, body: { ...hour, ...given } });
    },
    vendor: async (name = 'Valley Nursery') => {
      const body = { name, emailAddress: 'orders@valley.example' };
      return (await t.call(entityCalls.createVendor, { token, body })).id;
    },
    bill: ({ amount = 100, ...given }) => {
      const of = { description: 'Diesel', accountId: 153, lineItemAmount: Math.abs(amount), creditLine: amount < 0 };
      const body = { invoiceNumber: `B-${(bills += 1)}`, invoiceDate: '2026-03-10', lineItems: [of], ...given };
      return t.call(expenseCalls.createExpense, { token, body });
    },
    billPayment: async (given) => {
      const bankAccountId = await checkingOf(t, company.companyId);
      const body = { paymentDate: '2026-03-20', bankAccountId, ...given };
      return t.call(expenseCalls.createExpensePayment, { token, body });
    },
  };
}

const STATE_AND_COUNTY = [
  { label: 'State tax', salesTaxType: 0, percentage: '5.75' },
  { label: 'County tax', salesTaxType: 2, percentage: '1' },
];

/** Replaces the rates of the company's first scenario. */
async function writeRates(
  t: TestApp,
  companyId: number,
  rates: readonly { label: string; salesTaxType: number; percentage: string }[],
): Promise<void> {
  await t.inCompany(companyId, async (tx) => {
    await tx.rows(sql`update sales_tax_item set deleted = true where company_id = ${companyId}`);
    for (const { label, salesTaxType, percentage } of rates) {
      await tx.rows(sql`
        insert into sales_tax_item (company_id, scenario_id, label, sales_tax_type, percentage)
        select company_id, min(id), ${label}, ${salesTaxType}, ${percentage}
        from sales_tax_scenario where company_id = ${companyId} group by company_id returning id`);
    }
  });
}
