import { expect } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { Dice } from '@evenkeel/core/dice';
import { type RawAnswer, requestOf, type TestApp } from '../../../testing/app.ts';
import { CHECK, factoryFor } from '../../../testing/factories.ts';
import type { WorldCompany } from '../../../testing/world.ts';
import { expectSound, provedBalances, type Reconciler, reconcilerOf } from './reconciling.ts';

/** Two users in one company and a payment of 60.00 in Checking. Nothing is reconciled. */
interface Ground {
  company: WorldCompany;
  one: Reconciler;
  other: Reconciler;
  /** The payment as its form loads it. */
  payment: { id: number } & object;
  glid: number;
  edit: (change: object) => Promise<RawAnswer>;
  /** Posts a new payment in Checking. */
  pay: (paymentAmount: number) => Promise<RawAnswer>;
}

async function groundOf(t: TestApp): Promise<Ground> {
  const company = await t.createCompany();
  const [one, other] = [reconcilerOf(t, company), reconcilerOf(t, company, company.superuser)];
  const make = factoryFor(t, company);
  const customerId = await make.customer();
  const { id } = await make.payment({ customerId, paymentAmount: 60 });
  const read = await t.request({ ...requestOf(billingCalls.getPayment, { params: { id } }), token: one.token });
  const payment = { ...(read.body as object), id };
  const [entry] = (await one.open()).incomingEntries;
  const edit = (change: object) =>
    t.request({ ...requestOf(billingCalls.updatePayment, { body: { ...payment, ...change } }), token: other.token });
  const bankAccountId = await one.bank();
  const pay = (paymentAmount: number) => {
    const body = { customerId, paymentDate: '2026-03-21', paymentTypeId: CHECK, bankAccountId, paymentAmount };
    return t.request({ ...requestOf(billingCalls.createPayment, { body }), token: other.token });
  };
  return { company, one, other, payment, glid: entry?.glid ?? 0, edit, pay };
}

