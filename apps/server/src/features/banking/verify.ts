import { difference } from '@evenkeel/core/books/ledger';
import { formatUsd } from '@evenkeel/core/money';
import { kindOf } from '@evenkeel/core/documents/side';
import { depositTotal } from '@evenkeel/core/banking/transfers';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { Tx } from '../../platform/db/tx.ts';
import { liveLinesBySource, liveLinesOf } from '../../books/ledger/journal.ts';
import { fault, lackingFaults } from '../../books/documents/verify.ts';
import { type FaultRow, gapsOf, MOST_FAULTS } from '../../books/documents/verify.sql.ts';
import { type BankFlow, describeDocument } from './bank-documents.ts';
import { nextBankDocuments, orphanFaults } from './bank-documents.sql.ts';
import { depositFlow, type DepositParts } from './deposits.ts';
import { receiptFaults, type ReceiptFault } from './deposits.sql.ts';
import { transferFlow } from './transfers.ts';
import { lineChecks } from './verify-lines.ts';

type Find = () => Promise<FaultRow[]>;

/**
 * Returns the checks for transfers and deposits by name: their numbers are consistent, the journal has exactly their
 * lines, a deposit equals its receipts and lines, and a deposited receipt is unchanged. After these, the checks for
 * bank transactions are returned.
 */
export function bankChecks(tx: Tx): [check: string, faults: Find][] {
  const kinds = [transferFlow.kind, depositFlow.kind];
  return [
    ...kinds.flatMap((kind) =>
      gapsOf(kind, sql`r.kind = ${kind.source}`).map((query): [string, Find] => ['numbers', () => tx.rows(query)]),
    ),
    ['transfers', () => tx.rows(orphanFaults(kinds))],
    ['transfers', () => documentFaults(tx, transferFlow, () => [])],
    ['deposits', () => documentFaults(tx, depositFlow, totalFaults)],
    ['deposits', async () => (await tx.rows(receiptFaults(MOST_FAULTS))).map(receiptFault)],
    ...lineChecks(tx),
  ];
}

/** Returns the documents of a kind whose lines differ from the journal. Reads 500 documents at a time. */
async function documentFaults<S extends z.ZodType<{ rowVersion: number }>, I, F, P>(
  tx: Tx,
  { kind, parts, transaction }: BankFlow<S, I, F, P>,
  ownFaults: (document: { head: { id: number; amount: number }; parts: P }, name: string) => FaultRow[],
): Promise<FaultRow[]> {
  const found: FaultRow[] = [];
  for (let behind = 0; found.length < MOST_FAULTS;) {
    const heads = await tx.rows(nextBankDocuments(kind, behind));
    behind = heads.at(-1)?.id ?? behind;
    if (heads.length === 0) break;
    const [live, documents] = await Promise.all([
      tx.rows(liveLinesOf(heads.map(({ id }) => ({ type: kind.source, id })))),
      Promise.all(heads.map(async (head) => ({ head, parts: await parts(tx, head.id) }))),
    ]);
    const liveOf = liveLinesBySource(live);
    for (const document of documents) {
      const { head } = document;
      const name = `${kind.label.toLowerCase()} ${head.number}`;
      const wanted = head.deleted ? [] : [transaction(document, describeDocument(kind, head))];
      const source = { type: kind.source, id: head.id };
      const lacking = lackingFaults(name, source, difference(liveOf(source), wanted));
      found.push(...lacking, ...(head.deleted ? [] : ownFaults(document, name)));
    }
  }
  return found.slice(0, MOST_FAULTS);
}

interface CountedDeposit {
  head: { id: number; amount: number };
  parts: DepositParts;
}

const deposit = (id: number) => ({ type: depositFlow.kind.source, id });

function totalFaults({ head, parts }: CountedDeposit, name: string): FaultRow[] {
  const receipts = parts.receipts.map(({ amount }) => amount);
  const total = depositTotal(receipts, parts.lines);
  if (total === head.amount) return [];
  return [fault(`${name} does not equal ${formatUsd(total)}, the total of its receipts and lines`, deposit(head.id))];
}

function receiptFault({ depositId, number, deposited, sourceType, name: own, amount }: ReceiptFault): FaultRow {
  const name = `${kindOf(sourceType).label.toLowerCase()} ${own}`;
  const now = amount === null ? `is not in Undeposited Funds` : `is ${formatUsd(amount)}`;
  return fault(`deposit ${number} has a receipt of ${formatUsd(deposited)}, but ${name} ${now}`, deposit(depositId));
}
