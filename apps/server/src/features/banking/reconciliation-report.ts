import type { GlEntry } from '@evenkeel/contract/ledger';
import { notFound } from '@evenkeel/core/failure';
import { negate, ZERO } from '@evenkeel/core/money';
import { type ReportedEntry, reconciliationReport } from '@evenkeel/core/reports/reconciliation';
import type { Report } from '@evenkeel/core/reports/report';
import type { Ctx } from '../../platform/http/context.ts';
import type { Drawing } from '../../platform/http/route.ts';
import { inTurns } from '../../platform/http/turns.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { getCompany } from '../settings/company.ts';
import { reconciliationsSql } from './reconciliation.sql.ts';
import { readEntries, wholeView } from './reconciliations.ts';

/**
 * Returns a reconciliation's report as data: the cleared entries, and the entries outstanding on its date. Throws 404
 * if the reconciliation does not exist.
 */
export async function runReconciliationReport(ctx: Ctx, id: number): Promise<Report> {
  const row = await ctx.tx.row(reconciliationsSql({ id }));
  if (row === undefined) throw notFound('Reconciliation');
  const { statementDate, glAccountId } = row;
  const [cleared, outstanding, company] = [
    await readEntries(ctx, glAccountId, { reconciled: { by: id }, showReversed: true }),
    await readEntries(ctx, glAccountId, {
      reconciled: { notThrough: statementDate },
      to: statementDate,
      showReversed: false,
    }),
    await getCompany(ctx),
  ];
  const { incomingEntries, outgoingEntries } = wholeView(row, cleared);
  return inTurns(
    reconciliationReport({
      companyName: company.displayname,
      accountName: row.name,
      number: row.number,
      statementDate,
      lastDate: row.lastDate,
      lastBalance: row.lastBalance,
      bankCharge: row.bankCharge,
      interest: row.interest,
      cleared: [...incomingEntries, ...outgoingEntries].map(reported),
      outstanding: outstanding.map(reported),
    }),
  );
}

/** Prints the report in a worker thread after the transaction ends. */
export async function printReconciliationReport(ctx: Ctx, id: number): Promise<Drawing> {
  const report = await runReconciliationReport(ctx, id);
  return async () => ({ name: report.title, drawn: await printer.report(report) });
}

function reported(entry: GlEntry): ReportedEntry {
  const { postingDate, number = '', entityName: name, description, debitAmount, creditAmount } = entry;
  const amount = debitAmount ?? negate(creditAmount ?? ZERO);
  return { postingDate, number, name, description, amount, transactionId: entry.transactionID };
}
