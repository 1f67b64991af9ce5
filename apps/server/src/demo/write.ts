import { SALES, SALES_TAX_PAYABLE, SERVICE_INCOME, UNDEPOSITED } from '@evenkeel/core/accounts';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { UNITED_STATES, usStates } from '@evenkeel/core/geography.data';
import { VOID } from '@evenkeel/core/invoice';
import { cents, decimal, fromDollars } from '@evenkeel/core/money';
import { PRODUCT, SERVICE } from '@evenkeel/core/products';
import type { BillingInvoiceInput, BillingPaymentInput } from '@evenkeel/contract/billing';
import { createInvoice, updateInvoice } from '../billing/invoices.ts';
import { billingPayments } from '../billing/views.ts';
import { productCategories } from '../catalogue/categories.ts';
import { createProduct } from '../catalogue/products.ts';
import { saveRecord } from '../db/records.ts';
import { createEntity, customers, vendors } from '../entities/entities.ts';
import { createBill } from '../expenses/bills.ts';
import { expensePayments } from '../expenses/views.ts';
import type { Ctx } from '../http/context.ts';
import { postTransaction } from '../ledger/journal-entry.ts';
import { updateCompany } from '../settings/company.ts';
import { updateSalesTax } from '../settings/salestax.ts';
import { type DemoCustomer, demoCustomers } from './customers.data.ts';
import { type DemoGround, groundSql, paymentTypesSql } from './demo.sql.ts';
import { demoRates } from './invoices.ts';
import { demoCategories, demoProducts } from './products.data.ts';
import type {
  Applied,
  ApplyEvent,
  BillEvent,
  BillPaymentEvent,
  InvoiceEvent,
  JournalEvent,
  PaymentEvent,
  StoryEvent,
  VoidEvent,
} from './story.ts';
import { demoVendors, type VendorName, vendorNames } from './vendors.data.ts';

/** The ids that the story's places and keys have got. */
interface Written {
  ground: DemoGround;
  customers: number[];
  vendors: Map<VendorName, number>;
  bills: Map<number, number>;
  products: number[];
  paymentTypes: Map<string, number>;
  invoices: Map<number, { id: number; input: BillingInvoiceInput }>;
  payments: Map<string, { id: number; input: BillingPaymentInput }>;
}

/** Writes a story through the use cases that serve the API; `on` gives the context of a day. */
export async function writeStory(
  on: (day: IsoDate) => Ctx,
  story: readonly StoryEvent[],
  first: IsoDate,
): Promise<void> {
  const written = await writeRecords(on(first));
  for (const event of story) await writeEvent(on(event.date), written, event);
}

const OHIO = usStates.find((state) => state.abbrev === 'OH')?.id ?? null;
const phoneOf = (number: number): string => `(740) 555-0${100 + number}`;

async function writeRecords(ctx: Ctx): Promise<Written> {
  const [ground, types] = await Promise.all([ctx.tx.row(groundSql()), ctx.tx.rows(paymentTypesSql())]);
  if (ground === undefined) throw new Error('the demo company has no banking account');
  await writeSettings(ctx, ground);
  return {
    ground,
    customers: await writeCustomers(ctx),
    vendors: await writeVendors(ctx),
    bills: new Map(),
    products: await writeProducts(ctx),
    paymentTypes: new Map(types.map(({ id, name }) => [name, id])),
    invoices: new Map(),
    payments: new Map(),
  };
}

async function writeSettings(ctx: Ctx, { scenarioId }: DemoGround): Promise<void> {
  await updateCompany(ctx, ctx.companyId, {
    emailAddress: 'office@fernhollow.example',
    phone: phoneOf(0),
    address1: '18 Nursery Road',
    city: 'Ashby Falls',
    state: 'OH',
    zipCode: '43981',
    countryId: UNITED_STATES,
  });
  const salesTaxItems = demoRates.map((rate) => ({ ...rate, percentage: decimal(rate.percentage) }));
  await updateSalesTax(ctx, scenarioId, { glAccountId: SALES_TAX_PAYABLE, filingFrequency: 2, salesTaxItems });
}

