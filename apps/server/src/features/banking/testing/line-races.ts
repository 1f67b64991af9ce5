import { billingCalls } from '@evenkeel/contract/billing';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import { expect } from 'vitest';
import { type RawAnswer, requestOf, type TestApp } from '../../../testing/app.ts';
import { type Factory, factoryFor } from '../../../testing/factories.ts';
import { expectSound, type Reconciler, reconcilerOf } from './reconciling.ts';
import { type BankSays, importFile, ofx } from './statement-files.ts';

/** Two users, a payment of 60.00 plus some cents, its bank transaction, and an unmatched negative bank transaction. */
interface Ground {
  one: Reconciler;
  statementId: number;
  payment: { id: number };
  glid: number;
  /** The amount of the payment and its bank transaction, in cents. */
  amount: Cents;
  /** The payment's bank transaction. */
  deposit: number;
  /** The negative bank transaction. */
  fee: number;
  /** Two bank transactions that together match another payment. Set only if the race sets `hasMore`. */
  group: readonly [number, number];
  /** An open invoice and the bank transaction that pays it. Set only if the race sets `hasMore`. */
  invoice: { id: number; lineItems: readonly object[] };
  paying: number;
  /** The request that categorizes the fee. */
  booked: object;
  act: (who: 'one' | 'other', id: number, body: object) => Promise<RawAnswer>;
  send: (who: 'one' | 'other', request: ReturnType<typeof requestOf>) => Promise<RawAnswer>;
  stateOf: (id: number) => Promise<string>;
}

const DAY = isoDate('2026-03-20');

/**
 * The number of rounds per company. With more rounds per company, each round would have to match and reconcile longer
 * lists.
 */
const TOGETHER = 50;

/** Returns the amounts for a round's group and for the bank transaction that pays an invoice, in cents. */
const sharesOf = (amount: number) => ({ group: [amount + 1000, amount + 7000] as const, paying: amount + 24_000 });

/** Returns a unique name for a round, made up only of letters. */
const nameOf = (amount: number) => `Zeb${[...String(amount)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}`;

/** Creates an open invoice, and the payment that two bank transactions match together. */
async function addMore(t: TestApp, make: Factory, amount: number): Promise<Ground['invoice']> {
  const { group, paying } = sharesOf(amount);
  const payer = await make.customer(`${nameOf(amount)} Garden`);
  await make.payment({ customerId: payer, paymentAmount: (group[0] + group[1]) / 100 });
  const buyer = await make.customer(`${nameOf(amount)} Dental`);
  const { id } = await make.invoice({ customerId: buyer, amount: paying / 100 });
  const { body } = await t.request({ ...requestOf(billingCalls.getInvoice, { params: { id } }), token: make.token });
  const { rowVersion: _, ...invoice } = body as Ground['invoice'] & { rowVersion: number };
  return invoice;
}

function moreSays(amount: number): BankSays[] {
  const { group, paying } = sharesOf(amount);
  const garden = `${nameOf(amount)} GARDEN`.toUpperCase();
  return [
    ...group.map((share) => ({ date: DAY, amount: share, text: garden, id: `share ${share}` })),
    { date: DAY, amount: paying, text: `${nameOf(amount)} DENTAL`.toUpperCase(), id: `paying ${amount}` },
  ];
}

/**
 * Sets up several rounds in one company. Their payments and bank transactions are created together, with different
 * amounts.
 */
