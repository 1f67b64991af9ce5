import type { IsoDate } from '@evenkeel/core/dates';
import { DRAFT, OPEN } from '@evenkeel/core/documents/invoice';
import { type Cents, cents } from '@evenkeel/core/money';
import type { Books } from './books.ts';
import type { Scenario, ScenarioEvent } from './scenario.ts';

/**
 * Settles all books on one day: reverses deposits, write-offs, and discounts, pays everything that is open, uses up
 * remaining credits with new documents, and reduces payments to their used parts. Returns the events that were applied.
 */
export function settle(books: Books, paymentDate: IsoDate): ScenarioEvent[] {
  const events: ScenarioEvent[] = [];
  const apply = (event: ScenarioEvent): void => {
    books.apply(event);
    events.push(event);
  };
  for (const key of books.depositKeys()) apply({ kind: 'delete', document: 'deposit', key });
  for (const key of books.writeOffKeys()) apply({ kind: 'delete', document: 'writeoff', key });
  for (const key of books.paymentKeys()) takeBackDiscounts(books, key, apply);
  for (const key of books.invoiceKeys()) payOff(books, { key, paymentDate, apply });
  for (const key of books.billKeys()) payBill(books, { key, paymentDate, apply });
  for (const document of ['payment', 'bill-payment'] as const) {
    const keys = document === 'payment' ? books.paymentKeys() : books.billPaymentKeys();
    for (const key of keys) trim(books, { document, key, apply });
  }
  return events;
}

/** Returns the scenario without journal entries, which may be on only one basis and cannot be paid. */
export function withoutJournals(scenario: Scenario): Scenario {
  const isJournal = (event: ScenarioEvent): boolean =>
    event.kind === 'journal' || (event.kind === 'template' && isJournal(event.document));
  const steps = scenario.steps.filter((step) => step.step === 'expect' || !isJournal(step.event));
  return { ...scenario, steps };
}

interface PayingOff {
  key: string;
  paymentDate: IsoDate;
  apply: (event: ScenarioEvent) => void;
}

function payOff(books: Books, { key, paymentDate, apply }: PayingOff): void {
  const { event } = books.invoice(key);
  if (event.status === DRAFT) apply({ ...event, edit: true, status: OPEN });
  const amount = books.openAmount(key);
  if (amount === 0) return;
  const own = { invoice: key, amount };
  const payment = { kind: 'payment', edit: false, key: `S-${key}`, customer: event.customer, accountId: 101 } as const;
  if (amount > 0) return apply({ ...payment, paymentDate, amount, applications: [own] });
  const { isCredit: _, of: __, ...sold } = event;
  const lines = event.lines.map(({ ofLine: ___, ...line }) => line);
  apply({ ...sold, edit: false, key: `X-${key}`, status: OPEN, lines });
  const total = books.openAmount(`X-${key}`);
  const applications = [{ invoice: `X-${key}`, amount: total }, own];
  apply({ ...payment, paymentDate, amount: cents(total + amount), applications });
}

function payBill(books: Books, { key, paymentDate, apply }: PayingOff): void {
  const { event } = books.bill(key);
  const { openAmount: amount } = books.billAmounts(key);
  if (amount === 0) return;
  const own = { invoice: key, amount };
  const { vendor } = event;
  const payment = { kind: 'bill-payment', edit: false, key: `S-${key}`, vendor, accountId: 101, paymentDate } as const;
  if (amount > 0) return apply({ ...payment, amount, applications: [own] });
  const lines = event.lines.map((line) => ({ ...line, creditLine: !line.creditLine }));
  apply({ ...event, edit: false, key: `X-${key}`, lines });
  const { openAmount: total } = books.billAmounts(`X-${key}`);
  const applications = [{ invoice: `X-${key}`, amount: total }, own];
  apply({ ...payment, amount: cents(total + amount), applications });
}

/** Reverses a payment's discounts, so that only applications of money remain. */
export function takeBackDiscounts(books: Books, key: string, apply: (event: ScenarioEvent) => void): void {
  const { event } = books.payment(key);
  const applications = explicit(books, 'payment', key);
  if (applications.every(({ discount }) => discount === undefined)) return;
  const bare = applications.filter(({ amount }) => amount !== 0).map(({ discount: _, ...each }) => each);
  apply({ ...event, edit: true, applications: bare });
}

interface Trimmed {
  document: 'payment' | 'bill-payment';
  key: string;
  apply: (event: ScenarioEvent) => void;
}

/** Reduces a payment to its applied and refunded parts. */
function trim(books: Books, { document, key, apply }: Trimmed): void {
  const left = books.leftOf(document, key);
  if (left === 0) return;
  const { event, applications } = document === 'payment' ? books.payment(key) : books.billPayment(key);
  const amount = cents(event.amount - left);
  if (amount === 0 && applications.length === 0) return apply({ kind: 'delete', document, key });
  apply({ ...event, edit: true, amount, applications: explicit(books, document, key) });
}

/** Returns a payment's applications with the keys of the documents. */
export function explicit(
  books: Books,
  document: Trimmed['document'],
  key: string,
): { invoice: string; amount: Cents; discount?: Cents }[] {
  const isSale = document === 'payment';
  const keys = isSale ? books.invoiceKeys() : books.billKeys();
  const names = new Map(keys.map((each) => [(isSale ? books.invoice(each) : books.bill(each)).id, each]));
  const { applications } = isSale ? books.payment(key) : books.billPayment(key);
  return applications.map(({ invoiceId, ...share }) => ({ invoice: names.get(invoiceId) ?? '', ...share }));
}
