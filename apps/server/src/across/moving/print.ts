import type { MoveResult } from '@evenkeel/contract/moving';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { notFound } from '@evenkeel/core/failure';
import { moveSource } from '@evenkeel/core/moving/sources';
import type { Report } from '@evenkeel/core/reports/report';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { getCompany } from '../../features/settings/company.ts';
import { momentIn } from '../../platform/clock.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Drawing } from '../../platform/http/route.ts';
import { countCell, moneyCell, plainReport, plainSection, textCell } from '../../platform/pdf/plain-report.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { filesOfMove, type MoveFileRow, type MoveRow, moves } from './moving.sql.ts';

/**
 * Returns an import's report as a PDF, which is drawn after the transaction ends. Throws 404 if the import has no
 * report yet.
 */
export async function printMove(ctx: Ctx, id: number): Promise<Drawing> {
  const [move, files, { timeZone }, company] = await Promise.all([
    ctx.tx.row(moves.find({ id })),
    ctx.tx.rows(filesOfMove(id)),
    ctx.tx.one(zoneSql()),
    getCompany(ctx, ctx.companyId),
  ]);
  const report = move?.report ?? null;
  if (move === undefined || report === null) throw notFound('Report');
  const paper = paperOf(move, report, { files, timeZone, company: company.displayname });
  return async () => ({ name: 'Import', drawn: await printer.report(paper) });
}

interface Facts {
  files: readonly MoveFileRow[];
  timeZone: string;
  company: string;
}

const day = (date: IsoDate | null): string => (date === null ? '' : formatDate(date));

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
  return plainReport('Import', heads, [
    plainSection(
      'Imported',
      [
        ['Record', false],
        ['Count', false],
      ],
      brought.map(([name, value]) => [textCell(name), countCell(value)]),
    ),
    plainSection(
      'Proof',
      [['Proof', false], ['Compared', false], ...amounts],
      result.proof.map((row) => [
        textCell(row.name),
        textCell(row.compared),
        moneyCell(row.source),
        moneyCell(row.ledger),
        moneyCell(row.difference),
      ]),
    ),
    plainSection(
      'Trial balance by month end',
      [['Month End', false], ['Accounts', false], ...amounts],
      result.months.map((row) => [
        textCell(day(row.monthEnd)),
        countCell(row.accounts),
        moneyCell(row.source),
        moneyCell(row.ledger),
        moneyCell(row.difference),
      ]),
    ),
    plainSection(
      'Files',
      [
        ['File', false],
        ['Size in Bytes', false],
        ['SHA-256', false],
      ],
      files.map(({ name, size, sha256 }) => [textCell(name), countCell(size), textCell(sha256.toString('hex'))]),
    ),
  ]);
}