async function groundsOf(t: TestApp, rounds: number, { ownStatements, hasMore = false }: Race) {
  const company = await t.createCompany();
  const [one, other] = [reconcilerOf(t, company), reconcilerOf(t, company, company.superuser)];
  const token = { one: one.token, other: other.token };
  const make = factoryFor(t, company);
  const customerId = await make.customer('Acme Tools');
  const bankAccountId = await one.bank();
  const amounts = Array.from({ length: rounds }, (_, at) => cents(6000 + at));
  const payments = await Promise.all(
    amounts.map((amount) => make.payment({ customerId, paymentAmount: amount / 100 })),
  );
  const saysOf = (amount: number) => [
    { date: DAY, amount, text: 'ACME TOOLS', id: `in ${amount}` },
    { date: DAY, amount: 5500 - amount, text: 'FEE', id: `out ${amount}` },
    ...(hasMore ? moreSays(amount) : []),
  ];
  const invoices = hasMore ? await Promise.all(amounts.map((amount) => addMore(t, make, amount))) : [];
  const files = ownStatements ? amounts.map(saysOf) : [amounts.flatMap(saysOf)];
  for (const says of files) await importFile(t, token.one, { bankAccountId, bytes: ofx(says) });
  const { incomingEntries } = await one.open();
  const listed = await t.call(calls.listBankLines, { token: token.one, query: {} });
  const lines = Array.isArray(listed) ? listed : listed.items;
  const lineOf = (wanted: number) => lines.find(({ amount }) => amount === wanted);
  const grounds = amounts.map((amount, at): Ground => {
    const deposit = lineOf(amount);
    const idOf = (wanted: number) => lineOf(wanted)?.id ?? 0;
    const { group, paying } = sharesOf(amount);
    return {
      one,
      statementId: deposit?.statementId ?? 0,
      payment: { id: payments[at]?.id ?? 0 },
      glid: incomingEntries.find(({ debitAmount }) => debitAmount === amount)?.glid ?? 0,
      amount,
      deposit: deposit?.id ?? 0,
      fee: idOf(5500 - amount),
      group: [idOf(group[0]), idOf(group[1])],
      invoice: invoices[at] ?? { id: 0, lineItems: [] },
      paying: idOf(paying),
      booked: { action: 'add', lines: [{ accountID: 151, amount: (5500 - amount) / 100 }] },
      act: (who, id, body) =>
        t.request({ ...requestOf(calls.actOnBankLine, { params: { id }, body }), token: token[who] }),
      send: (who, request) => t.request({ ...request, token: token[who] }),
      stateOf: async (id) => (await t.call(calls.getBankLine, { token: token.one, params: { id } })).state,
    };
  });
  return { company, grounds };
}

interface Race {
  /** Whether each round imports a separate statement, because the race undoes the import. */
  ownStatements: boolean;
  /** Whether each round also has a group of bank transactions and an invoice. */
  hasMore?: boolean;
  run: (ground: Ground) => Promise<void>;
}

