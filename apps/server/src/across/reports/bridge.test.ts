import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { isoDate } from '@evenkeel/core/dates';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('the bridge lists open invoices, unpaid bills, unapplied payments, and one-basis entries by account', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const make = factoryFor(t, company);
  const [customerId, vendorId] = [await make.customer(), await make.vendor()];
  const invoice = await make.invoice({ customerId, invoiceDate: '2026-03-02', amount: 100 });
  const applied = [{ invoiceId: invoice.id, amount: 40 }];
  await make.payment({ customerId, paymentDate: '2026-03-05', paymentAmount: 55, paymentApplications: applied });
  await make.bill({ vendorId, invoiceDate: '2026-03-03', amount: 30 });
  const line = { postingDate: '2026-03-31', amount: 7, description: 'Depreciation' };
  const generalLedgerEntries = [
    { ...line, accountID: 160, debit: true },
    { ...line, accountID: 113, debit: false },
  ];
  const body = { transactionID: 0, generalLedgerEntries, basis: 1 };
  await t.call(ledgerCalls.postTransaction, { token, body });
  const run = (from: string, to: string) =>
    t.call(reportCalls.runReport, {
      token,
      params: { reportId: String(reportKinds.cashToAccrual.id) },
      body: {
        reportParams: [
          { paramType: 1, paramName: 'startdate', paramvalue: isoDate(from) },
          { paramType: 1, paramName: 'reportdate', paramvalue: isoDate(to) },
        ],
      },
    });
  const report = await run('2026-03-01', '2026-03-31');
  expect(report.reportSections[0]?.columnHeaders.map(({ headerText }) => headerText)).toEqual([
    'Account',
    'Cash Basis',
    'Change in Receivables',
    'Change in Payables',
    'Unapplied Payments',
    'Other Entries',
    'Accrual Basis',
  ]);
  const [summary] = report.reportSummaries;
  const net = summary?.columnTotals?.map(({ headerText }) => headerText);
  expect(net).toEqual(['Net Income', '55.00', '60.00', '-30.00', '-15.00', '-7.00', '63.00']);
  // If nothing differs, only the two bases have columns.
  const empty = await run('2026-05-01', '2026-05-31');
  expect(empty.reportSections[0]?.columnHeaders).toHaveLength(3);
});