async function writeCustomers(ctx: Ctx): Promise<number[]> {
  const ids: number[] = [];
  for (const [at, customer] of demoCustomers.entries()) {
    ids.push((await createEntity(ctx, customers, customerInput(customer, at))).id);
  }
  return ids;
}

/** A person is the own contact; a business has one. */
function customerInput({ name, contact, street, city, zipCode }: DemoCustomer, at: number) {
  const [firstName = '', ...others] = (contact ?? name).split(' ');
  const lastName = others.join(' ');
  const slug = name.toLowerCase().replace(/\W+/g, '-');
  const emailAddress = contact === undefined ? `${slug.replace('-', '.')}@mail.example` : `accounts@${slug}.example`;
  const phone = { phoneID: -1, displayNumber: phoneOf(at + 10), phoneType: 'Office', primary: true };
  return {
    name,
    emailAddress,
    isIndividual: contact === undefined,
    phones: [phone],
    contacts: [{ id: -1, isPrimary: true, contact: { id: -1, firstName, lastName, emailAddress, phones: [phone] } }],
    addresses: [1, 2].map((addressType) => {
      return { addressType, address1: street, city, stateId: OHIO, zipCode, countryId: UNITED_STATES };
    }),
  };
}

async function writeVendors(ctx: Ctx): Promise<Map<VendorName, number>> {
  const ids = new Map<VendorName, number>();
  for (const [at, key] of vendorNames.entries()) {
    const { name, street, city, zipCode, terms } = demoVendors[key];
    const phone = { phoneID: -1, displayNumber: phoneOf(at + 60), phoneType: 'Office', primary: true };
    const { id } = await createEntity(ctx, vendors, {
      name,
      emailAddress: `billing@${name.toLowerCase().replace(/\W+/g, '-')}.example`,
      termsDays: terms,
      phones: [phone],
      addresses: [1, 2].map((addressType) => {
        return { addressType, address1: street, city, stateId: OHIO, zipCode, countryId: UNITED_STATES };
      }),
    });
    ids.set(key, id);
  }
  return ids;
}

async function writeProducts(ctx: Ctx): Promise<number[]> {
  const categories = new Map<string, number>();
  for (const categoryName of demoCategories) {
    const { productCategoryID } = await saveRecord(ctx, productCategories, { categoryName });
    categories.set(categoryName, productCategoryID);
  }
  const ids: number[] = [];
  for (const { name, description, price, category, isGoods } of demoProducts) {
    const product = await createProduct(ctx, {
      name,
      description,
      salesPrice: fromDollars(price),
      taxable: isGoods,
      productServiceType: isGoods ? PRODUCT : SERVICE,
      productCategoryID: categories.get(category) ?? null,
      GLAccountID: isGoods ? SALES : SERVICE_INCOME,
    });
    ids.push(product.productID);
  }
  return ids;
}

async function writeEvent(ctx: Ctx, written: Written, event: StoryEvent): Promise<void> {
  switch (event.kind) {
    case 'invoice':
      return writeInvoice(ctx, written, event);
    case 'void':
      return voidInvoice(ctx, written, event);
    case 'payment':
      return writePayment(ctx, written, event);
    case 'apply':
      return applyCredit(ctx, written, event);
    case 'bill':
      return writeBill(ctx, written, event);
    case 'billpayment':
      return writeBillPayment(ctx, written, event);
    case 'journal':
      return writeJournal(ctx, event);
  }
}

