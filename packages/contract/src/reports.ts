import { reportKinds } from '@evenkeel/core/reports/kinds';
import type { Report } from '@evenkeel/core/reports/report';
import * as z from 'zod';
import { endpoint, EXCEL } from './endpoint.ts';
import { ReportRequest, Source } from './figures.ts';
import { DateField, Id, IdText, maybe, Usd } from './fields.ts';

/** A total in a report with several columns: a label, followed by an amount for each column. */
const SummaryItem = z.object({
  headerText: z.string(),
  isCurrency: z.boolean(),
  rightAlign: z.boolean(),
  source: Source.optional(),
});

const Cell = z.object({
  itemText: z.string(),
  isCurrency: z.boolean(),
  /** Whether the cell's text, such as a percentage, is aligned with the amounts. */
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
/** The calculation of a column from other columns. Columns are counted from the text column, which is 0. */
const MadeOf = z.object({
  /**
   * The difference between two columns, one column as a percentage of another, one column as a percentage of a fixed
   * amount, or the effect on net income of the difference between an actual amount and a budget.
   */
  as: z.enum(['difference', 'percent', 'share', 'effect']),
  of: z.number().int(),
  /** The column that is subtracted, or the column that the percentage is based on. */
  by: z.number().int().optional(),
  /** The fixed amount that a percentage is based on. */
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
  /** The source of the section's total. */
  source: Source.optional(),
});

/** A report as created by core (core/reports/report.ts). The encoder drops the fields that only workbooks use. */
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

/** Whether a report is one of the user's favorites in this company. */
const ReportStar = z.object({ reportId: z.number().int(), starred: z.boolean() });
export type ReportStar = z.output<typeof ReportStar>;

const REPORTS = Object.values(reportKinds)
  .map(({ id, title }) => `${id} ${title}`)
  .join(', ');

/** The maximum number of statements in one file. */
export const MOST_STATEMENTS = 500;

export const reportCalls = {
  /**
   * Runs a report. Totals are cents, and cells are plain decimal text. Returns 404 for an unknown report, and 400 or
   * 422 for invalid parameters.
   */
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
  /**
   * Returns a report as a PDF (letter size, landscape, page numbers as n/total). Returns 503 with Retry-After if too
   * many PDFs are being created.
   */
  reportPdf: endpoint({
    method: 'POST',
    path: '/reports/{reportId}/pdf',
    needs: 'View Reports',
    summary: 'Returns a report as a PDF (landscape letter).',
    params: z.object({ reportId: IdText }),
    body: ReportRequest,
    reply: 'application/pdf',
    reads: true,
  }),
  /** Returns a report as a workbook. Text stays text, and amounts are numbers in dollars. */
  reportExcel: endpoint({
    method: 'POST',
    path: '/reports/{reportId}/excel',
    needs: 'View Reports',
    summary: 'Returns a report as an Excel workbook named after the report.',
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
  /**
   * Each call changes a single favorite, so that two browser tabs never overwrite each other's changes. Returns 404 for
   * an unknown report.
   */
  starReport: endpoint({
    method: 'PUT',
    path: '/reportstars/{reportId}',
    needs: 'View Reports',
    summary: "Adds a report to the user's favorites, or removes it.",
    params: z.object({ reportId: IdText }),
    body: ReportStar.pick({ starred: true }),
    reply: ReportStar,
  }),
  /** Returns the reports for the month up to the given date (today by default), each on separate pages. */
  monthEndPackage: endpoint({
    method: 'GET',
    path: '/monthendpackage',
    needs: 'View Reports',
    summary:
      'Returns the reports for a month as one PDF: profit & loss, balance sheet, cash flows, trial balance, and ' +
      'customer and vendor aging.',
    query: z.object({ date: DateField.optional() }),
    reply: 'application/pdf',
  }),
  /**
   * Returns a customer's statement of account as a PDF. The dates default to the start of the fiscal year through
   * today.
   */
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
  /**
   * Returns the statements of several customers in the given order, each on separate pages. Returns 404 if a customer
   * does not exist.
   */
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
