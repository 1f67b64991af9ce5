import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { addDays, type IsoDate, isoDate, LAST_DAY } from '@evenkeel/core/dates';
import { type Cents, fromPlain, negate, sum, toPlain, ZERO } from '@evenkeel/core/money';
import { sides } from '@evenkeel/core/documents/side';
import { verifyCompany } from '../health/books-verify.ts';
import { openClient } from '../../platform/db/connect.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { onCitus } from '../../testing/databases.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

function aging(
  { administrator }: WorldCompany,
  reportdate: string,
  reportId = '7',
  more: Record<string, string> = {},
): Promise<ReportData> {
  const reportParams = Object.entries({ reportdate, ...more }).map(([paramName, paramvalue]) => {
    return { paramType: 3, paramName, paramvalue };
  });
  const body = { reportParams };
  return t.call(reportCalls.runReport, { token: administrator.token, params: { reportId }, body });
}

/** Returns "name: Current 30 60 90+ Total" for every row, then the totals. */
function rows({ reportSections: [table] }: ReportData): string[] {
  const lines = table?.reportBlocks.flatMap((block) => block.reportLines) ?? [];
  const totals = table?.columnSummaryLines[0]?.columnSummaryItems.map((item) => item.headerText) ?? [];
  return [...lines.map(({ lineItems }) => lineItems.map((cell) => cell.itemText).join(' ')), totals.join(' ')];
}

/** Returns a list's blocks with their titles, their cells separated by spaces, and the grand total. */
function blocks({ reportSections: [table] }: ReportData): string[] {
  const shown = table?.reportBlocks.flatMap(({ blockTitle, reportLines }) => [
    blockTitle,
    ...reportLines.map(({ lineItems }) => lineItems.map((cell) => cell.itemText || '-').join(' ')),
  ]);
  return [...(shown ?? []), `Total ${toPlain(table?.total ?? ZERO)}`];
}

interface Owed {
  account?: number;
  /** The customer or vendor on the entry. */
  entityId?: number | undefined;
}

function owe(
  { administrator }: WorldCompany,
  postingDate: string,
  amount: number,
  { account = 138, entityId }: Owed = {},
): Promise<unknown> {
  const line = { description: 'Opening', postingDate, amount: Math.abs(amount), entityId };
  const generalLedgerEntries = [
    { ...line, accountID: account, debit: amount > 0 },
    { ...line, accountID: 140, debit: amount < 0 },
  ];
  return t.call(ledgerCalls.postTransaction, { token: administrator.token, body: { generalLedgerEntries } });
}

/** Returns the rows of an aging report, each with the sum of its entries in the account register. */
async function rowsAndEntries({ administrator: { token } }: WorldCompany, report: ReportData) {
  const lines = report.reportSections[0]?.reportBlocks.flatMap(({ reportLines }) => reportLines) ?? [];
  return Promise.all(
    lines.map(async ({ lineItems, source: ofRow }) => {
      const source = lineItems.at(-1)?.source ?? ofRow;
      const asked = {
        to: source?.to ?? undefined,
        limit: '1',
        ...(source?.entityId !== undefined && { entityid: String(source.entityId) }),
        ...(source?.journals !== undefined && { journals: source.journals }),
      };
      const behind = (source?.accountIds ?? []).map(async (id) => {
        const params = { customerAccountId: String(id) };
        const page = await t.call(ledgerCalls.accountEntries, { token, params, query: asked });
        return Array.isArray(page) ? ZERO : (page.period?.closing ?? ZERO);
      });
      const shown = fromPlain(lineItems.at(-1)?.itemText ?? '');
      return { name: lineItems[0]?.itemText ?? '', shown, entries: sum(await Promise.all(behind)) };
    }),
  );
}