async function writeInvoice(ctx: Ctx, written: Written, event: InvoiceEvent): Promise<void> {
  const input: BillingInvoiceInput = {
    customerId: written.customers[event.customer] ?? 0,
    invoiceDate: event.date,
    dueDate: event.dueDate,
    arBillingStatus: event.status,
    lineItems: event.lines.map(({ product, quantity }, at) => {
      const { description = '', price = 0 } = demoProducts[product] ?? {};
      return {
        productId: written.products[product] ?? 0,
        description,
        itemPrice: fromDollars(price),
        quantity: decimal(quantity),
        serviceDate: addDays(event.date, -at),
      };
    }),
  };
  const { id, invoiceAmount } = await createInvoice(ctx, input);
  if (invoiceAmount !== event.total) throw new Error(`invoice ${event.key} came to ${invoiceAmount}`);
  written.invoices.set(event.key, { id, input });
}

async function voidInvoice(ctx: Ctx, { invoices }: Written, event: VoidEvent): Promise<void> {
  const { id, input } = found(invoices.get(event.invoice));
  await updateInvoice(ctx, { ...input, id, arBillingStatus: VOID });
}

async function writePayment(ctx: Ctx, written: Written, event: PaymentEvent): Promise<void> {
  const { ground, paymentTypes, payments } = written;
  const input: BillingPaymentInput = {
    customerId: written.customers[event.customer] ?? 0,
    paymentDate: event.date,
    paymentAmount: event.amount,
    paymentTypeId: paymentTypes.get(event.type) ?? null,
    paymentCheckNo: event.type === 'Check' ? String(1200 + payments.size) : '',
    ...(event.type === 'Cash' ? { paymentAccountId: UNDEPOSITED } : { bankAccountId: ground.checkingId }),
    ...(event.applications === null ? {} : { paymentApplications: applied(written, event.applications) }),
  };
  const { id } = await billingPayments.create(ctx, { body: input });
  payments.set(event.key, { id, input });
}

async function applyCredit(ctx: Ctx, written: Written, event: ApplyEvent): Promise<void> {
  const { id, input } = found(written.payments.get(event.payment));
  await billingPayments.update(ctx, {
    body: { ...input, id, paymentApplications: applied(written, event.applications) },
  });
}

function applied({ invoices }: Written, applications: readonly Applied[]) {
  return applications.map(({ invoice, amount }) => ({ invoiceId: found(invoices.get(invoice)).id, amount }));
}

async function writeBill(ctx: Ctx, { ground, vendors, bills }: Written, event: BillEvent): Promise<void> {
  const { id, invoiceAmount, dueDate } = await createBill(ctx, {
    vendorId: found(vendors.get(event.vendor)),
    invoiceNumber: event.number,
    invoiceDate: event.date,
    postToVendorAccount: event.isPaidAtOnce !== true,
    bankAccountId: event.isPaidAtOnce === true ? ground.checkingId : null,
    lineItems: event.lines.map(({ accountId, amount, description }) => {
      return { accountId, lineItemAmount: cents(Math.abs(amount)), creditLine: amount < 0, description };
    }),
  });
  if (invoiceAmount !== event.total || dueDate !== event.dueDate) throw new Error(`bill ${event.number} came out else`);
  bills.set(event.key, id);
}

async function writeBillPayment(ctx: Ctx, { ground, vendors, bills }: Written, event: BillPaymentEvent): Promise<void> {
  const body = {
    vendorId: found(vendors.get(event.vendor)),
    paymentDate: event.date,
    paymentAmount: event.amount,
    paymentCheckNo: event.check,
    bankAccountId: ground.checkingId,
    paymentApplications: event.applications.map(({ bill, amount }) => ({ invoiceId: found(bills.get(bill)), amount })),
  };
  await expensePayments.create(ctx, { body });
}

async function writeJournal(ctx: Ctx, { date, description, lines }: JournalEvent): Promise<void> {
  const generalLedgerEntries = lines.map(({ accountId, amount }) => {
    return { accountID: accountId, debit: amount > 0, amount: cents(Math.abs(amount)), description };
  });
  await postTransaction(ctx, { postingDate: date, generalLedgerEntries });
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the story names what it has not told yet');
  return value;
}
