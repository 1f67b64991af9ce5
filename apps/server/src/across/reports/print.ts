import type { reportCalls } from '@evenkeel/contract/reports';
import type { ReportRequest } from '@evenkeel/contract/figures';
import type { BodyOf, QueryOf } from '@evenkeel/contract/endpoint';
import { type IsoDate, startOfMonth } from '@evenkeel/core/dates';
import { sum, ZERO } from '@evenkeel/core/money';
import { reportKinds, type ReportName } from '@evenkeel/core/reports/kinds';
import { daysOf, type Report } from '@evenkeel/core/reports/report';
import { customers, getEntity } from '../../features/entities/entities.ts';
import { letterhead, type Parties, readParties } from '../../features/entities/parties.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Drawing } from '../../platform/http/route.ts';
import { printer } from '../../platform/pdf/printer.ts';
import type { StatementPaper } from '../../platform/pdf/statement.ts';
import { getCompany } from '../../features/settings/company.ts';
import { logoOf, logoPicture } from '../../features/settings/logo.ts';
import { companyParty, customerParty } from '../../books/parties.ts';
import { runReport, startReport } from './reports.ts';
import { type CustomerAccount, readCustomerAccount } from './statement-of-account.ts';

/**
 * Returns a report as a PDF or workbook, which is drawn in a worker thread after the transaction ends. Throws the same
 * errors as runReport.
 */
export async function printReport(ctx: Ctx, wanted: PrintedReport): Promise<Drawing> {
  const { report, draw } = await readPrintedReport(ctx, wanted);
  return async () => ({ name: report.title, drawn: await draw() });
}

interface PrintedReport {
  reportId: number;
  request: ReportRequest;
  as: 'report' | 'workbook';
}

/** Returns a report and the function that draws it after the transaction. Throws the same errors as runReport. */
export async function readPrintedReport(ctx: Ctx, { reportId, request, as }: PrintedReport) {
  const report = await runReport(ctx, reportId, request);
  // Only the statement of account is sent to customers.
  const isSent = as === 'report' && reportId === reportKinds.customerStatement.id;
  const logo = isSent ? await logoPicture(ctx, await logoOf(ctx)) : undefined;
  return { report, draw: () => printer[as](report, logo) };
}

/** The reports in a month's report package, in order. */
const PACKAGE = ['balanceSheet', 'cashFlow', 'trialBalance', 'customerAging', 'vendorAging'] as const;

/** Returns the reports for a month through a date as a single PDF. All reports come from the same database snapshot. */
export async function printMonthEndPackage(ctx: Ctx, date: IsoDate): Promise<Drawing> {
  const reportParams = [
    { paramType: 1, paramName: 'startdate', paramvalue: startOfMonth(date) },
    { paramType: 1, paramName: 'reportdate', paramvalue: date },
  ];
  const run = (name: ReportName) => runReport(ctx, reportKinds[name].id, { reportParams });
  const first = await run('profitAndLoss');
  const more: Report[] = [];
  for (const name of PACKAGE) more.push(await run(name));
  return async () => ({ name: 'Month End Package', drawn: await printer.reports(first, ...more) });
}

/** Returns a customer's statement of account as a letter, which is drawn after the transaction ends. */
export async function printCustomerStatement(
  ctx: Ctx,
  customerId: number,
  dates: StatementDates,
): Promise<() => Promise<Uint8Array>> {
  const { parties } = await readParties(ctx, customerId);
  const { paper } = await customerStatement(ctx, { customerId, dates, parties });
  return () => printer.statement(paper);
}

/**
 * Creates one file with several customers' statements, from one database snapshot. The company's letterhead is read
 * once.
 */
export async function printCustomerStatements(
  ctx: Ctx,
  { customerIds, ...dates }: BodyOf<typeof reportCalls.customerStatements>,
): Promise<() => Promise<Uint8Array>> {
  const company = await letterheadOf(ctx);
  const papers: StatementPaper[] = [];
  for (const customerId of customerIds) {
    const customer = customerParty(await getEntity(ctx, customers, customerId));
    papers.push((await customerStatement(ctx, { customerId, dates, parties: { company, customer } })).paper);
  }
  return () => printer.statement(...papers);
}

export type StatementDates = QueryOf<typeof reportCalls.customerStatement>;

async function letterheadOf(ctx: Ctx) {
  const company = await getCompany(ctx);
  return letterhead(companyParty(company), await logoPicture(ctx, company.logo));
}

interface StatementAsk {
  customerId: number;
  dates: { [K in keyof StatementDates]?: IsoDate | null | undefined };
  parties: Parties;
}

/**
 * Returns a customer's statement as printed, with the names and addresses of both parties. Throws 404 for another
 * company's customer.
 */
export async function customerStatement(ctx: Ctx, { customerId, dates, parties: { company, customer } }: StatementAsk) {
  const given = Object.entries(dates).filter(([, value]) => value !== undefined && value !== null);
  const dated = given.map(([paramName, paramvalue]) => ({ paramType: 1, paramName, paramvalue }));
  const reportParams = [...dated, { paramType: 0, paramName: 'customerid', paramvalue: customerId }];
  const account = await readCustomerAccount(await startReport(ctx, reportKinds.customerStatement, { reportParams }));
  const paper: StatementPaper = {
    company,
    to: [customer.name, ...customer.lines],
    facts: [{ label: 'Period', value: daysOf(account.context) }],
    ...figuresOf(account),
  };
  return { paper, account };
}

/** Returns the amounts on a statement: its lines, balance, aging columns, and total. */
function figuresOf({ lines, balance, aged, ageColumns }: CustomerAccount) {
  const ages = ageColumns.map(({ title, amount }) => ({ title, amount: aged === undefined ? ZERO : amount(aged) }));
  return {
    lines: lines.map(({ words, amount = null, balance: after }) => ({ words, amount, balance: after })),
    balance,
    ages: [...ages, { title: 'Total', amount: sum(ages.map(({ amount }) => amount)) }],
  };
}
