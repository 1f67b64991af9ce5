import { reportKinds } from '@evenkeel/core/reports/kinds';
import type { Report } from '@evenkeel/core/reports/report';
import * as z from 'zod';
import { endpoint, EXCEL } from './endpoint.ts';
import { ReportRequest, Source } from './figures.ts';
import { DateField, Id, IdText, maybe, Usd } from './fields.ts';

/** Reports. */

/** The total of a report with several columns: a word, then a figure for each. */
const SummaryItem = z.object({
  headerText: z.string(),
  isCurrency: z.boolean(),
  rightAlign: z.boolean(),
  source: Source.optional(),
});

const Cell = z.object({
  itemText: z.string(),
  isCurrency: z.boolean(),
  /** Words that stand among figures, such as a percentage. */
  rightAlign: z.boolean().optional(),
  source: Source.optional(),
});
const Line = z.object({ lineItems: z.array(Cell), source: Source.optional() });
const Block = z.object({
  blockTitle: z.string(),
  displayHeader: z.boolean(),
  displayFooter: z.boolean(),
  total: Usd,
  columnTotals: z.array(SummaryItem).optional(),
  reportLines: z.array(Line),
  source: Source.optional(),
});
/** The way a column's figures are made from other columns, counted from the words, which are 0. */
const MadeOf = z.object({
  /** One column less another; one in percent of another; one in percent of a single amount. */
  as: z.enum(['difference', 'percent', 'share']),
  of: z.number().int(),
  /** The other column. */
  by: z.number().int().optional(),
  /** The amount that a share is taken of. */
  whole: Usd.optional(),
});
const Section = z.object({
  title: z.string(),
  totalTitle: z.string(),
  total: Usd,
  hasColumnHeaders: z.boolean(),
  columnHeaders: z.array(z.object({ headerText: z.string(), isCurrency: z.boolean(), made: MadeOf.optional() })),
  displayHeader: z.boolean(),
  displayFooter: z.boolean(),
  hasColumnSummary: z.boolean(),
  columnSummaryLines: z.array(z.object({ columnSummaryItems: z.array(SummaryItem) })),
  reportBlocks: z.array(Block),
  /** Behind the section's total. */
  source: Source.optional(),
});

/** A report as core makes it (core/reports/report.ts); the encoder drops what workbooks alone know. */
export const ReportData: z.ZodType<Report> = z.object({
  title: z.string(),
  reportHeaderItems: z.array(z.object({ headerText: z.string() })),
  reportSections: z.array(Section),
  reportSummaries: z.array(
    z.object({
      description: z.string(),
      amount: Usd,
      columnTotals: z.array(SummaryItem).optional(),
      source: Source.optional(),
    }),
  ),
});
export type ReportData = Report;

/** One report of the board, as one person has it in one company. */
const ReportStar = z.object({ reportId: z.number().int(), starred: z.boolean() });
export type ReportStar = z.output<typeof ReportStar>;

const REPORTS = Object.values(reportKinds)
  .map(({ id, title }) => `${id} ${title}`)
  .join(', ');

/** Statements of one file at most. */
export const MOST_STATEMENTS = 500;

export const reportCalls = {
  /** Runs a report; its figures are cents, cells plain decimal texts. 404 unknown, 400 and 422 for parameters. */
  runReport: endpoint({
    method: 'POST',
    path: '/reports/{reportId}',
    needs: 'View Reports',
    summary: `Runs a report: ${REPORTS}`,
    params: z.object({ reportId: IdText }),
    body: ReportRequest,
    reply: ReportData,
    reads: true,
  }),
  /** A report as a PDF (landscape letter, pages n/total). 503 with Retry-After while too much is printed. */
  reportPdf: endpoint({
    method: 'POST',
    path: '/reports/{reportId}/pdf',
    needs: 'View Reports',
    summary: 'Returns the same report as a PDF (landscape letter).',
    params: z.object({ reportId: IdText }),
    body: ReportRequest,
    reply: 'application/pdf',
    reads: true,
  }),
  /** A report as a workbook; texts stay texts, amounts are numbers in dollars. */
  reportExcel: endpoint({
    method: 'POST',
    path: '/reports/{reportId}/excel',
    needs: 'View Reports',
    summary: 'Returns the same report as an Excel workbook named after the report.',
    params: z.object({ reportId: IdText }),
    body: ReportRequest,
    reply: EXCEL,
    reads: true,
  }),
  listReportStars: endpoint({
    method: 'GET',
    path: '/reportstars',
    needs: 'View Reports',
    summary: "Lists the user's favorite reports in this company.",
    reply: z.array(ReportStar),
  }),
  /** One star is one call, so that two tabs never take back each other's. 404 for an unknown report. */
  starReport: endpoint({
    method: 'PUT',
    path: '/reportstars/{reportId}',
    needs: 'View Reports',
    summary: "Adds a report to the user's favorites, or removes it.",
    params: z.object({ reportId: IdText }),
    body: ReportStar.pick({ starred: true }),
    reply: ReportStar,
  }),
  /** A customer's statement of account as a PDF; from the fiscal year's start to today unless told otherwise. */
  customerStatement: endpoint({
    method: 'GET',
    path: '/customerstatement/{customerId}',
    needs: ['View Billing', 'View Reports'],
    summary:
      "Returns a customer's statement of account as a PDF: opening balance, invoices, payments, " +
      'and closing balance.',
    params: z.object({ customerId: IdText }),
    query: z.object({ startdate: DateField.optional(), reportdate: DateField.optional() }),
    reply: 'application/pdf',
  }),
  /** The statements of several customers in their order, each on pages of its own. 404 for one that is not there. */
  customerStatements: endpoint({
    method: 'POST',
    path: '/customerstatements',
    needs: ['View Billing', 'View Reports'],
    summary: 'Returns statements of account for up to 500 customers as one PDF. Each statement starts on a new page.',
    body: z.object({
      customerIds: z.array(Id).min(1).max(MOST_STATEMENTS),
      startdate: maybe(DateField),
      reportdate: maybe(DateField),
    }),
    reply: 'application/pdf',
    reads: true,
  }),
};
