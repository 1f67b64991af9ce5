import { masterAccount } from '@evenkeel/core/books/accounts';
import { billingStatuses, OPEN } from '@evenkeel/core/documents/invoice';
import { cents, toPlain } from '@evenkeel/core/money';
import type { Cents } from '@evenkeel/core/money';
import { taxFrequencies } from './scenario.ts';
import type {
  BillEvent,
  BillPaymentEvent,
  ChargeEvent,
  DepositEvent,
  EstimateEvent,
  Expectation,
  ExpectedEntries,
  ExpectedRow,
  InvoiceEvent,
  JournalEvent,
  PaymentEvent,
  Scenario,
  ScenarioEvent,
  ScenarioLine,
  ScenarioStep,
  TaxPaymentEvent,
  TaxReturnEvent,
  TemplateEvent,
  TransferEvent,
  WriteOffEvent,
} from './scenario.ts';

const TAX_TYPES = ['state', 'city', 'county', 'other'];
const BASES = { B: 'both', A: 'accrual', C: 'cash' } as const;
const JOURNAL_BASES = ['', ' accrual-only', ' cash-only'];

/**
 * Formats a scenario as `.books` text, which can be parsed again. Failed random scenarios are printed in this format.
 */
export function formatScenario(scenario: Scenario): string {
  const { companyName, fiscalYearStartMonth, tax, agencies, customers, vendors, products, discounts, packages, steps } =
    scenario;
  const head = [
    `company ${quote(companyName)} fiscal-year-start ${fiscalYearStartMonth}`,
    ...(scenario.chargeRate === null ? [] : [`finance-charge ${scenario.chargeRate}%`]),
    ...(tax === null
      ? []
      : [`tax ${quote(tax.label)} account ${number(tax.accountId)}${tax.combined ? ' combined' : ''}`]),
    ...(tax?.rates ?? []).map(
      (rate) => `  ${TAX_TYPES[rate.salesTaxType] ?? 'other'} ${quote(rate.label)} ${rate.percentage}`,
    ),
    ...agencies.map(
      ({ name, frequency, startDate }) => `agency ${quote(name)} ${taxFrequencies[frequency] ?? ''} from ${startDate}`,
    ),
    ...customers.map((customer) => `customer ${quote(customer)}`),
    ...vendors.map((vendor) => `vendor ${quote(vendor)}`),
    ...products.map(
      ({ name, price, accountId, taxable }) =>
        `product ${quote(name)} ${price} account ${number(accountId)}${taxable ? ' taxable' : ''}`,
    ),
    ...discounts.map(({ name, amount, percentage, accountId }) => {
      const figure = amount === null ? `${percentage}%` : toPlain(amount);
      return `discount ${quote(name)} ${figure} account ${number(accountId)}`;
    }),
    ...packages.flatMap(({ name, goal, items }) => [
      `package ${quote(name)}${goal === null ? '' : ` goal ${toPlain(goal)}`}`,
      ...items.map((item) => `  ${item.kind} ${quote(item.name)} x ${item.quantity}`),
    ]),
  ];
  return `${[...head, '', ...steps.flatMap(formatStep)].join('\n')}\n`;
}

function formatStep(step: ScenarioStep): string[] {
  if (step.step === 'expect') return formatExpectation(step.expectation);
  const refusal = step.refused === null ? [] : [`expect refused ${quote(step.refused)}`];
  return [...refusal, ...formatEvent(step.event)];
}

/** Formats one event as `.books` text. */
export function formatEvent(event: ScenarioEvent): string[] {
  switch (event.kind) {
    case 'invoice':
      return formatInvoice(event);
    case 'payment':
      return formatPayment(event);
    case 'writeoff':
      return [formatWriteOff(event)];
    case 'estimate':
      return formatEstimate(event);
    case 'charge':
      return [formatCharge(event)];
    case 'template':
      return formatTemplate(event);
    case 'bill':
      return formatBill(event);
    case 'bill-payment':
      return formatBillPayment(event);
    case 'transfer':
      return [formatTransfer(event)];
    case 'deposit':
      return formatDeposit(event);
    case 'delete':
      return [`delete ${event.document} ${word(event.key)}`];
    case 'journal':
      return formatJournal(event);
    case 'return':
      return formatReturn(event);
    case 'tax-payment':
      return [formatTaxPayment(event)];
  }
}