/** Returns a list's totals for all rows, which every page contains. */
function sumsOf(list: { sums?: Record<string, Cents> | undefined } | readonly unknown[]) {
  const known = 'sums' in list ? list.sums : undefined;
  const [owedAmount = ZERO, openAmount = ZERO, unappliedAmount = ZERO, journalAmount = ZERO, laterAmount = ZERO] = [
    'owedAmount',
    'openAmount',
    'unappliedAmount',
    'journalAmount',
    'laterAmount',
  ].map((name) => known?.[name]);
  return { owedAmount, openAmount, unappliedAmount, journalAmount, laterAmount };
}

describe('the customer aging report (7)', () => {
  it('aging by due date shows current, 1 to 30, 31 to 60, and over 60 days as of a date', async () => {
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

  it('aging by invoice date counts from the invoice date in both reports and has the same total', async () => {
    const company = await t.createCompany();
    const factory = factoryFor(t, company);
    const customerId = await factory.customer('North');
    const vendorId = await factory.vendor('Quarry');
    for (const [invoiceDate, dueDate, amount] of [
      ['2026-06-30', '2026-06-30', 10],
      ['2026-06-29', '2026-07-29', 20],
      ['2026-05-30', '2026-06-29', 40],
      ['2026-03-01', '2026-08-01', 80],
    ] as const) {
      await factory.invoice({ customerId, amount, invoiceDate, dueDate });
      await factory.bill({ vendorId, amount, invoiceDate, dueDate });
    }
    await factory.payment({ customerId, paymentAmount: 5, paymentDate: '2026-04-01', paymentApplications: [] });
    const byInvoice = { ageby: 'invoicedate' };
    const report = await aging(company, '2026-06-30', '7', byInvoice);
    expect(rows(report)[0]).toBe('North 5.00 20.00 40.00 80.00 145.00');
    expect(rows(await aging(company, '2026-06-30', '7', { ageby: 'duedate' }))[0]).toBe(
      'North 105.00 40.00 0.00 0.00 145.00',
    );
    expect(rows(await aging(company, '2026-06-30', '108', byInvoice))[0]).toBe('Quarry 10.00 20.00 40.00 80.00 150.00');
    expect(report.reportHeaderItems.at(-1)?.headerText).toBe('Aged by invoice date');
    const late = report.reportSections[0]?.reportBlocks[0]?.reportLines[0]?.lineItems[4]?.source?.detail;
    expect(late).toMatchObject({ columns: ['61–90', 'Over 90'], ageBy: 'invoicedate' });
    const only = `${late?.only.by} ${late?.only.id}`;
    const detail = await aging(company, '2026-06-30', String(late?.reportId), { ...byInvoice, only });
    expect(rows(detail).at(-1)).toMatch(/ 5.00 20.00 40.00 0.00 80.00 145.00$/);
  });

  it('the aging report has a heading, source links in its rows, and a row for journal entries', async () => {
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

  // Some documents have a future date.
  const day = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 150 }).map((days) => addDays(isoDate('2026-01-01'), days)) },
    { weight: 1, arbitrary: fc.constant(isoDate('2190-03-01')) },
  );
  const event = fc.record({
    kind: fc.constantFrom('invoice', 'invoice', 'payment', 'payment', 'journal'),
    date: day,
    customer: fc.integer({ min: 0, max: 1 }),
    dollars: fc.integer({ min: 1, max: 500 }),
  });

  interface Asked {
    entityId: number;
    dollars: number;
    date: IsoDate;
  }

  /**
   * For each side: the calls that create documents and payments, the reports that equal the control account, and that
   * account.
   */
  const books = {
    receivable: {
      reports: ['7', '103', '104'],
      account: 138,
      entity: (make: Factory, name: string) => make.customer(name),
      document: (make: Factory, { entityId: customerId, dollars: amount, date: invoiceDate }: Asked) =>
        make.invoice({ customerId, amount, invoiceDate, dueDate: addDays(invoiceDate, amount % 40) }),
      payment: (make: Factory, { entityId: customerId, dollars: paymentAmount, date: paymentDate }: Asked) =>
        make.payment({ customerId, paymentAmount, paymentDate }),
      sums: async (token: string) => sumsOf(await t.call(billingCalls.listInvoices, { token, query: { limit: '1' } })),
    },
    payable: {
      reports: ['108', '17', '109', '110'],
      account: 139,
      entity: (make: Factory, name: string) => make.vendor(name),
      // Every third bill is a credit, and every fourth has a posting date that differs from its invoice date.
      document: (make: Factory, { entityId: vendorId, dollars, date: invoiceDate }: Asked) =>
        make.bill({
          vendorId,
          amount: dollars % 3 === 0 ? -dollars : dollars,
          invoiceDate,
          postingDate: addDays(invoiceDate, dollars % 4 === 0 ? 12 : 0),
        }),
      payment: async (make: Factory, { entityId: vendorId, dollars: paymentAmount, date: paymentDate }: Asked) => {
        const open = await t.call(expenseCalls.vendorOpenInvoices, { token: make.token, params: { vendorId } });
        const credit = open.find(({ openAmount }) => openAmount < 0);
        const bill = open.find(({ openAmount }) => openAmount > 0);
        if (credit === undefined || bill === undefined || paymentAmount % 2 === 0) {
          return make.billPayment({ vendorId, paymentAmount, paymentDate });
        }
        const amount = Math.min(-credit.openAmount, bill.openAmount) / 100;
        const paymentApplications = [
          { invoiceId: bill.invoiceId, amount },
          { invoiceId: credit.invoiceId, amount: -amount },
        ];
        return make.billPayment({ vendorId, paymentAmount: 0, paymentDate, paymentApplications });
      },
      sums: async (token: string) => sumsOf(await t.call(expenseCalls.listExpenses, { token, query: { limit: '1' } })),
    },
  };

  // Promise (books): Aging reports, balances, and unpaid bills equal the control account on every date, and list totals
  // equal them. [3 sets of random books per side]
  it.each(sides)('$name: with random data, the reports equal the control account on every date', async ({ name }) => {
    const side = books[name];
    const property = fc.asyncProperty(fc.array(event, { minLength: 6, maxLength: 14 }), async (events) => {
      const company = await t.createCompany();
      const make = factoryFor(t, company);
      const entities = [await side.entity(make, 'North'), await side.entity(make, 'South')];
      for (const { kind, date, customer, dollars } of events) {
        const asked = { entityId: entities[customer] ?? 0, dollars, date };
        if (kind === 'invoice') await side.document(make, asked);
        if (kind === 'payment') await side.payment(make, asked);
        if (kind === 'journal') {
          const entityId = dollars % 2 === 0 ? entities[customer] : undefined;
          await owe(company, date, dollars - 250 || 1, { account: side.account, entityId });
        }
      }
      for (const asOf of ['2026-01-20', '2026-03-15', '2026-04-30', '2026-12-31']) {
        const ledger = await t.inCompany(company.companyId, (tx) =>
          tx.row(sql<{ accrual: number; cash: number }>`
            select coalesce(sum(amount_cents) filter (where basis <> 'C'), 0)::bigint as accrual,
              coalesce(sum(amount_cents) filter (where basis <> 'A'), 0)::bigint as cash
            from journal_line
            where company_id = ${company.companyId} and account_id = ${side.account} and posting_date <= ${asOf}`),
        );
        const accrual = ledger?.accrual ?? 0;
        const owed = name === 'payable' ? 0 - accrual : accrual;
        const totals = [];
        for (const reportId of side.reports) {
          totals.push((await aging(company, asOf, reportId)).reportSections[0]?.total);
        }
        expect([asOf, ...totals, ledger?.cash]).toEqual([asOf, ...side.reports.map(() => owed), 0]);
        const behind = await rowsAndEntries(company, await aging(company, asOf, side.reports[0]));
        expect(behind.map(({ name: row, entries }) => [row, entries])).toEqual(
          behind.map(({ name: row, shown }) => [row, shown]),
        );
      }
      const { owedAmount, openAmount, unappliedAmount, journalAmount, laterAmount } = await side.sums(make.token);
      const [report] = side.reports;
      const [now, ever] = [await aging(company, '', report), await aging(company, LAST_DAY, report)];
      expect([owedAmount, sum([openAmount, unappliedAmount, journalAmount])]).toEqual(
        [now, ever].map(({ reportSections: [table] }) => table?.total),
      );
      expect(sum([owedAmount, negate(laterAmount)])).toBe(ever.reportSections[0]?.total);
      expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
    });
    await fc.assert(property, { numRuns: Number(process.env['TORTURE_RUNS'] ?? 3), endOnFailure: true });
  });
});

