import { Failure } from '@evenkeel/core/failure';
import { difference, type Posting } from '@evenkeel/core/books/ledger';
import { formatUsd, toPlain } from '@evenkeel/core/money';
import { totalOf } from '@evenkeel/core/books/posting';
import { wantedPostings } from '@evenkeel/core/books/settlement';
import { kindOf, type SettledKind, settledKinds, type Side, sides, type Source } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { databaseCode, isUnavailable } from '../../platform/db/errors.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { liveLinesBySource, liveLinesOf } from '../ledger/journal.ts';
import { settlementOf } from './settlement.ts';
import {
  applicationsOf,
  type DocumentRow,
  documentsOf,
  documentsPaidBy,
  idList,
  linesOf,
  type PaymentRow,
  paymentsOf,
  refundsOf,
} from './settlement.sql.ts';
import * as verifySql from './verify.sql.ts';
import { type FaultRow, MOST_FAULTS } from './verify.sql.ts';

/** Functions that run a check for each kind of document, or for each kind with sales lines. */
const eachKind = (of: (kind: SettledKind) => Runnable<FaultRow>) => (side: Side) => settledKinds(side).map(of);
const eachSale = (of: (kind: SettledKind) => Runnable<FaultRow>) => (side: Side) =>
  settledKinds(side)
    .filter(({ sells }) => sells)
    .map(of);

const checks: Record<string, (side: Side) => readonly Runnable<FaultRow>[]> = {
  kinds: (side) => [verifySql.kindFaults(side)],
  'open amounts': eachKind(verifySql.openAmountFaults),
  'open sums': eachKind(verifySql.openSumFaults),
  'unapplied amounts': (side) => [verifySql.unappliedFaults(side)],
  refunds: (side) => [verifySql.refundFaults(side)],
  'running sums': (side) => [verifySql.runningSumFaults(side)],
  'money accounts': (side) => [
    verifySql.moneyAccountFaults(side),
    ...settledKinds(side).map(verifySql.paidAtOnceFaults),
  ],
  'control accounts': (side) => [verifySql.controlFaults(side)],
  numbers: verifySql.numberFaults,
  'sales tax': eachSale(verifySql.salesTaxFaults),
  lines: eachSale(verifySql.salesLineFaults),
};

/**
 * Returns the checks for the documents and payments on both sides, by name. They cover totals, numbers, and whether the
 * journal has exactly the lines that each document or payment should have.
 */
export function subledgerChecks(tx: Tx): [check: string, faults: () => Promise<FaultRow[]>][] {
  return [
    ...Object.entries(checks).flatMap(([check, faultsOf]) =>
      sides.flatMap(faultsOf).map((query): [string, () => Promise<FaultRow[]>] => [check, () => tx.rows(query)]),
    ),
    ...sides.flatMap((side): [string, () => Promise<FaultRow[]>][] => [
      ['documents', () => tx.rows(verifySql.orphanFaults(side))],
      ['documents', () => unpostedFaults(tx, side)],
    ]),
  ];
}

/** Compares documents and payments with their journal lines, 500 at a time. */
async function unpostedFaults(tx: Tx, side: Side): Promise<FaultRow[]> {
  const faults: FaultRow[] = [];
  for (const records of ['document', 'payment'] as const) {
    for (let behind = 0; faults.length < MOST_FAULTS;) {
      const sources = await tx.rows(verifySql.nextSources(records, side, behind));
      behind = sources.at(-1)?.id ?? behind;
      if (sources.length === 0) break;
      faults.push(...(await faultsOfRecords(tx, side, records, sources)));
    }
  }
  return faults.slice(0, MOST_FAULTS);
}

/**
 * Returns the problems in one chunk. A tampered record can be so wrong that its journal lines can't be computed, for
 * example if a line is out of balance or more is applied than was paid. In that case, the chunk is halved until that
 * record is found.
 */
async function faultsOfRecords(
  tx: Tx,
  side: Side,
  records: 'document' | 'payment',
  sources: readonly Source[],
): Promise<FaultRow[]> {
  try {
    return await wrongRecords(tx, side, records, sources);
  } catch (error) {
    const isOfRecords = error instanceof Failure || (error instanceof Error && databaseCode(error) === undefined);
    if (!isOfRecords || isUnavailable(error)) throw error;
    const [only] = sources;
    if (sources.length === 1)
      return [fault(`${records} ${only?.id} cannot be compared with the journal: ${error.message}`, only)];
    const half = Math.ceil(sources.length / 2);
    const first = await faultsOfRecords(tx, side, records, sources.slice(0, half));
    return [...first, ...(await faultsOfRecords(tx, side, records, sources.slice(half)))];
  }
}

/** Compares one chunk with the journal: documents, or payments with everything that they pay. */
async function wrongRecords(
  tx: Tx,
  side: Side,
  records: 'document' | 'payment',
  sources: readonly Source[],
): Promise<FaultRow[]> {
  const isPayment = records === 'payment';
  const ids = sources.map(({ id }) => id);
  const paymentIds = idList(isPayment ? ids : []);
  const documentIds = isPayment ? sql`array(${documentsPaidBy(paymentIds)})` : idList(ids);
  const [payments, applications, refunds, documents, lines, live] = await tx.inOrder([
    paymentsOf(paymentIds),
    applicationsOf(paymentIds),
    refundsOf(paymentIds),
    documentsOf(documentIds),
    linesOf(side, documentIds),
    liveLinesOf(sources),
  ]);
  const standing = payments.filter(({ deleted }) => !deleted);
  const settlement = settlementOf({ side, documents, payments: standing, applications, refunds, lines });
  const keyOf = ({ type, id }: Source): string => `${type} ${id}`;
  const wanted = new Map(
    wantedPostings(side, settlement).map(({ source, transactions }) => [keyOf(source), transactions]),
  );
  const liveOf = liveLinesBySource(live);
  const heads = new Map<number, PaymentRow | DocumentRow>(
    (isPayment ? payments : documents).map((row) => [row.id, row]),
  );
  return sources.flatMap((source) => {
    const head = heads.get(source.id);
    if (head === undefined) return [];
    const name = `${isPayment ? 'payment' : kindOf(source.type).label.toLowerCase()} ${head.number}`;
    const document = isPayment ? undefined : settlement.documents.get(head.id);
    const postings = difference(liveOf(source), wanted.get(keyOf(source)) ?? []);
    return [
      ...(document === undefined || totalOf(document) === head.amount
        ? []
        : [
            fault(
              `${name} is ${formatUsd(head.amount)}, but its lines and taxes add up to ${formatUsd(totalOf(document))}`,
              source,
            ),
          ]),
      ...lackingFaults(name, source, postings),
    ];
  });
}

/**
 * Returns the first line that is missing from a document's journal lines, or the first one that should not be there.
 */
export function lackingFaults(name: string, source: Source, postings: readonly Posting[]): FaultRow[] {
  return postings.slice(0, 1).flatMap(({ postingDate, entries }) =>
    entries.slice(0, 1).map(({ accountId, amount, reverses }) => {
      const sentence = reverses === null ? 'is missing a line' : 'has an extra line';
      const line = `${postingDate}, account ${accountId}, ${toPlain(amount)}`;
      return fault(`the journal ${sentence} for ${name}: ${line}`, source);
    }),
  );
}

/** Returns a problem that has no transaction, but may have a record. */
export function fault(message: string, about?: { type: string; id: number }): FaultRow {
  const record = about === undefined ? null : { kind: about.type, id: about.id };
  return { transactionId: null, postingNo: null, message, record };
}
