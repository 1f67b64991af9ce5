import { ExpenseInvoice } from '@evenkeel/contract/expenses';
import { OPEN } from '@evenkeel/core/documents/invoice';
import { PAYABLE } from '@evenkeel/core/documents/side';
import { present } from '@evenkeel/core/failure';
import { cents, negate, ZERO } from '@evenkeel/core/money';
import { toCompanySettings } from '../../books/company-settings.ts';
import { type DocumentRecord, OF_NOTHING } from '../../books/documents/documents.sql.ts';
import { type Before, type Built, documentCalls } from '../../books/documents/documents.ts';
import {
  type OpeningAsk,
  openingAmounts,
  openingReferences,
  refuseOpening,
  requireOpeningReferences,
} from '../../books/documents/opening.ts';
import { referenceFault } from '../../books/ledger/references.ts';
import type { BillFacts, LineRow } from './bills.sql.ts';
import * as billsSql from './bills.sql.ts';
import { billRowView, billView } from './views.ts';

/** An unpaid bill or a vendor credit dated before the opening balances. */
export interface OpeningBillAsk extends OpeningAsk {
  /** Whether the document is a vendor credit, which is a negative bill. */
  isCredit: boolean;
}

/** The calls for unpaid bills and vendor credits dated before the opening balances. */
export const openingBills = documentCalls({
  kind: PAYABLE.document,
  subject: { name: 'expense', schema: ExpenseInvoice, idOf: ({ id }: ExpenseInvoice) => id },
  isOpening: true,
  owner: 'expense',
  lines: billsSql.lineStore,
  facts: (asks: readonly OpeningBillAsk[], isNew) =>
    billsSql.selectFacts({
      vendorIds: [...new Set(asks.map(({ entityId }) => entityId))],
      bankIds: [],
      paidIds: [],
      references: openingReferences(asks),
      fileIds: [],
      documentCount: isNew ? asks.length : 0,
      lineCount: asks.reduce((count, { lines }) => count + lines.length, 0),
    }),
  build: builtOpening,
  view: billView,
  rowView: billRowView,
});

function builtOpening(
  ask: OpeningBillAsk,
  { vendors, references, settings, ids }: BillFacts,
  { today, stored, lines: storedLines }: Before<LineRow>,
): Built<LineRow> {
  const known = vendors.map(({ id, deleted }) => ({ id, active: !deleted }));
  const fault = referenceFault('vendor', known, { id: ask.entityId, before: stored?.entityId });
  if (fault !== undefined) refuseOpening(ask, { entityId: fault });
  const vendor = present(
    vendors.find(({ id }) => id === ask.entityId),
    'vendor',
  );
  requireOpeningReferences(ask, references, storedLines);
  const { isCredit } = ask;
  const amounts = openingAmounts(ask, { rates: [], isCredit });
  const newIds = ids.lines.splice(0, ask.lines.length);
  const lines = ask.lines.map(({ accountId, description, profitCenterId, locationId }, at): LineRow => {
    const lineItemAmount = amounts.lines[at] ?? ZERO;
    return {
      id: present(storedLines[at]?.id ?? newIds[at], 'line ID'),
      lineNo: at + 1,
      description,
      accountId,
      profitCenterId,
      locationId,
      creditLine: lineItemAmount < 0,
      lineItemAmount,
    };
  });
  const amount = isCredit ? negate(ask.unpaid) : ask.unpaid;
  const applied = stored?.applied ?? ZERO;
  const record: DocumentRecord = {
    id: stored?.id ?? present(ids.documents.shift(), 'bill ID'),
    kind: PAYABLE.document.source,
    side: PAYABLE.name,
    number: ask.number,
    date: ask.date,
    invoiceDate: ask.date,
    dueDate: ask.dueDate,
    entityId: ask.entityId,
    status: stored?.status ?? OPEN,
    controlAccountId: stored?.controlAccountId ?? toCompanySettings(settings).defaultAPAccountId,
    taxAccountId: null,
    scenarioId: null,
    taxSnapshot: [],
    salesTaxAmount: ZERO,
    amount,
    applied,
    openAmount: cents(amount - applied),
    locationId: null,
    bankAccountId: null,
    ...OF_NOTHING,
    entryDate: stored?.entryDate ?? today,
    opening: amounts.opening,
  };
  return { record, lines, entityName: vendor.displayname, entityVersion: vendor.rowVersion };
}
