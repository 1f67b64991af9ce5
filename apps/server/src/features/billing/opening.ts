import { BillingCredit } from '@evenkeel/contract/credits';
import { BillingInvoice } from '@evenkeel/contract/billing';
import { turnedLine, turnedTaxes } from '@evenkeel/core/documents/credit';
import { OPEN, priceLines } from '@evenkeel/core/documents/invoice';
import { documentKinds, RECEIVABLE, type SettledKind } from '@evenkeel/core/documents/side';
import { rateOn } from '@evenkeel/core/documents/tax';
import { present } from '@evenkeel/core/failure';
import { cents, decimal, negate, sum, toDecimal, ZERO } from '@evenkeel/core/money';
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
import { creditFlow } from './credits.ts';
import { invoiceFlow } from './invoices.ts';
import * as invoicesSql from './invoices.sql.ts';
import type { InvoiceFacts, LineRow } from './invoices.sql.ts';

/** Open invoices and credit memos dated before the opening balances. */

const facts = (asks: readonly OpeningAsk[], isNew: boolean) =>
  invoicesSql.selectFacts({
    customerIds: [...new Set(asks.map(({ entityId }) => entityId))],
    scenarioIds: [...new Set(asks.flatMap(({ scenarioId }) => scenarioId ?? []))],
    storedIds: [],
    references: { ...openingReferences(asks), packages: [], discounts: [] },
    documentCount: isNew ? asks.length : 0,
    lineCount: asks.reduce((count, { lines }) => count + lines.length, 0),
  });

/** The calls for customers' open invoices. */
export const openingInvoices = documentCalls({
  kind: RECEIVABLE.document,
  subject: { name: 'invoice', schema: BillingInvoice, idOf: ({ id }: BillingInvoice) => id },
  isOpening: true,
  lines: invoicesSql.lineStore,
  facts,
  build: (ask: OpeningAsk, found: InvoiceFacts, before) => builtOpening(RECEIVABLE.document, ask, found, before),
  heldBy: invoiceFlow.heldBy,
  view: invoiceFlow.view,
  rowView: invoiceFlow.rowView,
});

/** The calls for customers' unapplied credits. */
export const openingCredits = documentCalls({
  kind: documentKinds.creditmemo,
  subject: { name: 'creditmemo', schema: BillingCredit, idOf: ({ id }: BillingCredit) => id },
  isOpening: true,
  lines: { ...invoicesSql.lineStore },
  facts,
  build: (ask: OpeningAsk, found: InvoiceFacts, before) => builtOpening(documentKinds.creditmemo, ask, found, before),
  view: creditFlow.view,
  rowView: creditFlow.rowView,
});

/**
 * Returns a document's sales tax scenario, or undefined if the document has none. Throws 422 for an unknown scenario.
 */
function scenarioOf(ask: OpeningAsk, { scenarios }: InvoiceFacts): InvoiceFacts['scenarios'][number] | undefined {
  if (ask.scenarioId === null) return undefined;
  const scenario = scenarios.find((each) => each.scenarioId === ask.scenarioId);
  if (scenario === undefined) {
    refuseOpening(ask, { salesTaxScenario: 'This sales tax scenario does not exist. Choose another one.' });
  }
  return scenario;
}

/**
 * Builds an open invoice or credit memo. The prices of its lines are the open parts of the amounts, so that the lines
 * add up to the unpaid amount. Throws 422 with the invalid fields.
 */
function builtOpening(
  kind: SettledKind,
  ask: OpeningAsk,
  found: InvoiceFacts,
  { today, stored, lines: storedLines }: Before<LineRow>,
): Built<LineRow> {
  const isCredit = kind.source === documentKinds.creditmemo.source;
  const known = found.customers.map(({ id, deleted }) => ({ id, active: !deleted }));
  const fault = referenceFault('customer', known, { id: ask.entityId, before: stored?.entityId });
  if (fault !== undefined) refuseOpening(ask, { entityId: fault });
  const customer = present(
    found.customers.find(({ id }) => id === ask.entityId),
    'customer',
  );
  const scenario = scenarioOf(ask, found);
  requireOpeningReferences(ask, found.references, storedLines);
  const rates = (scenario?.rates ?? []).map((item) => {
    const rate = rateOn(item, ask.date);
    return { ...rate, exact: decimal(rate.percentage) };
  });
  const amounts = openingAmounts(ask, { rates, isCredit });
  const sign = isCredit ? -1 : 1;
  const open = amounts.lines.map((amount) => cents(sign * amount));
  const taxes = new Map(rates.map(({ id }, at) => [id, cents(sign * (amounts.taxes[at] ?? 0))]));
  const priced = priceLines(
    ask.lines.map(({ taxable = rates.length > 0 }, at) => {
      return { itemPrice: toDecimal(open[at] ?? ZERO), quantity: decimal(1), taxable };
    }),
    rates.map(({ exact: percentage, ...rate }) => ({ ...rate, percentage })),
    ({ id }) => taxes.get(id) ?? ZERO,
  );
  const settings = toCompanySettings(found.settings);
  const newIds = found.ids.lines.splice(0, ask.lines.length);
  const lines = ask.lines.map(({ amount: _, ...line }, at): LineRow => {
    const money = present(priced.lines[at], 'priced line');
    const row: LineRow = {
      ...NO_LINE,
      ...line,
      id: present(storedLines[at]?.id ?? newIds[at], 'line ID'),
      lineNo: at + 1,
      taxable: money.taxable,
      itemPrice: money.itemPrice,
      itemAmount: money.itemAmount.toString(),
      quantity: money.quantity.toString(),
      lineItemAmount: money.lineItemAmount,
      lineTax: money.lineItemTax.toString(),
      taxItems: money.taxItems.map((item) => ({ ...item, total: item.total.toString() })),
    };
    return isCredit ? turnedLine(row) : row;
  });
  const snapshot = priced.taxItems.map((item) => ({ ...item, percentage: item.percentage.toString() }));
  const taxSnapshot = isCredit ? turnedTaxes(snapshot) : snapshot;
  const amount = isCredit ? negate(ask.unpaid) : ask.unpaid;
  const applied = stored?.applied ?? ZERO;
  const record: DocumentRecord = {
    id: stored?.id ?? present(found.ids.documents.shift(), 'document ID'),
    kind: kind.source,
    side: RECEIVABLE.name,
    number: ask.number,
    date: ask.date,
    invoiceDate: null,
    dueDate: isCredit ? null : ask.dueDate,
    entityId: ask.entityId,
    status: stored?.status ?? OPEN,
    controlAccountId: stored?.controlAccountId ?? settings.defaultARAccountId,
    taxAccountId: scenario?.taxAccountId ?? null,
    scenarioId: scenario?.scenarioId ?? null,
    taxSnapshot,
    salesTaxAmount: sum(taxSnapshot.map(({ total }) => total)),
    amount,
    applied,
    openAmount: cents(amount - applied),
    locationId: null,
    bankAccountId: null,
    ...OF_NOTHING,
    entryDate: stored?.entryDate ?? today,
    opening: amounts.opening,
  };
  return { record, lines, entityName: customer.displayname, entityVersion: customer.rowVersion };
}

/** The fields of a line without a product, a work item, or an origin. */
const NO_LINE = {
  ...invoicesSql.OF_NO_LINE,
  productId: null,
  productName: null,
  packageId: null,
  discountId: null,
  parts: null,
  discountTerms: null,
  serviceDate: null,
  restAmount: ZERO,
  workItemId: null,
  freedItemId: null,
  freed: null,
  charge: null,
};
