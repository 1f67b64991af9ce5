import { SALES, SALES_TAX_PAYABLE, SERVICE_INCOME, UNDEPOSITED } from '@evenkeel/core/books/accounts';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { UNITED_STATES, usStates } from '@evenkeel/core/geography.data';
import { VOID } from '@evenkeel/core/documents/invoice';
import { cents, decimal, fromDollars } from '@evenkeel/core/money';
import { PRODUCT, SERVICE } from '@evenkeel/core/documents/products';
import type { BillingInvoiceInput, BillingPaymentInput } from '@evenkeel/contract/billing';
import type { ExpenseInvoiceInput } from '@evenkeel/contract/expenses';
import { invoices } from '../../features/billing/invoices.ts';
import { billingPayments } from '../../features/billing/views.ts';
import { createWorkItem } from '../../features/billing/workitems.ts';
import { productCategories } from '../../features/catalogue/categories.ts';
import { createProduct } from '../../features/catalogue/products.ts';
import { saveRecord } from '../../platform/db/records.ts';
import { createEntity, customers, vendors } from '../../features/entities/entities.ts';
import { bills } from '../../features/expenses/bills.ts';
import { expensePayments } from '../../features/expenses/views.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { createMany } from '../../books/ledger/batch.ts';
import { journalCreation } from '../../books/ledger/journal-posting.ts';
import { updateCompany } from '../../features/settings/company.ts';
import { saveSettings } from '../../features/settings/customersettings.ts';
import { updateSalesTax } from '../../features/settings/salestax.ts';
import { type Chapter, chaptersOf } from './chapters.ts';
import { type DemoCustomer, demoCustomers } from './customers.data.ts';
import { type DemoGround, groundSql, paymentTypesSql } from './demo.sql.ts';
import { MATERIALS } from './bills.ts';
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
  Span,
  StoryEvent,
  VoidEvent,
} from './story.ts';
import { writeAfterwards } from './afterwards.ts';
import { writeEstimates } from './estimates.ts';
import { writeScheduled } from './scheduled.ts';
import type { WorkEvent } from './work-items.ts';
import { type DemoVendor, demoVendors, type VendorName, vendorNames } from './vendors.data.ts';

/** The database IDs for the story's indexes and keys. */
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

/**
 * Writes a story with the API's functions, with many records per batch and many payments per settlement. `on` returns
 * the context for a day. Returns the records that the company started with.
 */
export async function writeStory(
  on: (day: IsoDate) => Ctx,
  { events, work, span }: { events: readonly StoryEvent[]; work: readonly WorkEvent[]; span: Span },
): Promise<DemoGround> {
  const written = await writeRecords(on(span.first));
  for (const chapter of chaptersOf(events)) await writeChapter(on, written, chapter);
  for (const event of work) await writeWork(on(event.date), written, event);
  const [landlord, retained, quarterly] = [written.vendors.get('landlord'), written.customers[1], written.customers[4]];
  await writeScheduled(on(span.today), {
    landlord: found(landlord),
    retained: found(retained),
    quarterly: found(quarterly),
  });
  await writeAfterwards(on(span.today));
  const offered = [6, 9, 13, 18, 24].map((place) => found(written.customers[place]));
  await writeEstimates(on, span.today, offered);
  return written.ground;
}

async function writeWork(ctx: Ctx, { customers: ids, products }: Written, event: WorkEvent): Promise<void> {
  const { customer, product, description, price, quantity, date } = event;
  await createWorkItem(ctx, {
    customerId: found(ids[customer]),
    productId: product === null ? null : found(products[product]),
    accountId: product === null ? SERVICE_INCOME : null,
    description,
    itemPrice: fromDollars(price),
    quantity: decimal(quantity),
    serviceDate: date,
  });
}

const OHIO = usStates.find((state) => state.abbrev === 'OH')?.id ?? null;
const phoneOf = (number: number): string => `(740) 555-0${100 + number}`;

async function writeRecords(ctx: Ctx): Promise<Written> {
  const [ground, types] = await Promise.all([ctx.tx.row(groundSql()), ctx.tx.rows(paymentTypesSql())]);
  if (ground === undefined) throw new Error('the demo company has no bank account');
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
  await saveSettings(ctx, { settingName: 'purchaseDiscountsAccountId', settingValue: MATERIALS });
  await updateSalesTax(ctx, scenarioId, { glAccountId: SALES_TAX_PAYABLE, filingFrequency: 2, salesTaxItems });
}

async function writeCustomers(ctx: Ctx): Promise<number[]> {
  const ids: number[] = [];
  for (const [at, customer] of demoCustomers.entries()) {
    ids.push((await createEntity(ctx, customers, customerInput(customer, at))).id);
  }
  return ids;
}