it('17 unpaid bills are listed by vendor with days past due, and credits and payments are negative', async () => {
  const company = await t.createCompany();
  const make = factoryFor(t, company);
  const [north, south] = [await make.vendor('North'), await make.vendor('south')];
  const bill = (vendorId: number, invoiceNumber: string, amount: number, dueDate: string) =>
    make.bill({ vendorId, invoiceNumber, amount, invoiceDate: '2026-03-01', dueDate });
  await bill(south, 'S-1', 70, '2026-03-31');
  await bill(north, 'N-1', 100, '2026-03-11');
  await bill(north, 'N-2', -30, '2026-03-31');
  await make.billPayment({ vendorId: north, paymentAmount: 40, paymentDate: '2026-03-15' });
  await make.billPayment({ vendorId: south, paymentAmount: 75, paymentDate: '2026-04-15' });
  const text = (asOf: string) => aging(company, asOf, '17').then(blocks);
  expect(await text('2026-03-31')).toEqual([
    'North',
    'N-1 3/1/2026 3/11/2026 20 100.00 60.00',
    'N-2 3/1/2026 3/31/2026 - -30.00 -30.00',
    'south',
    'S-1 3/1/2026 3/31/2026 - 70.00 70.00',
    'Total 100.00',
  ]);
  expect((await text('2026-04-30')).slice(-3)).toEqual([
    'south',
    'Bill payment 2 4/15/2026 - - -75.00 -5.00',
    'Total 25.00',
  ]);
});

