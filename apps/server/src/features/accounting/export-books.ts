import type { ExportAsk } from '@evenkeel/core/books/books-export';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Basis, ReportBasis } from '@evenkeel/core/books/ledger';
import { cents, ZERO } from '@evenkeel/core/money';
import type { Cents } from '@evenkeel/core/money';
import { notFound } from '@evenkeel/core/failure';
import type { Tx } from '../../platform/db/tx.ts';
import { fetchLines, openLines, selectAccounts, selectCompanyName } from './export.sql.ts';
import type { ExportAccount, ExportLine } from './export.sql.ts';

/** The content of an export: the company's accounts and its transactions on one basis. Transactions are streamed. */
export interface ExportedBooks {
  companyName: string;
  /** The basis and the date range of the export, if any, for the header. */
  part: string;
  /** The export time in ISO format, for the header. */
  exportedAt: string;
  accounts: readonly ExportAccount[];
  /** Transactions ordered by date, then by ID. Each has at least one line, and only lines on the export's basis. */
  transactions: AsyncIterable<ExportedTransaction>;
}

export interface ExportedTransaction {
  id: number;
  postingDate: IsoDate;
  sourceType: string;
  /** The number of an invoice or payment, such as "10007", or else the transaction ID. */
  code: string;
  description: string;
  /** The first customer or vendor on a line. */
  payee: string | undefined;
  lines: readonly ExportLine[];
}

const basesOf: Record<ReportBasis, readonly Basis[]> = { accrual: ['B', 'A'], cash: ['B', 'C'] };

/** Reads the books of the transaction's company. Iterate over the result within the transaction. */
export async function readBooks(tx: Tx, asked: Omit<ExportAsk, 'format'>, exportedAt: string): Promise<ExportedBooks> {
  const { basis, from, to } = asked;
  const [company, accounts] = await Promise.all([tx.row(selectCompanyName()), tx.rows(selectAccounts())]);
  if (company === undefined) throw notFound('Company');
  await tx.rows(openLines(basesOf[basis], asked));
  const range = [from === undefined ? [] : [`from: ${from}`], to === undefined ? [] : [`to: ${to}`]].flat();
  const part = [`basis: ${basis}`, ...range].join('   ');
  return { companyName: company.displayname, part, exportedAt, accounts, transactions: readTransactions(tx) };
}

/** Groups consecutive lines into transactions. Keeps only one fetch in memory at a time. */
async function* readTransactions(tx: Tx): AsyncGenerator<ExportedTransaction> {
  let lines: ExportLine[] = [];
  for (;;) {
    const fetched = await tx.rows(fetchLines());
    for (const line of fetched) {
      if (lines[0] !== undefined && lines[0].transactionId !== line.transactionId) {
        yield transactionOf(lines[0], lines);
        lines = [];
      }
      lines.push(line);
    }
    if (fetched.length === 0) break;
  }
  if (lines[0] !== undefined) yield transactionOf(lines[0], lines);
}

function transactionOf(first: ExportLine, lines: readonly ExportLine[]): ExportedTransaction {
  return {
    id: first.transactionId,
    postingDate: first.postingDate,
    sourceType: first.sourceType,
    code: first.documentNumber ?? String(first.transactionId),
    description: first.transactionDescription,
    payee: lines.find((line) => line.entityName !== null)?.entityName ?? undefined,
    lines,
  };
}

/** The names of the root accounts in plain-text accounting programs. */
export const rootNames: Record<string, string> = {
  Asset: 'Assets',
  Liability: 'Liabilities',
  Equity: 'Equity',
  Income: 'Income',
  Expense: 'Expenses',
};

/**
 * Returns the full account names by ID. A full name is the root followed by the cleaned name. `longer` returns a longer
 * name that makes a duplicate name unique.
 */
export function nameAccounts(
  accounts: readonly ExportAccount[],
  clean: (name: string) => string,
  longer: (name: string, suffix: number) => string,
): Map<number, string> {
  const names = new Map<number, string>();
  const taken = new Set<string>();
  for (const { id, name, root } of accounts) {
    const plain = `${rootNames[root] ?? root}:${clean(name)}`;
    let full = plain;
    for (let suffix = id; taken.has(full); suffix += 1) full = longer(plain, suffix);
    taken.add(full);
    names.set(id, full);
  }
  return names;
}

/** Returns the name of a line's account. */
export function accountName(names: ReadonlyMap<number, string>, accountId: number): string {
  const name = names.get(accountId);
  if (name === undefined) throw new Error(`account ${accountId} is not in the chart`);
  return name;
}

/** The running total of each account, which a file can check at its end. */
export class Sums {
  readonly byAccount = new Map<number, Cents>();
  lastDate: IsoDate | undefined;

  add(transaction: ExportedTransaction): void {
    this.lastDate = transaction.postingDate;
    for (const { accountId, amount } of transaction.lines) {
      this.byAccount.set(accountId, cents(this.of(accountId) + amount));
    }
  }

  of(accountId: number): Cents {
    return this.byAccount.get(accountId) ?? ZERO;
  }
}