function formatInvoice({ edit, key, customer, invoiceDate, dueDate, status, lines, ...event }: InvoiceEvent): string[] {
  const due = dueDate === null ? '' : ` due ${dueDate}`;
  const name = billingStatuses
    .find((each) => each.id === status)
    ?.displayName.toLowerCase()
    .replace(' ', '-');
  const state = status === OPEN || name === undefined ? '' : ` status ${name}`;
  const noun = event.isCredit ? 'credit' : 'invoice';
  const origin = event.of === undefined ? '' : ` of ${word(event.of)}`;
  const head = `${invoiceDate} ${edit ? 'edit ' : ''}${noun} ${word(key)}${origin} to ${quote(customer)}${due}${state}`;
  return [head, ...lines.map((line) => `  ${formatLine(line)}`)];
}

function formatEstimate({ key, customer, estimateDate, lines }: EstimateEvent): string[] {
  const head = `${estimateDate} estimate ${word(key)} to ${quote(customer)}`;
  return [head, ...lines.map((line) => `  ${formatLine(line)}`)];
}

function formatCharge({ key, customer, chargeDate }: ChargeEvent): string {
  return `${chargeDate} charge ${word(key)} to ${quote(customer)}`;
}

function formatWriteOff({ key, invoice, writeOffDate, withTax }: WriteOffEvent): string {
  return `${writeOffDate} writeoff ${word(key)} of ${word(invoice)}${withTax ? ' with-tax' : ''}`;
}

function formatTemplate({ unit, every, count, document }: TemplateEvent): string[] {
  const [head = '', ...lines] = formatEvent(document);
  const rule = `every ${every} ${unit} ${count} times`;
  return [head.replace(' ', ` ${rule} `), ...lines];
}

function formatLine(line: ScenarioLine): string {
  return `${formatItem(line)}${line.ofLine === undefined ? '' : ` of ${line.ofLine}`}`;
}

function formatItem({ product, description, itemPrice, quantity, accountId, taxable, ...line }: ScenarioLine): string {
  if (line.package !== undefined) return `package ${quote(line.package)} x ${quantity}`;
  if (line.discount !== undefined) return `discount ${quote(line.discount)} x ${quantity}`;
  if (product !== null) return `product ${quote(product)} x ${quantity}`;
  const money = `${itemPrice} x ${quantity} account ${number(accountId)}`;
  return `line ${quote(description)} ${money}${taxable ? ' taxable' : ''}`;
}

function formatPayment({ edit, key, customer, paymentDate, amount, accountId, ...event }: PaymentEvent): string[] {
  const money = `${toPlain(amount)} into ${number(accountId)}`;
  const head = `${paymentDate} ${edit ? 'edit ' : ''}payment ${word(key)} from ${quote(customer)} ${money}`;
  return [head, ...formatApplications(event)];
}

function formatBill({ edit, key, vendor, postingDate, dueDate, lines }: BillEvent): string[] {
  const due = dueDate === null ? '' : ` due ${dueDate}`;
  return [
    `${postingDate} ${edit ? 'edit ' : ''}bill ${word(key)} from ${quote(vendor)}${due}`,
    ...lines.map(({ description, amount, accountId, creditLine }) => {
      const money = `${toPlain(amount)} account ${number(accountId)}`;
      return `  ${creditLine ? 'credit' : 'line'} ${quote(description)} ${money}`;
    }),
  ];
}

function formatBillPayment({ edit, key, vendor, paymentDate, amount, accountId, ...event }: BillPaymentEvent) {
  const money = `${toPlain(amount)} from ${number(accountId)}`;
  const head = `${paymentDate} ${edit ? 'edit ' : ''}bill-payment ${word(key)} to ${quote(vendor)} ${money}`;
  return [head, ...formatApplications(event)];
}

function formatTransfer({ edit, key, transferDate, amount, fromAccountId, toAccountId }: TransferEvent): string {
  const way = `from ${number(fromAccountId)} to ${number(toAccountId)}`;
  return `${transferDate} ${edit ? 'edit ' : ''}transfer ${word(key)} ${toPlain(amount)} ${way}`;
}

