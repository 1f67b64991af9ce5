import { difference as postingsFor, type Transaction } from '@evenkeel/core/books/ledger';
import { taxreturn } from '@evenkeel/core/kinds/taxreturn';
import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { postAdjustments, postTaxPayment, returnFigures } from '@evenkeel/core/taxes/returns';
import { sql } from 'kysely';
import { fault, lackingFaults } from '../../books/documents/verify.ts';
import { type FaultRow, MOST_FAULTS } from '../../books/documents/verify.sql.ts';
import { liveLinesBySource } from '../../books/ledger/journal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import {
  agencies,
  payingAccounts,
  type PaymentRow,
  returnDocuments,
  returnItems,
  type ReturnRow,
  returns,
  taxLines,
  taxPayments,
} from './taxes.sql.ts';

/** Descriptions of entries are not compared, because an agency can be renamed. */
const description = '';

/**
 * Finds filed returns whose amounts differ from the ones calculated from their documents, tax items, adjustments, and
 * credits, and finds returns and payments with wrong journal lines. If there are none, the liability account equals
 * unfiled tax + filed and unpaid returns + credits (docs/accounting.md, "Sales tax returns").
 */
export async function taxReturnFaults(tx: Tx): Promise<FaultRow[]> {
  const [filed, documents, items, payments, all, banks, live] = await tx.inOrder([
    returns.find({}, { orderBy: sql`agency_id, period_to, version` }),
    returnDocuments.find({}),
    returnItems.find({}),
    taxPayments.find({}),
    agencies.find({}),
    payingAccounts(),
    taxLines(),
  ]);
  const accounts = new Map(all.map(({ id, accountId }) => [id, accountId]));
  const taxAccountOf = ({ agencyId }: { agencyId: number }) => accounts.get(agencyId) ?? 0;
  const bankAccounts = new Map(banks.map(({ id, glAccountId }) => [id, glAccountId]));
  const wanted = new Map<number, readonly Transaction[]>([
    ...filed.map((row): [number, Transaction[]] => {
      const { filedDate: date, adjustments } = row;
      return [row.id, postAdjustments({ date, description, taxAccountId: taxAccountOf(row), adjustments })];
    }),
    ...payments.map((row): [number, Transaction[]] => {
      const { paymentDate: date, amount } = row;
      const bankAccountId = bankAccounts.get(row.bankAccountId) ?? 0;
      return [row.id, [postTaxPayment({ date, description, taxAccountId: taxAccountOf(row), bankAccountId, amount })]];
    }),
  ]);
  const figures = filed.flatMap((row, at) =>
    figureFaults(row, {
      before: filed.slice(0, at).findLast(({ agencyId }) => agencyId === row.agencyId),
      documents: documents.filter(({ returnId }) => returnId === row.id),
      items: items.filter(({ returnId }) => returnId === row.id),
      prepayments: row.version > 1 ? [] : payments.filter((each) => isPrepayment(each, row)),
    }),
  );
  const linesOf = liveLinesBySource(live);
  const ids = new Set([...wanted.keys(), ...live.map(({ sourceId }) => sourceId)]);
  const lines = [...ids].flatMap((id) => {
    const source = { type: taxreturn.source, id };
    const posted = linesOf(source).map((line) => ({ ...line, description }));
    return lackingFaults(
      `sales tax return or payment ${id}`,
      source,
      postingsFor(posted, (wanted.get(id) ?? []).map(withoutWords)),
    );
  });
  return [...figures, ...lines].slice(0, MOST_FAULTS);
}

const isPrepayment = (payment: PaymentRow, { agencyId, to }: ReturnRow): boolean =>
  payment.agencyId === agencyId && payment.periodEnd === to && payment.returnId === null;

const withoutWords = ({ entries, ...transaction }: Transaction): Transaction => ({
  ...transaction,
  entries: entries.map((entry) => ({ ...entry, description })),
});

interface Parts {
  /** The agency's previous return. */
  before: ReturnRow | undefined;
  documents: readonly Record<'gross' | 'taxable' | 'tax' | 'sinceGross' | 'sinceTaxable' | 'sinceTax', Cents>[];
  items: readonly Record<'tax' | 'sinceTax', Cents>[];
  prepayments: readonly { amount: Cents }[];
}

function figureFaults(row: ReturnRow, { before, documents, items, prepayments }: Parts): FaultRow[] {
  const { adjustments } = row;
  const carriedIn = before?.carriedOver ?? ZERO;
  const prepaid = sum(prepayments.map(({ amount }) => amount));
  const returned = documents.map(({ gross, taxable, tax, ...each }, id) => ({
    id,
    own: { gross, taxable, tax },
    since: { gross: each.sinceGross, taxable: each.sinceTaxable, tax: each.sinceTax },
  }));
  const { own, since, netDue, carriedOver } = returnFigures(returned, { adjustments, carriedIn, prepaid });
  const pairs: [name: string, stored: Cents, computed: Cents][] = [
    ['gross sales', row.gross, own.gross],
    ['taxable sales', row.taxable, own.taxable],
    ['tax', row.tax, own.tax],
    ['taxable changes', row.sinceTaxable, since.taxable],
    ['tax changes', row.sinceTax, since.tax],
    ['tax by item', sum(items.map(({ tax }) => tax)), own.tax],
    ['tax changes by item', sum(items.map(({ sinceTax }) => sinceTax)), since.tax],
    ['adjustments', row.adjusted, sum(adjustments.map(({ amount }) => amount))],
    ['credit from the previous return', row.carriedIn, carriedIn],
    ['prepayments', row.prepaid, prepaid],
    ['amount due', row.netDue, netDue],
    ['credit carried over', row.carriedOver, carriedOver],
  ];
  return pairs
    .filter(([, stored, computed]) => stored !== computed)
    .map(([name, stored, computed]) =>
      fault(`sales tax return ${row.id} has ${name} of ${stored} cents instead of ${computed}`, {
        type: taxreturn.source,
        id: row.id,
      }),
    );
}
