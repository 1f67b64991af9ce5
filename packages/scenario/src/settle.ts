import type { IsoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import type { Books } from './books.ts';
import type { ScenarioEvent } from './scenario.ts';

/**
 * Pays what is open, sells again what is left of credit memos, and takes back what no invoice needs, all on one day;
 * deposited payments are taken off their deposits first. Answers the events, which the books have by then.
 */
export function settle(books: Books, paymentDate: IsoDate): ScenarioEvent[] {
  const events: ScenarioEvent[] = [];
  const apply = (event: ScenarioEvent): void => {
    books.apply(event);
    events.push(event);
  };
  for (const key of books.depositKeys()) apply({ kind: 'delete', document: 'deposit', key });
  for (const key of books.invoiceKeys()) payOff(books, { key, paymentDate, apply });
  for (const key of books.paymentKeys()) trim(books, key, apply);
  return events;
}

interface PayingOff {
  key: string;
  paymentDate: IsoDate;
  apply: (event: ScenarioEvent) => void;
}

function payOff(books: Books, { key, paymentDate, apply }: PayingOff): void {
  const { event } = books.invoice(key);
  if (event.status === 1) apply({ ...event, edit: true, status: 2 });
  const amount = books.openAmount(key);
  if (amount === 0) return;
  const own = { invoice: key, amount };
  const payment = { kind: 'payment', edit: false, key: `S-${key}`, customer: event.customer, accountId: 101 } as const;
  if (amount > 0) return apply({ ...payment, paymentDate, amount, applications: [own] });
  const { isCredit: _, ...sold } = event;
  apply({ ...sold, edit: false, key: `X-${key}`, status: 2 });
  const total = books.openAmount(`X-${key}`);
  const applications = [{ invoice: `X-${key}`, amount: total }, own];
  apply({ ...payment, paymentDate, amount: cents(total + amount), applications });
}

/** A payment keeps what it is applied to. */
function trim(books: Books, key: string, apply: (event: ScenarioEvent) => void): void {
  const { event, applications } = books.payment(key);
  const amount = cents(applications.reduce((total, each) => total + each.amount, 0));
  if (applications.length === 0) return apply({ kind: 'delete', document: 'payment', key });
  if (amount === event.amount) return;
  const names = new Map(books.invoiceKeys().map((invoice) => [books.invoice(invoice).id, invoice]));
  const named = applications.map((each) => ({ invoice: names.get(each.invoiceId) ?? '', amount: each.amount }));
  apply({ ...event, edit: true, amount, applications: named });
}