function formatDeposit({ edit, key, depositDate, accountId, receipts, lines }: DepositEvent): string[] {
  return [
    `${depositDate} ${edit ? 'edit ' : ''}deposit ${word(key)} into ${number(accountId)}`,
    ...receipts.map((payment) => `  receipt ${word(payment)}`),
    ...lines.map(({ description, amount, accountId: other }) => {
      return `  line ${quote(description)} ${toPlain(amount)} account ${number(other)}`;
    }),
  ];
}

function formatApplications({ applications, refunds = [] }: Pick<PaymentEvent, 'applications' | 'refunds'>): string[] {
  if (applications === null) return [];
  const lines = [
    ...applications.map(({ invoice, amount, discount }) => {
      const taken = discount === undefined ? '' : ` discount ${toPlain(discount)}`;
      return `  apply ${word(invoice)} ${toPlain(amount)}${taken}`;
    }),
    ...refunds.map((each) => `  refund ${word(each.payment)} ${toPlain(each.amount)}`),
  ];
  return lines.length === 0 ? ['  apply nothing'] : lines;
}

function formatJournal({ description, postingDate, basis, lines }: JournalEvent): string[] {
  const head = `${postingDate} journal ${quote(description)}${JOURNAL_BASES[basis] ?? ''}`;
  return [
    head,
    ...lines.map((line) => {
      const text = line.description === description ? '' : ` ${quote(line.description)}`;
      return `  ${line.debit ? 'debit' : 'credit'} ${number(line.accountId)} ${toPlain(line.amount)}${text}`;
    }),
  ];
}

function formatExpectation(expectation: Expectation): string[] {
  if (expectation.kind === 'report') {
    const { report, from, asOf, basis, rows } = expectation;
    return [`expect ${report} ${from === null ? '' : `${from}..`}${asOf} ${basis}`, ...rows.map(formatRow)];
  }
  if (expectation.kind === 'entries') return formatEntries(expectation);
  if (expectation.kind === 'return') {
    const rows = expectation.rows.map(({ figure, amount }) => `  ${figure} | ${toPlain(amount)}`);
    return [`expect return ${word(expectation.name)}`, ...rows];
  }
  const { document, key, openAmount, invoiceAmount, salesTaxAmount } = expectation;
  if (openAmount !== null) return [`expect open ${document} ${word(key)} ${toPlain(openAmount)}`];
  const total = invoiceAmount === null ? '' : ` total ${toPlain(invoiceAmount)}`;
  const tax = salesTaxAmount === null ? '' : ` tax ${toPlain(salesTaxAmount)}`;
  return [`expect ${document} ${word(key)}${total}${tax}`];
}

function formatReturn({ key, agency, periodEnd, filedDate, adjustments }: TaxReturnEvent): string[] {
  return [
    `${filedDate} return ${word(key)} of ${quote(agency)} through ${periodEnd}`,
    ...adjustments.map(
      ({ kind, amount, accountId, reason }) =>
        `  ${kind} ${toPlain(amount)} account ${number(accountId)} ${quote(reason)}`,
    ),
  ];
}

function formatTaxPayment({ key, agency, periodEnd, paymentDate, amount, accountId }: TaxPaymentEvent): string {
  const period = `of ${quote(agency)} through ${periodEnd}`;
  return `${paymentDate} tax-payment ${word(key)} ${period} ${toPlain(amount)} from ${number(accountId)}`;
}

function formatRow({ label, amounts }: ExpectedRow): string {
  return `  ${[label, ...amounts.map((amount) => (amount === null ? '' : toPlain(amount)))].join(' | ')}`.trimEnd();
}

function formatEntries({ document, key, rows }: ExpectedEntries): string[] {
  return [
    `expect entries ${document} ${word(key)}`,
    ...rows.map(({ postingDate, accountId, amount, basis }) => {
      const name = `${number(accountId)} ${masterAccount(accountId)?.accountName ?? ''}`;
      return `  ${postingDate} | ${name} | ${side(amount)} | ${side(cents(-amount))} | ${BASES[basis]}`;
    }),
  ];
}

function side(amount: Cents): string {
  return amount > 0 ? toPlain(amount) : '';
}

function number(accountId: number): string {
  return masterAccount(accountId)?.accountNumber ?? String(accountId);
}

function quote(text: string): string {
  return `"${text.replaceAll('"', "'")}"`;
}

/** Formats a key, in quotes if it has spaces. */
function word(key: string): string {
  return /^[^\s";]+$/.test(key) ? key : quote(key);
}
