import { ledgerCalls } from '@evenkeel/contract/ledger';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import { isoDate } from '@evenkeel/core/dates';
import { expect } from 'vitest';
import { type RawAnswer, requestOf, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import { expectSound, type Reconciler, reconcilerOf } from './reconciling.ts';
import { importFile, ofx } from './statement-files.ts';

/** Two people, a payment of 60.00 and a statement of +60.00, which it explains, and −5.00, which nothing does. */
interface Ground {
  one: Reconciler;
  statementId: number;
  payment: { id: number };
  glid: number;
  /** The line of +60.00. */
  deposit: number;
  /** The line of −5.00. */
  fee: number;
  act: (who: 'one' | 'other', id: number, body: object) => Promise<RawAnswer>;
  send: (who: 'one' | 'other', request: ReturnType<typeof requestOf>) => Promise<RawAnswer>;
  stateOf: (id: number) => Promise<string>;
}

const DAY = isoDate('2026-03-20');

async function groundOf(t: TestApp) {
  const company = await t.createCompany();
  const [one, other] = [reconcilerOf(t, company), reconcilerOf(t, company, company.superuser)];
  const make = factoryFor(t, company);
  const payment = await make.payment({ customerId: await make.customer('Acme Tools'), paymentAmount: 60 });
  const [entry] = (await one.open()).incomingEntries;
  const says = [
    { date: DAY, amount: 6000, text: 'ACME TOOLS' },
    { date: DAY, amount: -500, text: 'FEE' },
  ];
  const { id: statementId } = await importFile(t, one.token, { bankAccountId: await one.bank(), bytes: ofx(says) });
  const listed = await t.call(calls.listBankLines, { token: one.token, query: {} });
  const lines = Array.isArray(listed) ? listed : listed.items;
  const idOf = (amount: number) => lines.find((line) => line.amount === amount)?.id ?? 0;
  const token = { one: one.token, other: other.token };
  const ground: Ground = {
    one,
    statementId,
    payment,
    glid: entry?.glid ?? 0,
    deposit: idOf(6000),
    fee: idOf(-500),
    act: (who, id, body) =>
      t.request({ ...requestOf(calls.actOnBankLine, { params: { id }, body }), token: token[who] }),
    send: (who, request) => t.request({ ...request, token: token[who] }),
    stateOf: async (id) => (await t.call(calls.getBankLine, { token: one.token, params: { id } })).state,
  };
  return { company, ground };
}

const BOOKED = { action: 'add', lines: [{ accountID: 151, amount: -5 }] };
const statuses = (answers: readonly RawAnswer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

/** Each does two things to bank lines at once and says what may come of it. */
export const LINE_RACES: Readonly<Record<string, (ground: Ground) => Promise<void>>> = {
  'two accept the same line: one has it, the other is told': async ({ act, deposit, glid }) => {
    const body = { action: 'match', glids: [glid] };
    const answers = await Promise.all([act('one', deposit, body), act('other', deposit, body)]);
    expect(statuses(answers)).toEqual([200, 409]);
  },
  'two accept the same lines in opposite orders: each line once': async ({ send, deposit, fee, stateOf }) => {
    const accept = (ids: number[]) => requestOf(calls.acceptBankLines, { body: { ids } });
    const answers = await Promise.all([send('one', accept([deposit, fee])), send('other', accept([fee, deposit]))]);
    expect(statuses(answers)).toEqual([200, 200]);
    expect(await stateOf(deposit)).toBe('matched');
  },
  'a statement is taken back while a line of it is booked: booked and undone, or told': async ({
    act,
    send,
    fee,
    statementId,
  }) => {
    const gone = send('one', requestOf(calls.deleteStatement, { params: { id: statementId } }));
    const [taken, booked] = await Promise.all([gone, act('other', fee, BOOKED)]);
    expect([200, 409]).toContain(taken.status);
    expect([200, 404, 409]).toContain(booked.status);
    expect(statuses([taken, booked])).toContain(200);
  },
  'a statement is taken back while the payment of a line is deleted: nothing is left matched': async ({
    act,
    send,
    deposit,
    glid,
    payment,
    statementId,
  }) => {
    await act('one', deposit, { action: 'match', glids: [glid] });
    const [taken, deleted] = await Promise.all([
      send('one', requestOf(calls.deleteStatement, { params: { id: statementId } })),
      send('other', { method: 'DELETE', url: `/api/billingpayment/${payment.id}` }),
    ]);
    expect([200, 409]).toContain(taken.status);
    expect(deleted.status).toBe(200);
  },
  'an entry is reconciled while its line is undone: reconciled and matched, or undone and free': async ({
    one,
    act,
    deposit,
    glid,
    stateOf,
  }) => {
    await act('one', deposit, { action: 'match', glids: [glid] });
    const [made, undone] = await Promise.all([
      one.tryTo({ entries: [glid], statementBalance: 60 }),
      act('other', deposit, { action: 'undo' }),
    ]);
    expect(made.status).toBe(200);
    expect([200, 409]).toContain(undone.status);
    expect(await stateOf(deposit)).toBe(undone.status === 200 ? 'review' : 'matched');
  },
  'a booked line is undone while its entry is reversed: reversed once': async ({ act, send, fee, stateOf }) => {
    const { body } = await act('one', fee, BOOKED);
    const transactionId = /"transactionID":(\d+)/.exec(JSON.stringify(body))?.[1] ?? '0';
    const reversal = { params: { transactionId: Number(transactionId) }, body: { postingDate: DAY } };
    const answers = await Promise.all([
      act('one', fee, { action: 'undo' }),
      send('other', requestOf(ledgerCalls.reverseTransaction, reversal)),
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
    expect(await stateOf(fee)).toBe('review');
  },
};

/** So many rounds of a race, each in books of its own; everything holds behind each. */
export async function lineRaceRounds(
  t: TestApp,
  race: (ground: Ground) => Promise<void>,
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const { company, ground } = await groundOf(t);
    await race(ground);
    await expectSound(t, company);
  }
}
