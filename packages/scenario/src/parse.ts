import { parseDate, partsOf } from '@evenkeel/core/dates';
import { adjustmentKinds } from '@evenkeel/core/taxes/returns';
import type { IsoDate } from '@evenkeel/core/dates';
import { billingStatuses, OPEN } from '@evenkeel/core/documents/invoice';
import { SCHEDULE_UNITS } from '@evenkeel/core/documents/schedule';
import { parseExpectation } from './parse-expectation.ts';
import { scenarioDocuments, taxFrequencies } from './scenario.ts';
import type {
  BillEvent,
  BillPaymentEvent,
  ChargeEvent,
  DeleteEvent,
  DepositEvent,
  EstimateEvent,
  InvoiceEvent,
  JournalEvent,
  PaymentEvent,
  Scenario,
  ScenarioAgency,
  ScenarioDiscount,
  ScenarioEvent,
  ScenarioLine,
  ScenarioPackage,
  ScenarioProduct,
  ScenarioTax,
  TaxPaymentEvent,
  TaxReturnEvent,
  TemplateEvent,
  TransferEvent,
  WriteOffEvent,
} from './scenario.ts';
import { faultAt, statementsOf, Words } from './text.ts';
import type { Statement } from './text.ts';

/** The names that earlier statements have defined. */
interface Reading {
  scenario: Scenario;
  /** The message with which the next event must be rejected. */
  refused: string | null;
}

const TAX_TYPES = ['state', 'city', 'county', 'other'];

/** Converts the text of a `.books` file to a Scenario. Throws Failure 'malformed' with the line number. */
export function parseScenario(text: string): Scenario {
  const scenario: Scenario = {
    companyName: 'Company',
    fiscalYearStartMonth: 1,
    chargeRate: null,
    tax: null,
    agencies: [],
    customers: [],
    vendors: [],
    products: [],
    discounts: [],
    packages: [],
    steps: [],
  };
  const reading: Reading = { scenario, refused: null };
  for (const statement of statementsOf(text)) readStatement(reading, statement);
  if (reading.refused !== null) throw faultAt(0, `nothing follows: expect refused "${reading.refused}"`);
  return scenario;
}

function readStatement(reading: Reading, statement: Statement): void {
  const words = new Words(statement.at, statement.text);
  const { scenario } = reading;
  if (words.has('company')) readCompany(scenario, words);
  else if (words.has('finance-charge')) scenario.chargeRate = readPercentage(words);
  else if (words.has('tax')) scenario.tax = readTax(words, statement);
  else if (words.has('agency')) scenario.agencies.push(readAgency(words));
  else if (words.has('customer')) scenario.customers.push(words.take('a customer'));
  else if (words.has('vendor')) scenario.vendors.push(words.take('a vendor'));
  else if (words.has('product')) scenario.products.push(readProduct(words));
  else if (words.has('discount')) scenario.discounts.push(readDiscount(words));
  else if (words.has('package')) scenario.packages.push(readPackage(scenario, words, statement));
  else if (words.has('expect')) readExpectation(reading, words, statement);
  else readEvent(reading, words, statement);
  words.end();
}

function readCompany(scenario: Scenario, words: Words): void {
  scenario.companyName = words.take('a company name');
  if (!words.has('fiscal-year-start')) return;
  const month = Number(words.number('a month'));
  if (!Number.isInteger(month) || month < 1 || month > 12) throw faultAt(words.at, 'a month is 1 to 12');
  scenario.fiscalYearStartMonth = month;
}

function readTax(words: Words, statement: Statement): ScenarioTax {
  const label = words.take('a name');
  words.need('account');
  const accountId = words.account();
  const combined = words.has('combined');
  const rates = statement.children.map((child) => {
    const rate = new Words(child.at, child.text);
    const salesTaxType = TAX_TYPES.indexOf(rate.take('a kind of tax'));
    if (salesTaxType < 0) throw faultAt(child.at, `a tax is one of ${TAX_TYPES.join(', ')}`);
    const read = { label: rate.take('a label'), salesTaxType, percentage: rate.number('a percentage') };
    rate.end();
    return read;
  });
  return { label, accountId, combined, rates };
}

