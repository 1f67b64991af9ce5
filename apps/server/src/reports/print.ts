import type { reportCalls } from '@evenkeel/contract/reports';
import type { ReportRequest } from '@evenkeel/contract/figures';
import type { QueryOf } from '@evenkeel/contract/endpoint';
import { type Cents, fromPlain, ZERO } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import type { Report } from '@evenkeel/core/reports/report';
import { customers, getEntity } from '../entities/entities.ts';
import { billingAddress, companyLines } from '../entities/letterhead.ts';
import type { Ctx } from '../http/context.ts';
import { longJson } from '../http/long-json.ts';
import type { Drawing } from '../http/route.ts';
import { printer } from '../pdf/printer.ts';
import type { StatementPaper } from '../pdf/statement.ts';
import { getCompany } from '../settings/company.ts';
import { logoOf, logoPicture } from '../settings/logo.ts';
import { makeReport } from './reports.ts';

/** A report as a PDF or a workbook, to be drawn after the transaction in a thread of its own; refusals as runReport. */
export async function printReport(
  ctx: Ctx,
  { reportId, request, as }: { reportId: number; request: ReportRequest; as: 'report' | 'workbook' },
): Promise<Drawing> {
  const report = await makeReport(ctx, reportId, request);
  // The statement is the only report that is sent to customers.
  const isSent = as === 'report' && reportId === reportKinds.customerStatement.id;
  const logo = isSent ? await logoPicture(ctx, await logoOf(ctx)) : undefined;
  // As text, which is written in turns: ten thousand lines as they are would be copied to the thread in one step.
  return async () => ({ name: report.title, drawn: await printer[as]((await longJson(report)).join(''), logo) });
}

/** A customer's statement of account as a letter, to be drawn after the transaction. */
export async function printCustomerStatement(
  ctx: Ctx,
  customerId: number,
  dates: QueryOf<typeof reportCalls.customerStatement>,
): Promise<() => Promise<Uint8Array>> {
  const dated = Object.entries(dates).map(([paramName, paramvalue]) => ({ paramType: 1, paramName, paramvalue }));
  const reportParams = [...dated, { paramType: 0, paramName: 'customerid', paramvalue: customerId }];
  const [report, company, customer] = [
    await makeReport(ctx, reportKinds.customerStatement.id, { reportParams }),
    await getCompany(ctx),
    await getEntity(ctx, customers, customerId),
  ];
  const logo = await logoPicture(ctx, company.logo);
  const paper = letterOf(report, {
    company: {
      name: company.displayname,
      lines: companyLines(company),
      ...(logo === undefined ? {} : { logo }),
    },
    to: [customer.displayname, ...billingAddress(customer)],
  });
  return () => printer.statement(paper);
}

/** The statement's lines and ages in a letter: the report's head says its dates third. */
function letterOf(report: Report, who: Pick<StatementPaper, 'company' | 'to'>): StatementPaper {
  const [account, ages] = report.reportSections;
  const linesOf = (section: typeof account) => section?.reportBlocks.flatMap((block) => block.reportLines) ?? [];
  const amountOf = (text: string | undefined): Cents | null =>
    text === undefined || text === '' ? null : fromPlain(text);
  const [open] = linesOf(ages);
  return {
    ...who,
    facts: [{ label: 'Period', value: report.reportHeaderItems[2]?.headerText ?? '' }],
    lines: linesOf(account).map(({ lineItems }) => {
      const [amount, balance] = lineItems.slice(-2).map(({ itemText }) => amountOf(itemText));
      return {
        words: lineItems.slice(0, -2).map(({ itemText }) => itemText),
        amount: amount ?? null,
        balance: balance ?? ZERO,
      };
    }),
    balance: report.reportSummaries[0]?.amount ?? ZERO,
    ages: (ages?.columnHeaders ?? []).slice(1).map(({ headerText }, at) => {
      return { title: headerText, amount: amountOf(open?.lineItems[at + 1]?.itemText) ?? ZERO };
    }),
  };
}