/** A person is their own contact. A business has a separate contact. */
function customerInput({ name, contact, street, city, zipCode, discount }: DemoCustomer, at: number) {
  const [firstName = '', ...others] = (contact ?? name).split(' ');
  const lastName = others.join(' ');
  const slug = name.toLowerCase().replace(/\W+/g, '-');
  const emailAddress = contact === undefined ? `${slug.replace('-', '.')}@mail.example` : `accounts@${slug}.example`;
  const phone = { phoneID: -1, displayNumber: phoneOf(at + 10), phoneType: 'Office', primary: true };
  return {
    name,
    emailAddress,
    isIndividual: contact === undefined,
    ...discount,
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
    const { name, street, city, zipCode, terms, discount }: DemoVendor = demoVendors[key];
    const phone = { phoneID: -1, displayNumber: phoneOf(at + 60), phoneType: 'Office', primary: true };
    const { id } = await createEntity(ctx, vendors, {
      name,
      emailAddress: `billing@${name.toLowerCase().replace(/\W+/g, '-')}.example`,
      termsDays: terms,
      ...discount,
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

async function writeChapter(on: (day: IsoDate) => Ctx, written: Written, chapter: Chapter): Promise<void> {
  const { change, last } = chapter;
  const ctx = on(last);
  await writeInvoices(ctx, written, chapter.invoices);
  await writeBills(ctx, written, chapter.bills);
  await createMany(ctx, journalCreation, chapter.journals.map(newJournal));
  await writePayments(ctx, written, chapter.payments);
  await expensePayments.createMany(
    ctx,
    chapter.billPayments.map((event) => newBillPayment(written, event)),
  );
  if (change?.kind === 'void') await voidInvoice(ctx, written, change);
  if (change?.kind === 'apply') await applyCredit(ctx, written, change);
}

async function writeInvoices(ctx: Ctx, written: Written, events: readonly InvoiceEvent[]): Promise<void> {
  const news = events.map((event) => ({ today: event.date, input: invoiceInput(written, event) }));
  const made = await createMany(ctx, invoices.creation, news);
  events.forEach(({ key, total }, at) => {
    const { id, invoiceAmount } = found(made[at]);
    if (invoiceAmount !== total) throw new Error(`invoice ${key} came to ${invoiceAmount}`);
    written.invoices.set(key, { id, input: found(news[at]).input });
  });
}

function invoiceInput(written: Written, event: InvoiceEvent): BillingInvoiceInput {
  return {
    customerId: found(written.customers[event.customer]),
    invoiceDate: event.date,
    dueDate: event.dueDate,
    arBillingStatus: event.status,
    lineItems: event.lines.map(({ product, quantity }, at) => {
      const { description = '', price = 0 } = demoProducts[product] ?? {};
      return {
        productId: found(written.products[product]),
        description,
        itemPrice: fromDollars(price),
        quantity: decimal(quantity),
        serviceDate: addDays(event.date, -at),
      };
    }),
  };
}

async function voidInvoice(ctx: Ctx, written: Written, event: VoidEvent): Promise<void> {
  const { id, input } = found(written.invoices.get(event.invoice));
  await invoices.update(ctx, { ...input, id, arBillingStatus: VOID });
}

async function writePayments(ctx: Ctx, written: Written, events: readonly PaymentEvent[]): Promise<void> {
  const news = events.map((event, at) => {
    return { today: event.date, input: paymentInput(written, event, written.payments.size + at) };
  });
  const ids = await billingPayments.createMany(ctx, news);
  events.forEach(({ key }, at) => {
    written.payments.set(key, { id: found(ids[at]), input: found(news[at]).input });
  });
}

function paymentInput(written: Written, event: PaymentEvent, before: number): BillingPaymentInput {
  const { ground, paymentTypes } = written;
  return {
    customerId: found(written.customers[event.customer]),
    paymentDate: event.date,
    paymentAmount: event.amount,
    paymentTypeId: paymentTypes.get(event.type) ?? null,
    paymentCheckNo: event.type === 'Check' ? String(1200 + before) : '',
    ...(event.type === 'Cash' ? { paymentAccountId: UNDEPOSITED } : { bankAccountId: ground.checkingId }),
    ...(event.applications === null ? {} : { paymentApplications: applied(written, event.applications) }),
  };
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

async function writeBills(ctx: Ctx, written: Written, events: readonly BillEvent[]): Promise<void> {
  const news = events.map((event) => ({ today: event.date, input: billInput(written, event) }));
  const made = await createMany(ctx, bills.creation, news);
  events.forEach(({ key, number, total, dueDate }, at) => {
    const bill = found(made[at]);
    if (bill.invoiceAmount !== total || bill.dueDate !== dueDate) throw new Error(`bill ${number} came out otherwise`);
    written.bills.set(key, bill.id);
  });
}

function billInput({ ground, vendors: ids }: Written, event: BillEvent): ExpenseInvoiceInput {
  return {
    vendorId: found(ids.get(event.vendor)),
    invoiceNumber: event.number,
    invoiceDate: event.date,
    postToVendorAccount: event.isPaidAtOnce !== true,
    bankAccountId: event.isPaidAtOnce === true ? ground.checkingId : null,
    lineItems: event.lines.map(({ accountId, amount, description }) => {
      return { accountId, lineItemAmount: cents(Math.abs(amount)), creditLine: amount < 0, description };
    }),
  };
}

function newBillPayment({ ground, vendors: ids, bills }: Written, event: BillPaymentEvent) {
  const input = {
    vendorId: found(ids.get(event.vendor)),
    paymentDate: event.date,
    paymentAmount: event.amount,
    paymentCheckNo: event.check,
    bankAccountId: ground.checkingId,
    paymentApplications: event.applications.map(({ bill, amount }) => ({ invoiceId: found(bills.get(bill)), amount })),
  };
  return { today: event.date, input };
}

function newJournal({ date, description, lines }: JournalEvent) {
  const generalLedgerEntries = lines.map(({ accountId, amount }) => {
    return { accountID: accountId, debit: amount > 0, amount: cents(Math.abs(amount)), description };
  });
  return { today: date, input: { postingDate: date, generalLedgerEntries } };
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the story names what it has not told yet');
  return value;
}
