import type { MoveResult } from '@evenkeel/contract/moving';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { notFound } from '@evenkeel/core/failure';
import { type Cents, cents, toPlain } from '@evenkeel/core/money';
import { moveSource } from '@evenkeel/core/moving/sources';
import type { Report, ReportCell, ReportSection } from '@evenkeel/core/reports/report';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { getCompany } from '../../features/settings/company.ts';
import { momentIn } from '../../platform/clock.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Drawing } from '../../platform/http/route.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { filesOfMove, type MoveFileRow, type MoveRow, moves } from './moving.sql.ts';

/** Returns the report of an import as a PDF, to be drawn after the transaction. Throws 404 before the import. */
export async function printMove(ctx: Ctx, id: number): Promise<Drawing> {
  const [move, files, { timeZone }, company] = await Promise.all([
    ctx.tx.row(moves.find({ id })),
    ctx.tx.rows(filesOfMove(id)),
    ctx.tx.one(zoneSql()),
    getCompany(ctx, ctx.companyId),
  ]);
  const report = move?.report ?? null;
  if (move === undefined || report === null) throw notFound('Report');
  const json = JSON.stringify(paperOf(move, report, { files, timeZone, company: company.displayname }));
  return async () => ({ name: 'Import', drawn: await printer.report(json) });
}

interface Facts {
  files: readonly MoveFileRow[];
  timeZone: string;
  company: string;
}

const text = (itemText: string): ReportCell => ({ itemText, isCurrency: false });
const money = (amount: Cents): ReportCell => ({ itemText: toPlain(amount), isCurrency: true });
const count = (value: number): ReportCell => ({ ...text(value.toLocaleString('en-US')), rightAlign: true });
const day = (date: IsoDate | null): string => (date === null ? '' : formatDate(date));

function section(title: string, heads: readonly (readonly [string, boolean])[], rows: ReportCell[][]): ReportSection {
  return {
    title,
    totalTitle: '',
    total: cents(0),
    hasColumnHeaders: true,
    columnHeaders: heads.map(([headerText, isCurrency]) => ({ headerText, isCurrency })),
    displayHeader: true,
    displayFooter: false,
    hasColumnSummary: false,
    columnSummaryLines: [],
    reportBlocks: [
      {
        blockTitle: '',
        displayHeader: false,
        displayFooter: false,
        total: cents(0),
        reportLines: rows.map((lineItems) => ({ lineItems })),
      },
    ],
  };
}

function paperOf(move: MoveRow, result: MoveResult, { files, timeZone, company }: Facts): Report {
  const { short } = moveSource(move.system);
  const { counts } = result;
  const heads = [
    company,
    `Import from ${move.system}`,
    `${day(result.from)} – ${day(result.to)}`,
    ...(move.importedAt === null
      ? []
      : [`Imported by ${move.importedByName ?? ''}, ${momentIn(timeZone, move.importedAt)}`]),
    ...(move.undoneAt === null ? [] : [`Undone by ${move.undoneByName ?? ''}, ${momentIn(timeZone, move.undoneAt)}`]),
  ];
  const brought: [string, number][] = [
    ['Transactions', counts.transactions],
    ['Accounts', counts.accounts],
    ['New accounts', counts.accountsCreated],
    ['Bank accounts', counts.bankAccounts],
    ['Customers', counts.customers],
    ['Vendors', counts.vendors],
    ['Products', counts.products],
    ['Open invoices', counts.openInvoices],
    ['Unpaid bills', counts.unpaidBills],
    ['Credits', counts.credits],
  ];
  const amounts = [
    [short, true],
    ['Evenkeel', true],
    ['Difference', true],
  ] as const;
  return {
    title: 'Import',
    reportHeaderItems: heads.map((headerText) => ({ headerText })),
    reportSections: [
      section(
        'Imported',
        [
          ['Record', false],
          ['Count', false],
        ],
        brought.map(([name, value]) => [text(name), count(value)]),
      ),
      section(
        'Proof',
        [['Proof', false], ['Compared', false], ...amounts],
        result.proof.map((row) => [
          text(row.name),
          text(row.compared),
          money(row.source),
          money(row.ledger),
          money(row.difference),
        ]),
      ),
      section(
        'Trial balance by month end',
        [['Month End', false], ['Accounts', false], ...amounts],
        result.months.map((row) => [
          text(day(row.monthEnd)),
          count(row.accounts),
          money(row.source),
          money(row.ledger),
          money(row.difference),
        ]),
      ),
      section(
        'Files',
        [
          ['File', false],
          ['Size in Bytes', false],
          ['SHA-256', false],
        ],
        files.map(({ name, size, sha256 }) => [text(name), count(size), text(sha256.toString('hex'))]),
      ),
    ],
    reportSummaries: [],
  };
}
