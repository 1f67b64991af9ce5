import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { type Client, openClient } from './client.ts';
import { type Company, newCompany } from './company.ts';
import { type Chapter, duration, median, ratio, table } from './figures.ts';
import { newKey, today } from './posting.ts';
import type { RunningServer } from './server.ts';

/** The numbers of payments that the measured invoices have. */
const PAYMENTS = [0, 100, 400];
const BILL_EDITS = 600;
const BILL_ROUNDS = 40;
const SAVES = 7;

const lineItems = (price: number) => [
  { description: 'Spring clean-up, front and back', itemPrice: price, quantity: 2, accountId: 140, taxable: true },
  { description: 'Mulch, per yard, delivered', itemPrice: 48.25, quantity: 3, accountId: 141, taxable: true },
];

/** Returns how long a save takes, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

interface PaidInvoice {
  payments: number;
  /** Saves the invoice with another price, so that every payment recognizes different shares. */
  saveAmount: (price: number) => Promise<number>;
  /** Saves the invoice with another due date, which affects no payment. */
  saveDueDate: (day: number) => Promise<number>;
}

/** The save times of one invoice, in milliseconds. */
interface Saves {
  amount: number[];
  due: number[];
}

const noSaves = (): Saves => ({ amount: [], due: [] });

/** Creates an invoice of about 5,000.00 with this number of payments of 3.33. */
async function paidInvoice(client: Client, { token, customerId }: Company, payments: number): Promise<PaidInvoice> {
  const day = today();
  const head = { customerId, invoiceDate: day, dueDate: day };
  const { id } = await client.call(billingCalls.createInvoice, {
    token,
    body: { ...head, lineItems: lineItems(2500) },
  });
  const paid = { customerId, paymentDate: day, paymentAmount: 3.33, paymentTypeId: 2, paymentAccountId: 104 };
  const paymentApplications = [{ invoiceId: id, amount: 3.33 }];
  for (let made = 0; made < payments; made += 1) {
    await client.call(billingCalls.createPayment, { token, body: { ...paid, paymentApplications } });
  }
  const save = (given: object) =>
    timed(() => client.call(billingCalls.updateInvoice, { token, body: { ...head, id, ...given } }));
  return {
    payments,
    saveAmount: (price) => save({ lineItems: lineItems(price) }),
    saveDueDate: (days) => {
      const dueDate = new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
      return save({ dueDate, lineItems: lineItems(2500 + SAVES) });
    },
  };
}

/**
 * Creates a bill. The returned function saves the bill with another description and returns the duration in
 * milliseconds.
 */
async function billToEdit(client: Client, { token }: Company, vendorId: number): Promise<() => Promise<number>> {
  let edit = 0;
  const bodyOf = () => ({
    vendorId,
    invoiceNumber: newKey(),
    invoiceDate: today(),
    lineItems: [{ description: `Gravel, load ${(edit += 1)}`, lineItemAmount: 144.75, accountId: 146 }],
  });
  const { id } = await client.call(expenseCalls.createExpense, { token, body: bodyOf() });
  return () => timed(() => client.call(expenseCalls.updateExpense, { token, body: { ...bodyOf(), id } }));
}

/** Alternately measures saves of a bill with many edits and saves of a new bill, so that the same load affects both. */
async function billSaves(client: Client, company: Company): Promise<{ early: number; late: number }> {
  const vendor = { name: 'Gravel & Sand', emailAddress: 'orders@gravel.example' };
  const { id: vendorId } = await client.call(entityCalls.createVendor, { token: company.token, body: vendor });
  const old = await billToEdit(client, company, vendorId);
  for (let edit = 0; edit < BILL_EDITS; edit += 1) await old();
  const fresh = await billToEdit(client, company, vendorId);
  const early: number[] = [];
  const late: number[] = [];
  for (let round = 0; round < BILL_ROUNDS; round += 1) {
    early.push(await fresh());
    late.push(await old());
  }
  return { early: median(early), late: median(late) };
}

/**
 * Alternately measures saves of invoices with payments and saves of a bill with many edits. The cost of a save should
 * depend only on the differences.
 */
export async function measurePayments(server: RunningServer): Promise<Chapter> {
  const company = await newCompany(server, `Payments ${newKey()}`);
  const client = openClient(server.url, 1);
  try {
    const invoices: PaidInvoice[] = [];
    for (const payments of PAYMENTS) invoices.push(await paidInvoice(client, company, payments));
    const seen = new Map(invoices.map(({ payments }) => [payments, noSaves()]));
    const used = new Map<string, number>();
    for (let round = 1; round <= SAVES; round += 1) {
      for (const { payments, saveAmount } of invoices) {
        const before = server.cpu();
        seen.get(payments)?.amount.push(await saveAmount(2500 + round));
        if (payments !== PAYMENTS.at(-1)) continue;
        for (const [name, value] of Object.entries(server.cpu())) {
          used.set(name, (used.get(name) ?? 0) + (value - (before[name] ?? 0)) / SAVES / 1000);
        }
      }
    }
    for (let round = 1; round <= SAVES; round += 1) {
      for (const { payments, saveDueDate } of invoices) seen.get(payments)?.due.push(await saveDueDate(round));
    }
    return chapter(seen, await billSaves(client, company), used);
  } finally {
    client.close();
  }
}

/** `used` is the processor time of a save with the most payments, in ms. */
function chapter(
  seen: ReadonlyMap<number, Saves>,
  bill: { early: number; late: number },
  used: ReadonlyMap<string, number>,
): Chapter {
  const of = (payments: number, what: 'amount' | 'due') => median(seen.get(payments)?.[what] ?? []);
  const rows = [...seen.keys()].map((payments) => [
    String(payments),
    duration(of(payments, 'amount')),
    duration(of(payments, 'due')),
  ]);
  const growth = (of(400, 'amount') - of(0, 'amount')) / (of(100, 'amount') - of(0, 'amount'));
  const text = [
    `One company, one request at a time; medians of ${SAVES} saves, the invoices in turn.`,
    '',
    table(['payments on the invoice', 'save with another price', 'save with another due date'], rows),
    '',
    `A bill of one line saved with other words: a new one ${duration(bill.early)}, one after ${BILL_EDITS} saves`,
    `${duration(bill.late)}, in turn.`,
  ].join('\n');
  const last = of(400, 'amount');
  const aims = [
    {
      wanted: 'An invoice with 400 payments is saved within 60 ms',
      seen: duration(last),
      isMet: last <= 60,
      why:
        `A save takes this processor time: ${[...used].map(([name, ms]) => `${name} ${duration(ms)}`).join(', ')}. ` +
        'Another price changes the amount that each of the 400 payments recognizes, so all of them are posted again.',
    },
    {
      wanted: 'What 400 payments add to a save is at most 5 times what 100 add',
      seen: ratio(growth),
      isMet: growth <= 5,
    },
    {
      wanted: `A bill’s save after ${BILL_EDITS} takes at most 1.5 times an early one`,
      seen: ratio(bill.late / bill.early),
      isMet: bill.late / bill.early <= 1.5,
    },
  ];
  return { title: 'Payments and edits', text, aims };
}