const statuses = (answers: readonly RawAnswer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

const accept = (...ids: number[]) => requestOf(calls.acceptBankLines, { body: { ids } });

/** Each race performs two actions on bank transactions at the same time and checks the allowed outcomes. */
export const LINE_RACES: Readonly<Record<string, Race>> = {
  'only one of two users can match the same bank transaction, and the other gets 409': {
    ownStatements: false,
    run: async ({ act, deposit, glid }) => {
      const body = { action: 'match', glids: [glid] };
      const answers = await Promise.all([act('one', deposit, body), act('other', deposit, body)]);
      expect(statuses(answers)).toEqual([200, 409]);
    },
  },
  'two users accept the same bank transactions in opposite orders, and each is handled once': {
    ownStatements: false,
    run: async ({ send, deposit, fee, stateOf }) => {
      const answers = await Promise.all([send('one', accept(deposit, fee)), send('other', accept(fee, deposit))]);
      expect(statuses(answers)).toEqual([200, 200]);
      expect(await stateOf(deposit)).toBe('matched');
    },
  },
  'two users accept bank transactions in the same group, and the group is matched once': {
    ownStatements: false,
    hasMore: true,
    run: async ({ send, deposit, group: [first, second], stateOf }) => {
      const answers = await Promise.all([send('one', accept(deposit, first)), send('other', accept(second))]);
      expect(statuses(answers)).toEqual([200, 200]);
      expect(await Promise.all([deposit, first, second].map(stateOf))).toEqual(['matched', 'matched', 'matched']);
    },
  },
  'a matched bank transaction is accepted with others while its payment is deleted, and the others are accepted': {
    ownStatements: false,
    hasMore: true,
    run: async ({ act, send, deposit, glid, payment, paying, stateOf }) => {
      await act('one', deposit, { action: 'match', glids: [glid] });
      const answers = await Promise.all([
        send('one', accept(deposit, paying)),
        send('other', { method: 'DELETE', url: `/api/billingpayment/${payment.id}` }),
      ]);
      expect(statuses(answers)).toEqual([200, 200]);
      expect(await Promise.all([deposit, paying].map(stateOf))).toEqual(['review', 'matched']);
    },
  },
  'an invoice is edited while a bank transaction that pays it is accepted, and both succeed': {
    ownStatements: false,
    hasMore: true,
    run: async ({ send, deposit, invoice, paying, stateOf }) => {
      let isAccepted = false;
      const accepted = send('one', accept(deposit, paying)).finally(() => (isAccepted = true));
      const edits: RawAnswer[] = [];
      while (!isAccepted) {
        const lineItems = invoice.lineItems.map((line) => ({ ...line, accountId: 140 + (edits.length % 2) }));
        edits.push(await send('other', requestOf(billingCalls.updateInvoice, { body: { ...invoice, lineItems } })));
      }
      expect(new Set(statuses([await accepted, ...edits]))).toEqual(new Set([200]));
      expect(await Promise.all([deposit, paying].map(stateOf))).toEqual(['matched', 'matched']);
    },
  },
  'an import is undone while one of its bank transactions is categorized, and at least one request succeeds': {
    ownStatements: true,
    run: async ({ act, send, fee, booked, statementId }) => {
      const gone = send('one', requestOf(calls.deleteStatement, { params: { id: statementId } }));
      const [taken, added] = await Promise.all([gone, act('other', fee, booked)]);
      expect([200, 409]).toContain(taken.status);
      expect([200, 404, 409]).toContain(added.status);
      expect(statuses([taken, added])).toContain(200);
    },
  },
  'an import is undone while the payment of a matched bank transaction is deleted, and no match remains': {
    ownStatements: true,
    run: async ({ act, send, deposit, glid, payment, statementId }) => {
      await act('one', deposit, { action: 'match', glids: [glid] });
      const [taken, deleted] = await Promise.all([
        send('one', requestOf(calls.deleteStatement, { params: { id: statementId } })),
        send('other', { method: 'DELETE', url: `/api/billingpayment/${payment.id}` }),
      ]);
      expect([200, 409]).toContain(taken.status);
      expect(deleted.status).toBe(200);
    },
  },
  'an entry is reconciled while its match is undone, and the bank transaction is either matched or for review': {
    ownStatements: false,
    run: async ({ one, act, amount, deposit, glid, stateOf }) => {
      const { lastBalance, mostRecentReconDate } = await one.open();
      const statementDate = addDays(mostRecentReconDate ?? DAY, 1);
      await act('one', deposit, { action: 'match', glids: [glid] });
      const [made, undone] = await Promise.all([
        one.tryTo({ entries: [glid], statementDate, statementBalance: (lastBalance + amount) / 100 }),
        act('other', deposit, { action: 'undo' }),
      ]);
      expect(made.status).toBe(200);
      expect([200, 409]).toContain(undone.status);
      expect(await stateOf(deposit)).toBe(undone.status === 200 ? 'review' : 'matched');
    },
  },
  'a categorized bank transaction is undone while its entry is reversed, and the entry is reversed once': {
    ownStatements: false,
    run: async ({ act, send, fee, booked, stateOf }) => {
      const { body } = await act('one', fee, booked);
      const transactionId = /"transactionID":(\d+)/.exec(JSON.stringify(body))?.[1] ?? '0';
      const reversal = { params: { transactionId: Number(transactionId) }, body: { postingDate: DAY } };
      const answers = await Promise.all([
        act('one', fee, { action: 'undo' }),
        send('other', requestOf(ledgerCalls.reverseTransaction, reversal)),
      ]);
      expect(statuses(answers)).toEqual([200, 409]);
      expect(await stateOf(fee)).toBe('review');
    },
  },
};

/**
 * Runs the given number of rounds of a race. Each company is used for several rounds, and its books are verified
 * afterward.
 */
export async function lineRaceRounds(t: TestApp, race: Race, rounds: number): Promise<void> {
  for (let left = rounds; left > 0; left -= TOGETHER) {
    const { company, grounds } = await groundsOf(t, Math.min(left, TOGETHER), race);
    for (const ground of grounds) await race.run(ground);
    await expectSound(t, company);
  }
}
