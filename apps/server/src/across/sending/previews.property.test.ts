import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BillingInvoice } from '@evenkeel/contract/billing';
import { chargeCalls } from '@evenkeel/contract/charges';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import type { Rehearsal } from '@evenkeel/contract/rehearsal';
import { sendingCalls } from '@evenkeel/contract/sending';
import { statementCalls } from '@evenkeel/contract/statements';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { ON_HOLD, OPEN } from '@evenkeel/core/documents/invoice';
import { cents, toDollars } from '@evenkeel/core/money';
import { stepNumber } from '@evenkeel/core/words/reminders';
import { type BankSays, importFile, ofx } from '../../features/banking/testing/statement-files.ts';
import { todayIn } from '../../platform/clock.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { serverActor } from '../../platform/http/session.ts';
import { requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { queueReminders } from './reminders.ts';

/**
 * Compares each preview of many changes with the commands that make the changes, in random companies. The commands run
 * in separate transactions, so no single rehearsal can show the changes.
 */

const RUNS = Math.min(200, Number(process.env['TORTURE_RUNS'] ?? 2));
const seeds = Array.from({ length: RUNS }, (_, index) => 611 + index * 7919);

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const TODAY = todayIn('America/New_York');

interface Scene {
  dice: Dice;
  company: WorldCompany;
  make: Factory;
  token: string;
  customers: number[];
}

async function sceneOf(seed: number): Promise<Scene> {
  const company = await t.createCompany();
  const make = factoryFor(t, company);
  const dice = new Dice(seed);
  if (dice.between(0, 1) === 1) await make.tax();
  const customers: number[] = [];
  for (const name of ['Alder', 'Birch', 'Cedar', 'Dogwood']) customers.push(await make.customer(name));
  return { dice, company, make, token: company.administrator.token, customers };
}

const amountOf = (dice: Dice, most = 90_000): number => toDollars(cents(dice.between(100, most)));
const dayOf = (dice: Dice, days = 120): IsoDate => addDays(TODAY, -dice.between(1, days));

interface Answer {
  status: number;
  body: unknown;
}

/** Rehearses a command and then sends it. Expects the same result, and returns it with the rehearsed effects. */
async function rehearseAndSend(endpoint: Endpoint, token: string, body: object) {
  const sent = { ...requestOf(endpoint, { body }), token };
  const rehearsed: Answer = await t.request({ ...sent, headers: { 'evenkeel-rehearse': 'true' } });
  const real: Answer = await t.request(sent);
  expect(rehearsed.status).toBe(real.status);
  if (real.status !== 200) return { status: real.status };
  const { reply, rehearsal } = rehearsed.body as { reply: { invoiceAmount: number }; rehearsal: Rehearsal };
  const made = real.body as { invoiceAmount: number; dueDate: IsoDate };
  expect(reply.invoiceAmount).toBe(made.invoiceAmount);
  return { status: 200, made, rehearsal };
}

/** Returns the change in a customer's open balance in dollars. */
const owedMore = (rehearsal: Rehearsal | undefined, id: number): number => {
  const change = rehearsal?.entities.find(({ entityId }) => entityId === id);
  return Math.round(((change?.after ?? 0) - (change?.before ?? 0)) * 100);
};

describe.each(seeds)('in random company %i', (seed) => {
  test('previews of unbilled work items have the same amounts and due dates as the invoices', async () => {
    const { dice, make, token, customers } = await sceneOf(seed);
    for (let count = dice.between(4, 12); count > 0; count -= 1) {
      const quantity = dice.between(1, 400) / 100;
      const given = { itemPrice: amountOf(dice), quantity, taxable: dice.between(0, 1) === 1 };
      await make.workItem({ customerId: dice.any(customers) ?? 0, ...given, serviceDate: dayOf(dice) });
    }
    const previews = await t.call(workItemCalls.listWorkItemInvoices, { token });
    expect(previews.length).toBeGreaterThan(0);
    for (const { id, workItemIds, invoiceAmount, invoiceDate, dueDate } of previews) {
      const billed = await rehearseAndSend(workItemCalls.billWorkItems, token, { id, workItemIds, invoiceDate });
      expect(billed.made).toMatchObject({ invoiceAmount: toDollars(invoiceAmount), dueDate });
      expect(owedMore(billed.rehearsal, id)).toBe(invoiceAmount);
    }
  });

  test('finance charge previews equal the invoices, and other customers are not charged', async () => {
    const { dice, make, token, customers } = await sceneOf(seed);
    const rule = dice.pick([{ annualRate: 18 }, { kind: 'amount' as const, amount: 25 }]);
    const body = { ...rule, graceDays: dice.between(0, 20), minimum: dice.pick([0, 10]), chargesCharges: true };
    await t.call(chargeCalls.saveFinanceChargeSettings, { token, body });
    for (let count = dice.between(4, 10); count > 0; count -= 1) {
      const customerId = dice.any(customers) ?? 0;
      const invoiceDate = dayOf(dice);
      const dueDate = addDays(invoiceDate, dice.between(0, 30));
      const arBillingStatus = dice.pick([OPEN, OPEN, OPEN, ON_HOLD]);
      const made: BillingInvoice = await make.invoice({
        customerId,
        invoiceDate,
        dueDate,
        amount: amountOf(dice),
        arBillingStatus,
      });
      const paymentAmount = toDollars(cents(Math.max(1, Math.round(made.invoiceAmount / dice.between(1, 4)))));
      const paymentApplications = [{ invoiceId: made.id, amount: paymentAmount }];
      const paid = { customerId, paymentAmount, paymentDate: dayOf(dice) };
      if (dice.between(0, 2) === 0 && arBillingStatus === OPEN) await make.payment({ ...paid, paymentApplications });
      if (dice.between(0, 4) === 0) await make.credit({ customerId, invoiceDate, amount: amountOf(dice) });
    }
    const query = { date: dice.pick([TODAY, dayOf(dice, 30)]) };
    const { charges } = await t.call(chargeCalls.listFinanceCharges, { token, query });
    for (const id of customers) {
      const preview = charges.find((charge) => charge.id === id);
      const asked = { id, ...query, ...(preview && { amount: toDollars(preview.amount) }) };
      const charged = await rehearseAndSend(chargeCalls.makeFinanceCharges, token, asked);
      expect(charged.status).toBe(preview === undefined ? 409 : 200);
      expect(charged.made?.invoiceAmount).toBe(preview && toDollars(preview.amount));
      if (preview !== undefined) expect(owedMore(charged.rehearsal, id)).toBe(preview.amount);
    }
    expect((await t.call(chargeCalls.listFinanceCharges, { token, query })).charges).toEqual([]);
  });

  test('the reminder job queues exactly the reminders in the preview', async () => {
    const { dice, make, company, token, customers } = await sceneOf(seed);
    const { companyId } = company;
    for (const emailAddress of ['', 'not an address']) {
      const id = await make.customer(`No address ${emailAddress}`);
      await t.inCompany(companyId, (tx) =>
        tx.rows(sql`update entity set email_address = ${emailAddress} where company_id = ${COMPANY} and id = ${id}`),
      );
      customers.push(id);
    }
    const days = [-3, 1, 7, 30];
    const steps = days.map((day) => ({ days: day, subject: 'Late', text: '{link}' }));
    await t.call(sendingCalls.saveReminders, { token, body: { isOn: true, steps } });
    for (let count = dice.between(8, 16); count > 0; count -= 1) {
      const customerId = dice.any(customers) ?? 0;
      const dueDate = addDays(TODAY, 1 - (dice.any(days) ?? 0) + dice.pick([0, 0, 0, 1]));
      const given = {
        customerId,
        invoiceDate: addDays(TODAY, -60),
        dueDate,
        arBillingStatus: dice.pick([OPEN, OPEN, ON_HOLD]),
      };
      await make.invoice({ ...given, amount: amountOf(dice) });
    }
    await make.payment({ customerId: dice.any(customers) ?? 0, paymentAmount: amountOf(dice, 200_000) });
    const params = { customerId: dice.any(customers) ?? 0 };
    await t.call(sendingCalls.leaveOutOfReminders, { token, params, body: { leftOut: true } });
    const { next, tomorrow } = await t.call(sendingCalls.getReminders, { token });
    const queued = await t.inCompany(companyId, async (tx) => {
      const actor = serverActor({ companyId, userId: company.administrator.userId }, tomorrow);
      await queueReminders({ ...actor, tx, services: t.services });
      return tx.rows(sql<{ invoiceId: number; step: number }>`
        select document_id as "invoiceId", step from mail where company_id = ${COMPANY} order by document_id`);
    });
    expect(queued).toEqual(
      next
        .map((reminder) => ({ invoiceId: reminder.invoiceId, step: stepNumber(reminder) }))
        .toSorted((a, b) => a.invoiceId - b.invoiceId),
    );
  });

  test('a bank rule changes profit and loss as previewed if all its matches are categorized again', async () => {
    const { dice, company, token } = await sceneOf(seed);
    const accounts = [151, 153, 160, 140] as const;
    const bankAccountId = await checkingOf(t, company.companyId);
    const says = Array.from({ length: dice.between(4, 10) }, (_, at): BankSays => {
      const amount = dice.between(100, 90_000) * dice.pick([1, -1]);
      return { date: dayOf(dice, 300), amount, id: `${seed}-${at}`, text: dice.pick(['STAPLES 12', 'SHELL OIL']) };
    });
    await importFile(t, token, { bankAccountId, bytes: ofx(says) });
    const linesOf = async () => {
      const all = await t.call(statementCalls.listBankLines, { token, query: { state: 'all' } });
      return Array.isArray(all) ? all : all.items;
    };
    const act = (id: number, body: object) =>
      t.call(statementCalls.actOnBankLine, { token, params: { id }, body: body as never });
    for (const { id, amount } of await linesOf()) {
      const lines = [{ accountID: dice.pick(accounts), amount: toDollars(amount) }];
      if (dice.between(0, 1) === 1) await act(id, { action: 'add', lines });
    }
    const [first, second] = [dice.pick([151, 153]), dice.pick([160, 140])];
    const percent = dice.between(1, 99);
    const lines = [
      { accountID: first, percent },
      { accountID: second, percent: 100 - percent },
    ];
    const rule = { text: 'staples', direction: dice.pick(['both', 'in', 'out']), lines };
    const preview = await t.call(statementCalls.rehearseBankRule, { token, body: rule });
    const before = await balancesOf(company.companyId);
    const { id: ruleId } = await t.call(statementCalls.createBankRule, { token, body: { ...rule, name: 'Staples' } });
    for (const { id, state } of preview.lines) if (state === 'added') await act(id, { action: 'undo' });
    for (const { id } of preview.lines) {
      const candidates = await t.call(statementCalls.bankLineCandidates, { token, params: { id }, query: {} });
      const candidate = candidates.candidates.find((each) => each.ruleId === ruleId);
      const parts = candidate?.lines.map(({ accountID, amount }) => ({ accountID, amount: toDollars(amount) }));
      await act(id, { action: 'add', lines: parts });
    }
    const after = await balancesOf(company.companyId);
    const ids = [...new Set([...before.keys(), ...after.keys()])].filter((id) => accounts.includes(id as never));
    const changes = ids.map((id) => [id, (after.get(id) ?? 0) - (before.get(id) ?? 0)] as const);
    // Preview amounts have the account's natural sign. Account 140 is an income account.
    const natural = changes.map(([id, amount]) => [id, id === 140 ? -amount : amount] as const);
    expect(new Map(preview.accounts.map(({ accountID, change }) => [accountID, change]))).toEqual(
      new Map(natural.filter(([, amount]) => amount !== 0)),
    );
    expect(preview.netIncome).toBe(0 - changes.reduce((sum, [, amount]) => sum + amount, 0));
  });
});

/** Returns the balance of each account: debits less credits, in cents. */
async function balancesOf(companyId: number): Promise<Map<number, number>> {
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ id: number; amount: number }>`
      select account_id as id, sum(amount_cents)::bigint as amount from journal_line
      where company_id = ${COMPANY} and basis <> 'C' group by 1`),
  );
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}