const statuses = (answers: readonly RawAnswer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

/** Each race sends two requests at the same time and checks the allowed outcomes. */
export const RACES: Readonly<Record<string, (ground: Ground) => Promise<void>>> = {
  'only one of two users can reconcile the same entry with statements of different dates': async ({
    one,
    other,
    glid,
  }) => {
    const answers = await Promise.all([
      one.tryTo({ entries: [glid], statementBalance: 60 }),
      other.tryTo({ entries: [glid], statementDate: '2026-06-30', statementBalance: 60 }),
    ]);
    expect([200, 409, 422]).toEqual(expect.arrayContaining(statuses(answers)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await one.list()).toHaveLength(1);
  },
  'the newest reconciliation and the one before it are deleted, the older one only after the newest': async ({
    one,
    other,
  }) => {
    const before = await one.reconcile({ statementBalance: 0 });
    const newest = await one.reconcile({ statementDate: '2026-06-30', statementBalance: 0 });
    const [gone, old] = await Promise.all([
      one.tryToRemove(newest.reconciliationID),
      other.tryToRemove(before.reconciliationID),
    ]);
    expect(gone.status).toBe(200);
    expect([200, 409]).toContain(old.status);
    expect(await one.list()).toHaveLength(old.status === 200 ? 0 : 1);
  },
  'a reconciliation is deleted only once, even if two requests delete it': async ({ one, other }) => {
    const { reconciliationID } = await one.reconcile({
      statementBalance: -5,
      bankCharge: 5,
      bankChargeAccountID: 151,
    });
    const answers = await Promise.all([one.tryToRemove(reconciliationID), other.tryToRemove(reconciliationID)]);
    expect(statuses(answers)).toEqual([200, 404]);
  },
  'a payment’s amount is changed while it is reconciled, and only one request succeeds': async ({
    one,
    glid,
    edit,
  }) => {
    const answers = await Promise.all([
      one.tryTo({ entries: [glid], statementBalance: 60 }),
      edit({ paymentAmount: 75 }),
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
  },
  'payments are saved while their account is reconciled and unreconciled, without a deadlock': async ({
    one,
    other,
    glid,
    pay,
  }) => {
    const [made, ...paid] = await Promise.all([
      one.tryTo({ entries: [glid], statementBalance: 60 }),
      ...[11, 12, 13].map((paymentAmount) => pay(paymentAmount)),
    ]);
    expect(statuses([made, ...paid])).toEqual([200, 200, 200, 200]);
    const [last] = await other.list();
    const [gone, ...more] = await Promise.all([
      other.tryToRemove(last?.reconciliationID ?? 0),
      ...[14, 15].map((paymentAmount) => pay(paymentAmount)),
    ]);
    expect(statuses([gone, ...more])).toEqual([200, 200, 200]);
  },
  'a payment’s description is changed while it is reconciled, and the change is always saved': async ({
    one,
    glid,
    edit,
  }) => {
    const [made, described] = await Promise.all([
      one.tryTo({ entries: [glid], statementBalance: 60 }),
      edit({ paymentDescription: 'Anew' }),
    ]);
    expect(described.status).toBe(200);
    expect([200, 409]).toContain(made.status);
    expect((await one.open()).incomingEntries).toHaveLength(made.status === 200 ? 0 : 1);
  },
  'a payment’s amount is changed while its reconciliation is deleted, and is saved or rejected as reconciled': async ({
    one,
    glid,
    edit,
  }) => {
    const { reconciliationID } = await one.reconcile({ entries: [glid], statementBalance: 60 });
    const [gone, changed] = await Promise.all([one.tryToRemove(reconciliationID), edit({ paymentAmount: 75 })]);
    expect(gone.status).toBe(200);
    expect([200, 409]).toContain(changed.status);
  },
};

/**
 * Runs the given number of rounds of a race. Each round has a new company, whose books are verified after the round.
 */
export async function raceRounds(t: TestApp, race: (ground: Ground) => Promise<void>, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const ground = await groundOf(t);
    await race(ground);
    for (const { last, proved } of await provedBalances(t, ground.company.companyId)) expect(proved).toBe(last);
    await expectSound(t, ground.company);
  }
}

const DATES = ['2026-05-03', '2026-05-17', '2026-06-08', '2026-06-21'] as const;

/**
 * Adds random entries and payments, reconciles random selections, deletes reconciliations, and edits payments. After
 * each step, every account's last statement must equal the sum of its cleared entries.
 */
export async function randomReconciling(t: TestApp, seed: number, steps: number): Promise<void> {
  const dice = new Dice(seed);
  const company = await t.createCompany();
  const books = reconcilerOf(t, company);
  const make = factoryFor(t, company);
  const customerId = await make.customer();
  let statements = 0;
  const done = { reconciled: 0, deleted: 0, refused: 0 };
  const acts = {
    entry: async () => {
      const accounts: [number, number] = dice.chance(50) ? [101, 140] : [160, 101];
      await books.entry(dice.pick(DATES), accounts, dice.between(1, 90_000) / 100);
    },
    payment: async () => {
      await make.payment({ customerId, paymentDate: dice.pick(DATES), paymentAmount: dice.between(1, 50_000) / 100 });
    },
    reconcile: async () => {
      const open = await books.open();
      const chosen = [...open.incomingEntries, ...open.outgoingEntries].filter(() => dice.chance(60));
      const [bankCharge, interest] = [dice.chance(50) ? dice.between(1, 999) : 0, dice.chance(30) ? 7 : 0];
      const sum = chosen.reduce((total, each) => total + (each.debitAmount ?? 0) - (each.creditAmount ?? 0), 0);
      statements += 1;
      const answer = await books.tryTo({
        entries: chosen.map(({ glid }) => glid),
        statementDate: new Date(Date.UTC(2026, 5, statements)).toISOString().slice(0, 10),
        statementBalance: (open.lastBalance + sum - bankCharge + interest) / 100,
        bankCharge: bankCharge / 100,
        bankChargeAccountID: 151,
        interest: interest / 100,
        interestAccountID: 176,
      });
      expect(answer).toMatchObject({ status: 200 });
      done.reconciled += 1;
    },
    delete: async () => {
      const all = await books.list();
      const one = all[dice.between(0, all.length)];
      if (one === undefined) return;
      const answer = await books.tryToRemove(one.reconciliationID);
      expect(answer.status).toBe(one.isDeletable ? 200 : 409);
      done.deleted += one.isDeletable ? 1 : 0;
    },
    edit: async () => {
      const rows = await t.call(billingCalls.listPayments, { token: books.token, query: {} });
      const all = Array.isArray(rows) ? rows : rows.items;
      const one = all[dice.between(0, all.length)];
      if (one === undefined) return;
      const params = { id: one.id };
      const read = await t.request({ ...requestOf(billingCalls.getPayment, { params }), token: books.token });
      const change = dice.chance(50)
        ? { paymentDescription: `Words ${dice.between(1, 9)}` }
        : { paymentAmount: dice.between(1, 50_000) / 100 };
      const body = { ...(read.body as object), ...change };
      const answer = await t.request({ ...requestOf(billingCalls.updatePayment, { body }), token: books.token });
      expect([200, 409]).toContain(answer.status);
      done.refused += answer.status === 409 ? 1 : 0;
    },
  };
  const names = ['entry', 'entry', 'payment', 'payment', 'reconcile', 'reconcile', 'delete', 'edit', 'edit'] as const;
  for (let step = 0; step < steps; step += 1) {
    await acts[dice.pick(names)]();
    for (const { last, proved } of await provedBalances(t, company.companyId)) {
      expect([seed, step, proved]).toEqual([seed, step, last]);
    }
  }
  await expectSound(t, company);
  expect(done.reconciled).toBeGreaterThan(0);
}
