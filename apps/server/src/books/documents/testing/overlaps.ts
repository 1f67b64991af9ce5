import { expenseCalls as calls } from '@evenkeel/contract/expenses';
import { formatAmount } from '@evenkeel/core/money';
import { expect } from 'vitest';
import { verifyWithin } from '../../../across/health/books-verify.ts';
import type { TestApp } from '../../../testing/app.ts';
import { factoryFor } from '../../../testing/factories.ts';

/**
 * Two users pay two sets of bills from three vendors at the same time. One bill is in both sets. In each round, one set
 * must be paid completely, and the other must not be paid at all. At the end, `verify` must find no problems.
 */
export async function overlapRounds(t: TestApp, rounds: number): Promise<void> {
  const company = await t.createCompany();
  const make = factoryFor(t, company);
  const vendors = [await make.vendor(), await make.vendor(), await make.vendor()];
  for (let round = 0; round < rounds; round += 1) {
    const bills: { id: number; vendorId: number }[] = [];
    for (const vendorId of vendors) bills.push({ id: (await make.bill({ vendorId })).id, vendorId });
    const shared = round % 3;
    const [first, second] = [(shared + 1) % 3, (shared + 2) % 3];
    const pay = (token: string, chosen: readonly number[]) =>
      t.call(calls.createExpensePayments, {
        token,
        body: { payments: chosen.flatMap((at) => bills.slice(at, at + 1).map(paymentOf)) },
      });
    const done = await Promise.allSettled([
      pay(company.bookkeeper.token, [shared, first]),
      pay(company.administrator.token, [second, shared]),
    ]);
    const wins = done.map(({ status }) => status === 'fulfilled');
    expect(wins.filter(Boolean)).toHaveLength(1);
    const left = wins[0] === true ? second : first;
    const open = await Promise.all(
      bills.map(async ({ id }) => {
        const bill = await t.call(calls.getExpense, { token: company.bookkeeper.token, params: { id } });
        return formatAmount(bill.openAmount);
      }),
    );
    expect(open).toEqual(bills.map((_, at) => (at === left ? '100.00' : '0.00')));
  }
  expect((await t.inCompany(company.companyId, verifyWithin)).faults).toEqual([]);
}

const paymentOf = ({ id, vendorId }: { id: number; vendorId: number }) => ({
  vendorId,
  paymentDate: '2026-03-21',
  paymentAmount: 100,
  paymentAccountId: 104,
  paymentApplications: [{ invoiceId: id, amount: 100 }],
});
