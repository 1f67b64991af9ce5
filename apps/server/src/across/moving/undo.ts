import type { MoveDependent } from '@evenkeel/contract/moving';
import { difference } from '@evenkeel/core/books/ledger';
import { formatDate } from '@evenkeel/core/dates';
import { documentKinds, documentLabel, PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import { conflict } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { links } from '../../books/attachments/attachments.sql.ts';
import type { OwnerKind } from '../../books/attachments/owners.ts';
import { accounts } from '../../books/ledger/accounts.sql.ts';
import { forgetNumbers, releaseNumbers } from '../../books/ledger/number-skips.ts';
import { liveLinesBySource, liveLinesOf, openJournal, post } from '../../books/ledger/journal.ts';
import { locations, profitCenters } from '../../features/accounting/dimensions.ts';
import { openingCredits, openingInvoices } from '../../features/billing/opening.ts';
import { bankingAccounts } from '../../features/banking/accounts.sql.ts';
import { paymentTypes } from '../../features/banking/payment-types.ts';
import { scenarios, taxItems } from '../../features/settings/salestax.sql.ts';
import { openingBills } from '../../features/expenses/opening.ts';
import { products } from '../../features/catalogue/products.sql.ts';
import { entities } from '../../features/entities/entities.sql.ts';
import { RUNTIME_ROLE } from '../../platform/db/connect.ts';
import { COMPANY } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { FIRST_NUMBERS } from './banking.ts';
import { moved, type RecordKind } from './moving.sql.ts';
import {
  createdRecords,
  deleteDocuments,
  deleteReconciliations,
  dependentsSql,
  forgetVersions,
  isUsedSql,
  ownDocuments,
  ownTransactions,
  removalSql,
  undoneRow,
} from './undo.sql.ts';

/** The records that an import created, with their tables. Each record comes before the records that it refers to. */
const TABLES: Partial<Record<RecordKind, keyof typeof DELETE>> = {
  bankAccount: 'banking_account',
  taxItem: 'sales_tax_item',
  party: 'entity',
  tax: 'sales_tax_scenario',
  item: 'product',
  paymentType: 'payment_type',
  account: 'account',
  profitCenter: 'profit_center',
  location: 'location',
};

/** Returns the later records that depend on an import. While any exist, the import can't be undone. */
export async function dependentsOf(tx: Tx, moveId: number): Promise<MoveDependent[]> {
  const rows = await tx.rows(dependentsSql(moveId));
  return rows.map(({ source, id, number, name, amount, day }) => {
    const kind = RECORD_WORDS[source] ?? documentLabel(source, amount ?? 0);
    return {
      kind,
      source,
      id,
      label: [`${kind} ${number}`.trim(), name].filter((part) => part !== '').join(' · '),
      amount,
      text: day === null ? '' : `Dated ${formatDate(day)}`,
    };
  });
}

/** The names of records that are not documents. */
const RECORD_WORDS: Readonly<Record<string, string>> = {
  bankingaccount: 'Bank account',
  bankstatement: 'Bank statement',
};

/**
 * Undoes an import in the caller's transaction. If its transactions are the last ones in the journal, they are removed,
 * so that the books are as they were. Otherwise, they are reversed, because the chain continues after them, and the
 * records that they refer to become inactive. Throws 409 if later records depend on the import, and 422 for closed
 * dates.
 */
export async function undoMove(ctx: Ctx, moveId: number): Promise<void> {
  const { tx } = ctx;
  // The lock prevents other transactions from being posted after the check.
  const { closingDate } = await openJournal(tx);
  const dependents = await dependentsOf(tx, moveId);
  const [first] = dependents;
  if (first !== undefined) {
    const more = dependents.length > 1 ? ` and ${dependents.length - 1} more` : '';
    throw conflict(
      `${first.label}${more} ${more === '' ? 'depends' : 'depend'} on this import. Delete all dependent records first.`,
    );
  }
  if (closingDate !== null) {
    const [oldest] = await tx.rows(ownTransactions(moveId, 0, 1));
    if (oldest !== undefined && oldest.first <= closingDate) {
      throw conflict(
        `The books are closed through ${formatDate(closingDate)}. Reopen them before you undo the import.`,
      );
    }
  }
  await tx.inOrder(deleteReconciliations(moveId));
  const removed = await removeFromLedger(tx, moveId);
  await tx.inOrder(releaseNumbers(moveId));
  if (removed) await tx.inOrder([...deleteDocuments(moveId), OWNER, forgetVersions(moveId), RUNTIME]);
  else await reverseAll(ctx, moveId);
  await removeRecords(tx, moveId);
  await tx.rows(removed ? moved.delete({ moveId }) : undoneRow(moveId));
}

/** Statements between these two run as the owner of the schema. */
const OWNER = sql`set local role none`;
const RUNTIME = sql`set local role ${sql.raw(RUNTIME_ROLE)}`;

/** Only the owner of the schema can remove transactions, and only by calling this database function. */
async function removeFromLedger(tx: Tx, moveId: number): Promise<boolean> {
  const [, , [row]] = await tx.inOrder([OWNER, forgetNumbers(FIRST_NUMBERS, moveId), removalSql(moveId), RUNTIME]);
  return row?.removed === true;
}

/** The calls that delete the open documents of each kind. */
const FLOWS = [
  { kind: RECEIVABLE.document, calls: openingInvoices },
  { kind: documentKinds.creditmemo, calls: openingCredits },
  { kind: PAYABLE.document, calls: openingBills },
];

const TOGETHER = 500;

async function reverseAll(ctx: Ctx, moveId: number): Promise<void> {
  const { tx } = ctx;
  for (const { id, kind } of await tx.rows(ownDocuments(moveId))) {
    const flow = FLOWS.find((one) => one.kind.source === kind);
    if (flow !== undefined) await flow.calls.remove(ctx, id);
  }
  for (let behind = 0; ;) {
    const rows = await tx.rows(ownTransactions(moveId, behind, TOGETHER));
    const last = rows.at(-1);
    if (last === undefined) return;
    behind = last.id;
    const sources = rows.flatMap(({ id, isOfDocument }) => (isOfDocument ? [] : [{ type: 'journal', id } as const]));
    const liveOf = liveLinesBySource(await tx.rows(liveLinesOf(sources)));
    const requests = sources.flatMap((source) => {
      const postings = difference(liveOf(source), []);
      return postings.length === 0 ? [] : [{ source, postings }];
    });
    await post(ctx, requests);
  }
}

/** Deletes the records that the import created, or makes them inactive if reversed transactions refer to them. */
async function removeRecords(tx: Tx, moveId: number): Promise<void> {
  const rows = await tx.rows(createdRecords(moveId));
  for (const [kind, table] of Object.entries(TABLES)) {
    const ids = rows.flatMap((row) => (row.kind === kind ? [row.id] : []));
    if (ids.length === 0 || table === undefined) continue;
    const used = new Set((await tx.rows(isUsedSql(table, ids))).map(({ id }) => id));
    const free = ids.filter((id) => !used.has(id));
    const kept = ids.filter((id) => used.has(id));
    for (const file of FILES[table] ?? []) await tx.rows(links.delete({ kind: file, ownerId: free }));
    if (free.length > 0) await tx.rows(DELETE[table](free));
    if (kept.length > 0) await tx.rows(RETIRE[table](kept));
  }
}

/** The kinds of attachments that records in these tables can have. */
const FILES: Partial<Record<keyof typeof DELETE, readonly OwnerKind[]>> = {
  banking_account: ['bankingaccount'],
  entity: ['customer', 'vendor'],
  product: ['product'],
};

const DELETE = {
  banking_account: (id: number[]) => bankingAccounts.delete({ id }),
  sales_tax_item: (id: number[]) => taxItems.delete({ id }),
  sales_tax_scenario: (id: number[]) => scenarios.delete({ id }),
  payment_type: (id: number[]) => paymentTypes.table.delete({ id }),
  account: (id: number[]) => accounts.delete({ id }),
  entity: (id: number[]) => entities.delete({ id }),
  product: (productID: number[]) => products.delete({ productID }),
  profit_center: (profitcenterid: number[]) => profitCenters.table.delete({ profitcenterid }),
  location: (locationId: number[]) => locations.table.delete({ locationId }),
};

const more = sql<number>`row_version + 1`;

const RETIRE = {
  banking_account: (id: number[]) => bankingAccounts.update({ id }, { active: false, rowVersion: more }),
  sales_tax_item: (id: number[]) => sql`
    update sales_tax_item set deleted = true where company_id = ${COMPANY} and id = any(${id}::bigint[])`,
  // A sales tax scenario can't be made inactive, but without its items, it no longer taxes anything.
  sales_tax_scenario: (id: number[]) => scenarios.update({ id }, { rowVersion: more }),
  payment_type: (id: number[]) => paymentTypes.table.update({ id }, { active: false, rowVersion: more }),
  account: (id: number[]) => accounts.update({ id }, { active: false, rowVersion: more }),
  entity: (id: number[]) => entities.update({ id }, { deleted: true, rowVersion: more }),
  product: (productID: number[]) => products.update({ productID }, { active: false, rowVersion: more }),
  profit_center: (id: number[]) => sql`
    update profit_center set active = false where company_id = ${COMPANY} and id = any(${id}::bigint[])`,
  location: (id: number[]) => sql`
    update location set active = false where company_id = ${COMPANY} and id = any(${id}::bigint[])`,
};