// Thousands of bills are inserted without triggers, which Citus does not allow.
it.skipIf(onCitus)(
  "if a list has too many open items, totals are shown, and one customer's items are shown in full",
  async () => {
    const company = await t.createCompany('Long Lists');
    const make = factoryFor(t, company);
    const vendorId = await make.vendor('Many');
    await make.bill({ vendorId, amount: 1, invoiceDate: '2026-03-01' });
    const other = await make.vendor('Other');
    await make.bill({ vendorId: other, amount: 2, invoiceDate: '2026-03-01' });
    const owner = await openClient({ connectionString: t.databaseUrl });
    await owner.query(`begin; set local session_replication_role = replica;
    set local app.company_id = '${company.companyId}';
    insert into document (company_id, id, kind, side, document_number, document_date, invoice_date, due_date, entity_id,
      status, control_account_id, sales_tax_cents, total_cents, open_cents, entry_date)
    select company_id, 1000 + n, kind, side, n, document_date, invoice_date, due_date, entity_id,
      status, control_account_id, sales_tax_cents, total_cents, open_cents, entry_date
    from document d, generate_series(1, 10000) n where d.entity_id = ${vendorId}; commit; analyze document`);
    await owner.end();
    const { token } = company.administrator;
    const asked = (reportId: string, only?: string) => ({
      token,
      params: { reportId },
      body: {
        reportParams: [
          { paramType: 1, paramName: 'reportdate', paramvalue: '2026-03-31' },
          ...(only === undefined ? [] : [{ paramType: 3, paramName: 'only', paramvalue: only }]),
        ],
      },
    });
    for (const reportId of ['17', '109']) {
      const { status, message } = await t.refused(reportCalls.runReport, asked(reportId));
      expect([status, message]).toEqual([
        422,
        'The report has more than 10,000 lines. Open one customer or vendor at a time ' + 'from the aging report.',
      ]);
      const { reportSections } = await t.call(reportCalls.runReport, asked(reportId, `vendor ${other}`));
      expect(reportSections[0]?.total).toBe(200);
    }
    expect((await aging(company, '2026-03-31', '108')).reportSections[0]?.total).toBe(1_000_300);
  },
);