function readAgency(words: Words): ScenarioAgency {
  const name = words.take('a name');
  const named = words.take('a frequency');
  const frequency = taxFrequencies.findIndex((each) => each === named);
  if (frequency < 0) throw faultAt(words.at, `a frequency is one of ${taxFrequencies.join(', ')}`);
  words.need('from');
  const startDate = words.date();
  return { name, frequency, firstMonth: partsOf(startDate).month, startDate };
}

function readProduct(words: Words): ScenarioProduct {
  const name = words.take('a product name');
  const price = words.number('a price');
  words.need('account');
  return { name, price, accountId: words.account(), taxable: words.has('taxable') };
}

function readDiscount(words: Words): ScenarioDiscount {
  const name = words.take('a discount name');
  const percentage = words.peek()?.endsWith('%') === true ? readPercentage(words) : null;
  const amount = percentage === null ? words.amount() : null;
  words.need('account');
  return { name, amount, percentage, accountId: words.account() };
}

/** Reads a percentage such as "7.5%" and returns it without the percent sign. */
function readPercentage(words: Words): string {
  const figure = words.take('a percentage');
  if (!/^\d+(\.\d+)?%$/.test(figure)) throw faultAt(words.at, `'${figure}' is not a percentage`);
  return figure.slice(0, -1);
}

function readPackage(scenario: Scenario, words: Words, statement: Statement): ScenarioPackage {
  const name = words.take('a package name');
  const goal = words.has('goal') ? words.amount() : null;
  const items = statement.children.map((child): ScenarioPackage['items'][number] => {
    const line = new Words(child.at, child.text);
    const kind = line.has('discount') ? 'discount' : 'product';
    if (kind === 'product') line.need('product');
    const known = kind === 'product' ? scenario.products : scenario.discounts;
    const item = { kind, name: nameIn(line, kind, known), quantity: readQuantity(line) } as const;
    line.end();
    return item;
  });
  return { name, goal, items };
}

/** Reads a name that an earlier statement has defined. */
function nameIn(words: Words, kind: string, known: readonly { name: string }[]): string {
  const name = words.take(`a ${kind}`);
  if (!known.some((each) => each.name === name)) throw faultAt(words.at, `there is no ${kind} "${name}"`);
  return name;
}

function readExpectation(reading: Reading, words: Words, statement: Statement): void {
  if (words.has('refused')) {
    reading.refused = words.take('a message');
    return;
  }
  const expectation = parseExpectation(words, statement.children);
  reading.scenario.steps.push({ step: 'expect', at: statement.at, expectation });
}

function readEvent(reading: Reading, words: Words, statement: Statement): void {
  const event = words.has('delete') ? readDelete(words) : readDated(reading.scenario, words, statement);
  reading.scenario.steps.push({ step: 'event', at: statement.at, event, refused: reading.refused });
  reading.refused = null;
}

function readDelete(words: Words): DeleteEvent {
  const name = words.take('what to delete');
  const document = scenarioDocuments.find((each) => each === name);
  if (document === undefined) throw faultAt(words.at, `cannot delete '${name}'`);
  return { kind: 'delete', document, key: words.take('a number') };
}

function readDated(scenario: Scenario, words: Words, statement: Statement): ScenarioEvent {
  if (parseDate(words.peek() ?? '') === undefined) throw faultAt(words.at, `'${statement.text}' is not understood`);
  const date = words.date();
  if (words.has('every')) return readTemplate(scenario, words, { statement, date });
  return readDocument(scenario, words, { statement, date });
}

interface Dated {
  statement: Statement;
  date: IsoDate;
}

/** Reads "every 1 month 3 times" followed by the first document. */
function readTemplate(scenario: Scenario, words: Words, dated: Dated): TemplateEvent {
  const every = readCount(words);
  const name = words.take('a unit');
  const unit = SCHEDULE_UNITS.find((each) => each === name);
  if (unit === undefined) throw faultAt(words.at, `a unit is one of ${SCHEDULE_UNITS.join(', ')}`);
  const count = readCount(words);
  words.need('times');
  const document = readDocument(scenario, words, dated);
  if (document.kind === 'invoice' || document.kind === 'bill' || document.kind === 'journal')
    return { kind: 'template', every, unit, count, document };
  throw faultAt(words.at, `a ${document.kind} does not come again`);
}

