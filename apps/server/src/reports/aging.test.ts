import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { factoryFor } from '../testing/factories.ts';
import type { WorldCompany } from '../testing/world.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

function aging({ administrator }: WorldCompany, reportdate: string): Promise<ReportData> {
  const body = { reportParams: [{ paramType: 1, paramName: 'reportdate', paramvalue: reportdate }] };
  return t.call(reportCalls.runReport, { token: administrator.token, params: { reportId: '7' }, body });
}

/** "name: Current 30 60 90+ Total" of every row, then the totals. */
function rows({ reportSections: [table] }: ReportData): string[] {
  const lines = table?.reportBlocks.flatMap((block) => block.reportLines) ?? [];
  const totals = table?.columnSummaryLines[0]?.columnSummaryItems.map((item) => item.headerText) ?? [];
  return [...lines.map(({ lineItems }) => lineItems.map((cell) => cell.itemText).join(' ')), totals.join(' ')];
}

function owe({ administrator }: WorldCompany, postingDate: string, amount: number): Promise<unknown> {
  const line = { description: 'Opening', postingDate, amount: Math.abs(amount) };
  const generalLedgerEntries = [
    { ...line, accountID: 138, debit: amount > 0 },
    { ...line, accountID: 140, debit: amount < 0 },
  ];
  return t.call(ledgerCalls.postTransaction, { token: administrator.token, body: { generalLedgerEntries } });
}

describe('the customer aging report (7)', () => {
  it('by due date: due today is current, 1 to 30, 31 to 60, 61 and over; as it stood on the day', async () => {
    const company = await t.createCompany();
    const factory = factoryFor(t, company);
    const [north, south] = [await factory.customer('North'), await factory.customer('south')];
    const due = (customerId: number, dueDate: string, amount: number) =>
      factory.invoice({ customerId, amount, invoiceDate: '2026-03-01', dueDate });
    const paid = await due(north, '2026-06-30', 10);
    await due(north, '2026-06-29', 20);
    await due(north, '2026-05-31', 40);
    await due(north, '2026-05-30', 80);
    await due(south, '2026-05-01', 160);
    await due(south, '2026-04-30', 320);
    await due(south, '2026-04-29', 640);
    expect(rows(await aging(company, '2026-06-30'))).toEqual([
      'North 10.00 60.00 80.00 0.00 150.00',
      'south 0.00 0.00 160.00 960.00 1120.00',
      'Total 10.00 60.00 240.00 960.00 1270.00',
    ]);
    const paymentApplications = [{ invoiceId: paid.id, amount: 10 }];
    await factory.payment({ customerId: north, paymentAmount: 15, paymentDate: '2026-07-01', paymentApplications });
    expect(rows(await aging(company, '2026-06-30'))[0]).toBe('North 10.00 60.00 80.00 0.00 150.00');
    expect(rows(await aging(company, '2026-07-01'))[0]).toBe('North -5.00 20.00 120.00 0.00 135.00');
    expect(rows(await aging(company, '2026-02-28'))).toEqual(['Total 0.00 0.00 0.00 0.00 0.00']);
  });

  it('has a head, names what is behind a row, and shows journal entries on receivables as a row', async () => {
    const company = await t.createCompany('Aged Harbor');
    const customerId = await factoryFor(t, company).customer('North');
    await factoryFor(t, company).invoice({ customerId, amount: 10, invoiceDate: '2026-03-01', dueDate: '2026-03-02' });
    await owe(company, '2026-03-01', 7);
    const report = await aging(company, '2026-03-31');
    expect(report.reportHeaderItems.map((item) => item.headerText)).toEqual([
      'Aged Harbor',
      'Customer Aging Report',
      'As of March 31, 2026',
      'Accrual basis',
    ]);
    expect(rows(report)).toEqual([
      'North 0.00 10.00 0.00 0.00 10.00',
      'Journal entries 7.00 0.00 0.00 0.00 7.00',
      'Total 7.00 10.00 0.00 0.00 17.00',
    ]);
    const [line] = report.reportSections[0]?.reportBlocks[0]?.reportLines ?? [];
    const accountIds = expect.arrayContaining([138]);
    expect(line?.source).toMatchObject({ accountIds, from: null, to: '2026-03-31', basis: 0, entityId: customerId });
    const behind = await t.call(ledgerCalls.accountEntries, {
      token: company.administrator.token,
      params: { customerAccountId: '138' },
      query: { entityid: String(customerId), to: '2026-03-31', limit: '5' },
    });
    expect(behind).toMatchObject({ total: 1, period: { broughtForward: 0, debits: 1000, credits: 0, closing: 1000 } });
  });

  const day = fc.integer({ min: 0, max: 150 }).map((days) => addDays(isoDate('2026-01-01'), days));
  const event = fc.record({
    kind: fc.constantFrom('invoice', 'invoice', 'payment', 'payment', 'journal'),
    date: day,
    customer: fc.integer({ min: 0, max: 1 }),
    dollars: fc.integer({ min: 1, max: 500 }),
  });

  it('comes to the receivables of the journal on every day, for random invoices, payments and journals', async () => {
    const property = fc.asyncProperty(fc.array(event, { minLength: 6, maxLength: 14 }), async (events) => {
      const company = await t.createCompany();
      const factory = factoryFor(t, company);
      const customers = [await factory.customer('North'), await factory.customer('South')];
      for (const { kind, date, customer, dollars } of events) {
        const customerId = customers[customer] ?? 0;
        const dueDate = addDays(date, dollars % 40);
        if (kind === 'invoice') await factory.invoice({ customerId, amount: dollars, invoiceDate: date, dueDate });
        if (kind === 'payment') await factory.payment({ customerId, paymentAmount: dollars, paymentDate: date });
        if (kind === 'journal') await owe(company, date, dollars - 250 || 1);
      }
      for (const asOf of ['2026-01-20', '2026-03-15', '2026-04-30', '2026-12-31']) {
        const ledger = await t.inCompany(company.companyId, (tx) =>
          tx.row(sql<{ amount: number }>`
            select coalesce(sum(amount_cents), 0)::bigint as amount from journal_line
            where company_id = ${company.companyId} and account_id = 138 and posting_date <= ${asOf} and basis <> 'C'`),
        );
        const report = await aging(company, asOf);
        expect([asOf, report.reportSections[0]?.total]).toEqual([asOf, ledger?.amount]);
      }
    });
    await fc.assert(property, { numRuns: Number(process.env['TORTURE_RUNS'] ?? 4), endOnFailure: true });
  });
});