function readCount(words: Words): number {
  const count = Number(words.number('a number'));
  if (!Number.isInteger(count) || count < 1) throw faultAt(words.at, 'a whole number is missing');
  return count;
}

function readDocument(scenario: Scenario, words: Words, { statement, date }: Dated): ScenarioEvent {
  const edit = words.has('edit');
  if (words.has('credit'))
    return { ...readInvoice(scenario, words, statement), invoiceDate: date, edit, isCredit: true };
  if (!edit && words.has('writeoff')) return { ...readWriteOff(words), writeOffDate: date };
  if (!edit && words.has('charge')) return { ...readCharge(scenario, words), chargeDate: date };
  if (!edit && words.has('estimate')) return { ...readEstimate(scenario, words, statement), estimateDate: date };
  if (words.has('invoice')) return { ...readInvoice(scenario, words, statement), invoiceDate: date, edit };
  if (words.has('payment')) return { ...readPayment(scenario, words, statement), paymentDate: date, edit };
  if (words.has('bill')) return { ...readBill(scenario, words, statement), postingDate: date, edit };
  if (words.has('bill-payment')) return { ...readBillPayment(scenario, words, statement), paymentDate: date, edit };
  if (words.has('transfer')) return { ...readTransfer(words), transferDate: date, edit };
  if (words.has('deposit')) return { ...readDeposit(words, statement), depositDate: date, edit };
  if (!edit && words.has('return')) return readTaxReturn(scenario, words, { statement, date });
  if (!edit && words.has('tax-payment')) return { ...readTaxPayment(scenario, words), paymentDate: date };
  if (!edit && words.has('journal')) return readJournal(words, statement, date);
  throw faultAt(words.at, `'${words.peek() ?? ''}' is not an event`);
}

/** Reads the agency and the last day of the period, as in `of "Ohio" through 2026-04-30`. */
function readPeriod(scenario: Scenario, words: Words) {
  words.need('of');
  const agency = nameIn(words, 'agency', scenario.agencies);
  words.need('through');
  return { agency, periodEnd: words.date() };
}

function readTaxReturn(scenario: Scenario, words: Words, { statement, date }: Dated): TaxReturnEvent {
  const key = words.take('a number');
  const adjustments = statement.children.map((child): TaxReturnEvent['adjustments'][number] => {
    const line = new Words(child.at, child.text);
    const name = line.take('a kind of adjustment');
    const kind = adjustmentKinds.find((each) => each === name);
    if (kind === undefined) throw faultAt(child.at, `an adjustment is one of ${adjustmentKinds.join(', ')}`);
    const amount = line.amount();
    line.need('account');
    const read = { kind, amount, accountId: line.account(), reason: line.take('a reason') };
    line.end();
    return read;
  });
  return { kind: 'return', key, ...readPeriod(scenario, words), filedDate: date, adjustments };
}

function readTaxPayment(scenario: Scenario, words: Words): Omit<TaxPaymentEvent, 'paymentDate'> {
  const key = words.take('a number');
  const period = readPeriod(scenario, words);
  const amount = words.amount();
  words.need('from');
  return { kind: 'tax-payment', key, ...period, amount, accountId: words.account() };
}

function readCustomer(scenario: Scenario, words: Words): string {
  const customer = words.take('a customer');
  if (!scenario.customers.includes(customer)) throw faultAt(words.at, `there is no customer "${customer}"`);
  return customer;
}

function readVendor(scenario: Scenario, words: Words): string {
  const vendor = words.take('a vendor');
  if (!scenario.vendors.includes(vendor)) throw faultAt(words.at, `there is no vendor "${vendor}"`);
  return vendor;
}

function readInvoice(
  scenario: Scenario,
  words: Words,
  statement: Statement,
): Omit<InvoiceEvent, 'invoiceDate' | 'edit'> {
  const key = words.take('a number');
  const origin = words.has('of') ? { of: words.take('an estimate or an invoice') } : {};
  words.need('to');
  const customer = readCustomer(scenario, words);
  const dueDate = words.has('due') ? words.date() : null;
  const status = words.has('status') ? readStatus(words) : OPEN;
  return { kind: 'invoice', key, ...origin, customer, dueDate, status, lines: readLines(scenario, statement) };
}

function readEstimate(scenario: Scenario, words: Words, statement: Statement): Omit<EstimateEvent, 'estimateDate'> {
  const key = words.take('a number');
  words.need('to');
  return { kind: 'estimate', key, customer: readCustomer(scenario, words), lines: readLines(scenario, statement) };
}

function readCharge(scenario: Scenario, words: Words): Omit<ChargeEvent, 'chargeDate'> {
  const key = words.take('a number');
  words.need('to');
  return { kind: 'charge', key, customer: readCustomer(scenario, words) };
}

function readWriteOff(words: Words): Omit<WriteOffEvent, 'writeOffDate'> {
  const key = words.take('a number');
  words.need('of');
  return { kind: 'writeoff', key, invoice: words.take('an invoice'), withTax: words.has('with-tax') };
}

function readLines(scenario: Scenario, { children }: Statement): ScenarioLine[] {
  return children.map((child) => readLine(scenario, new Words(child.at, child.text)));
}

function readStatus(words: Words): number {
  const name = words.take('a status');
  const status = billingStatuses.find((each) => each.displayName.toLowerCase().replace(' ', '-') === name);
  if (status === undefined) throw faultAt(words.at, `there is no status '${name}'`);
  return status.id;
}

function readLine(scenario: Scenario, words: Words): ScenarioLine {
  const line = words.has('product')
    ? readProductLine(scenario, words)
    : words.has('package')
      ? readPackageLine(scenario, words)
      : words.has('discount')
        ? readDiscountLine(scenario, words)
        : readFreeLine(words);
  const origin = words.has('of') ? { ofLine: readCount(words) } : {};
  words.end();
  return { ...line, ...origin };
}

function readProductLine(scenario: Scenario, words: Words): ScenarioLine {
  const name = words.take('a product');
  const product = scenario.products.find((each) => each.name === name);
  if (product === undefined) throw faultAt(words.at, `there is no product "${name}"`);
  const { price: itemPrice, accountId, taxable } = product;
  return { product: name, description: name, itemPrice, quantity: readQuantity(words), accountId, taxable };
}

const OWN_PRICE = { product: null, itemPrice: '0', taxable: true };

function readPackageLine(scenario: Scenario, words: Words): ScenarioLine {
  const name = nameIn(words, 'package', scenario.packages);
  const first = scenario.packages.find((each) => each.name === name)?.items.find(({ kind }) => kind === 'product');
  const accountId = scenario.products.find((each) => each.name === first?.name)?.accountId ?? 0;
  return { ...OWN_PRICE, package: name, description: name, quantity: readQuantity(words), accountId };
}

function readDiscountLine(scenario: Scenario, words: Words): ScenarioLine {
  const name = nameIn(words, 'discount', scenario.discounts);
  const accountId = scenario.discounts.find((each) => each.name === name)?.accountId ?? 0;
  return { ...OWN_PRICE, discount: name, description: name, quantity: readQuantity(words), accountId };
}

function readFreeLine(words: Words): ScenarioLine {
  words.need('line');
  const description = words.take('a description');
  const itemPrice = words.number('a price');
  const quantity = readQuantity(words);
  words.need('account');
  return { product: null, description, itemPrice, quantity, accountId: words.account(), taxable: words.has('taxable') };
}

function readQuantity(words: Words): string {
  return words.has('x') ? words.number('a quantity') : '1';
}

function readPayment(
  scenario: Scenario,
  words: Words,
  statement: Statement,
): Omit<PaymentEvent, 'paymentDate' | 'edit'> {
  const key = words.take('a number');
  words.need('from');
  const customer = readCustomer(scenario, words);
  const amount = words.amount();
  words.need('into');
  const accountId = words.account();
  return { kind: 'payment', key, customer, amount, accountId, ...readApplications(statement, true) };
}

function readBill(scenario: Scenario, words: Words, statement: Statement): Omit<BillEvent, 'postingDate' | 'edit'> {
  const key = words.take('a number');
  words.need('from');
  const vendor = readVendor(scenario, words);
  const dueDate = words.has('due') ? words.date() : null;
  const lines = statement.children.map((child) => {
    const line = new Words(child.at, child.text);
    const creditLine = line.has('credit');
    if (!creditLine) line.need('line');
    const read = { description: line.take('a description'), amount: line.amount() };
    line.need('account');
    const accountId = line.account();
    line.end();
    return { ...read, accountId, creditLine };
  });
  return { kind: 'bill', key, vendor, dueDate, lines };
}

function readBillPayment(
  scenario: Scenario,
  words: Words,
  statement: Statement,
): Omit<BillPaymentEvent, 'paymentDate' | 'edit'> {
  const key = words.take('a number');
  words.need('to');
  const vendor = readVendor(scenario, words);
  const amount = words.amount();
  words.need('from');
  const accountId = words.account();
  return { kind: 'bill-payment', key, vendor, amount, accountId, ...readApplications(statement) };
}

function readTransfer(words: Words): Omit<TransferEvent, 'transferDate' | 'edit'> {
  const key = words.take('a number');
  const amount = words.amount();
  words.need('from');
  const fromAccountId = words.account();
  words.need('to');
  return { kind: 'transfer', key, amount, fromAccountId, toAccountId: words.account() };
}

function readDeposit(words: Words, statement: Statement): Omit<DepositEvent, 'depositDate' | 'edit'> {
  const key = words.take('a number');
  words.need('into');
  const deposit: ReturnType<typeof readDeposit> = {
    kind: 'deposit',
    key,
    accountId: words.account(),
    receipts: [],
    lines: [],
  };
  for (const child of statement.children) {
    const line = new Words(child.at, child.text);
    if (line.has('receipt')) deposit.receipts.push(line.take('a payment'));
    else {
      line.need('line');
      const read = { description: line.take('a description'), amount: line.amount() };
      line.need('account');
      deposit.lines.push({ ...read, accountId: line.account() });
    }
    line.end();
  }
  return deposit;
}

/** In scenarios, bills have no discounts, because discounts need an account that a new company does not have. */
function readApplications(
  { children }: Statement,
  hasDiscounts = false,
): Pick<PaymentEvent, 'applications' | 'refunds'> {
  if (children.length === 0) return { applications: null };
  const read = children.map((child) => {
    const words = new Words(child.at, child.text);
    const isRefund = words.has('refund');
    if (!isRefund) words.need('apply');
    if (!isRefund && words.has('nothing')) {
      words.end();
      return { isRefund, named: [] };
    }
    const named = { key: words.take('a number'), amount: words.amount() };
    const discount = hasDiscounts && !isRefund && words.has('discount') ? { discount: words.amount() } : {};
    words.end();
    return { isRefund, named: [{ ...named, ...discount }] };
  });
  const parts = (isRefund: boolean) => read.filter((each) => each.isRefund === isRefund).flatMap(({ named }) => named);
  const refunds = parts(true).map(({ key: payment, amount }) => ({ payment, amount }));
  return {
    applications: parts(false).map(({ key: invoice, ...share }) => ({ invoice, ...share })),
    ...(refunds.length === 0 ? {} : { refunds }),
  };
}

function readJournal(words: Words, statement: Statement, postingDate: IsoDate): JournalEvent {
  const description = words.take('a description');
  const basis = words.has('accrual-only') ? 1 : words.has('cash-only') ? 2 : 0;
  const lines = statement.children.map((child) => {
    const line = new Words(child.at, child.text);
    const debit = line.has('debit');
    if (!debit) line.need('credit');
    const read = { accountId: line.account(), debit, amount: line.amount() };
    const text = line.peek() === undefined ? description : line.take('a description');
    line.end();
    return { ...read, description: text };
  });
  return { kind: 'journal', description, postingDate, basis, lines };
}
