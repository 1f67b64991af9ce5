import { BillingCredit, type BillingCreditInput, type BillingCreditRow } from '@evenkeel/contract/credits';
import { idOrNull } from '@evenkeel/contract/fields';
import { creditFault, turnedLine, turnedTaxes } from '@evenkeel/core/documents/credit';
import type { IsoDate } from '@evenkeel/core/dates';
import { type FieldMessages, notFound, refuse } from '@evenkeel/core/failure';
import { posts } from '@evenkeel/core/documents/invoice';
import { cents, type Cents, decimal, formatUsd, negate, ZERO } from '@evenkeel/core/money';
import type { Whole } from '@evenkeel/core/documents/parts';
import { documentKinds, RECEIVABLE } from '@evenkeel/core/documents/side';
import type { Ctx } from '../../platform/http/context.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import { type Before, type Built, documentCalls } from '../../books/documents/documents.ts';
import { type NamedDocument, selectDocument } from '../../books/documents/reads.sql.ts';
import { refuseFaults } from '../../books/ledger/references.ts';
import { idList, lockDocumentsOf } from '../../books/documents/settlement.sql.ts';
import { lockSettlement } from '../../books/documents/settlement.ts';
import { builtSale, factsWanted, inputOf, wholeOf } from './invoices.ts';
import * as invoicesSql from './invoices.sql.ts';
import type { InvoiceFacts, LineRow } from './invoices.sql.ts';
import { billingPayments, invoiceRowView, invoiceView, partsView } from './views.ts';

/** Credit memos are priced like invoices and posted with the opposite sign (docs/accounting.md, "Credit memos"). */

const kind = documentKinds.creditmemo;

/** An invoice to credit, with the quantities and amounts of its lines that are already on other credit memos. */
interface Origin {
  invoice: NamedDocument;
  lines: LineRow[];
  credited: ReadonlyMap<number, invoicesSql.CreditedRow>;
  /** The tax items on the other credit memos. Their amounts have the invoice's sign. */
  creditedTaxes: invoicesSql.PartTaxes[];
}

/** A request whose lines have been completed with the details of the invoice's lines. */
interface CreditAsked extends BillingCreditInput {
  origin?: Origin | undefined;
}

/** The functions and settings for the credit memo endpoints. */
export const creditFlow = {
  kind,
  subject: { name: 'creditmemo', schema: BillingCredit, idOf: ({ id }: BillingCredit) => id },
  lines: { ...invoicesSql.lineStore },
  facts: (inputs: readonly CreditAsked[], isNew: boolean) =>
    invoicesSql.selectFacts({ ...factsWanted(inputs, isNew), storedIds: [] }),
  build: builtCredit,
  view: creditView,
  rowView: creditRowView,
};
const memos = documentCalls(creditFlow);

/** Builds a credit memo from the request and the stored data. Throws 422 with a message for each invalid field. */
function builtCredit(
  input: CreditAsked,
  facts: InvoiceFacts,
  { today, stored, lines }: Before<LineRow>,
): Built<LineRow> {
  const { origin } = input;
  // Negative IDs identify the invoice's lines.
  const own = [...lines.map(turnedLine), ...(origin?.lines ?? []).map((line) => ({ ...line, id: -line.id }))];
  const before = { today, lines: own, stored: stored && turnedHead(stored) };
  const invoice = origin?.invoice;
  const tax = invoice && {
    rates: invoice.taxSnapshot,
    scenarioId: invoice.scenarioId,
    taxAccountId: invoice.taxAccountId,
  };
  const whole = origin && creditedWhole(origin);
  const built = builtSale({ ...input, dueDate: null }, facts, before, { kind, tax, whole });
  const { record } = built;
  if (record.amount < 0) throw refuse('Credit memo total cannot be negative');
  const applied = stored?.applied ?? ZERO;
  const amount = negate(record.amount);
  return {
    ...built,
    record: {
      ...record,
      amount,
      applied,
      openAmount: posts(record.status) ? cents(amount - applied) : ZERO,
      salesTaxAmount: negate(record.salesTaxAmount),
      taxSnapshot: turnedTaxes(record.taxSnapshot),
      creditedId: stored === undefined ? (invoice?.id ?? null) : stored.creditedId,
      note: input.reason ?? stored?.note ?? '',
    },
    lines: built.lines.map((line) => turnedLine({ ...line, workItemId: null })),
  };
}

/** Returns the invoice, with the amounts that are on its other credit memos. */
const creditedWhole = ({ invoice, lines, credited, creditedTaxes }: Origin): Whole =>
  wholeOf(
    lines.map(({ id, quantity, lineItemAmount: amount, discountTerms }) => {
      const taken = credited.get(id) ?? { quantity: '0', amount: ZERO };
      return { id, quantity, amount, discountType: discountTerms?.discountType, taken };
    }),
    invoice.taxSnapshot,
    creditedTaxes,
  );

/** Returns a stored credit memo's header, with amounts that have the invoice's sign. */
function turnedHead<D extends NamedDocument>(memo: D): D {
  const { amount, applied, openAmount, salesTaxAmount, taxSnapshot } = memo;
  return {
    ...memo,
    amount: negate(amount),
    applied: negate(applied),
    openAmount: negate(openAmount),
    salesTaxAmount: negate(salesTaxAmount),
    taxSnapshot: turnedTaxes(taxSnapshot),
  };
}

/** Returns a stored credit memo in the list format. */
export function creditRowView(memo: NamedDocument, today: IsoDate): BillingCreditRow {
  return { ...invoiceRowView(memo, today), creditedInvoiceId: memo.creditedId };
}

function creditView(memo: NamedDocument, { lines }: { lines: readonly LineRow[] }, today: IsoDate): BillingCredit {
  const turned = lines.map(turnedLine);
  const { lineItems, ...view } = invoiceView(memo, { lines: turned }, today);
  return {
    ...view,
    lineItems: lineItems.map(({ workItemId: _, sourceLineId: __, ...line }, at) => {
      return { ...line, creditedLineId: turned[at]?.creditedLineId ?? null };
    }),
    taxItems: turnedTaxes(view.taxItems),
    creditedInvoiceId: memo.creditedId,
    reason: memo.note,
  };
}

/**
 * Reads an invoice with the quantities and amounts on its credit memos, except those on the credit memo `but`. Throws
 * 404 if the invoice does not exist.
 */
async function originOf(ctx: Ctx, invoiceId: number, but = 0): Promise<Origin> {
  const [[invoice], lines, credited, taxes] = await ctx.tx.inOrder([
    selectDocument(RECEIVABLE.document, invoiceId),
    invoicesSql.lineStore.select(invoiceId),
    invoicesSql.selectCredited([invoiceId], but),
    invoicesSql.selectPartTaxes('credited_id', invoiceId, but),
  ]);
  if (invoice === undefined) throw notFound('Invoice');
  return {
    invoice,
    lines: lines.map((line) => ({ ...line, ...invoicesSql.OF_NO_LINE, workItemId: null, creditedLineId: line.id })),
    credited: new Map(credited.map((row) => [row.lineId, row])),
    creditedTaxes: taxes.map((each) => ({ ...each, taxSnapshot: turnedTaxes(each.taxSnapshot) })),
  };
}

/** Fills the request's lines from the invoice's lines. Throws 422 with a message for each invalid field. */
function ofInvoice(input: BillingCreditInput, origin: Origin): CreditAsked {
  const { invoice, lines, credited } = origin;
  if (!invoice.isPosted) throw refuse("A draft or void invoice can't be credited");
  if (input.customerId !== invoice.entityId) {
    const message = 'The credit memo must be for the same customer as the invoice';
    throw refuse(message, { customerId: message });
  }
  const fields: FieldMessages = {};
  const taken = new Map([...credited].map(([id, { quantity }]) => [id, decimal(quantity)]));
  const lineItems = input.lineItems.map((asked, index) => {
    if (asked.deleted === true) return asked;
    const line = lines.find(({ id }) => id === asked.creditedLineId);
    if (line === undefined) {
      fields[`lineItems.${index}.creditedLineId`] = "This line isn't on the invoice";
      return asked;
    }
    const before = taken.get(line.id) ?? decimal(0);
    const discountType = line.discountTerms?.discountType;
    const fault = creditFault({ quantity: decimal(line.quantity), credited: before, discountType }, asked.quantity);
    if (fault !== undefined) fields[`lineItems.${index}.quantity`] = fault;
    taken.set(line.id, before.plus(asked.quantity));
    return {
      ...inputOf(line),
      creditedLineId: line.id,
      quantity: asked.quantity,
      id: (asked.id ?? 0) > 0 ? asked.id : -line.id,
    };
  });
  refuseFaults(fields);
  return { ...input, lineItems, origin };
}

/**
 * Creates a credit memo and, if requested, applies it to the credited invoice in the same transaction. Locks the
 * invoice first, so that no other request credits its lines or pays the invoice at the same time. Throws 404, or 422
 * with the invalid fields.
 */
async function create(ctx: Ctx, { body }: { body: BillingCreditInput }): Promise<BillingCredit> {
  const invoiceId = idOrNull(body.creditedInvoiceId);
  const apply = body.applyAmount ?? ZERO;
  if (invoiceId === null) {
    if (apply !== 0) throw refuse('Select the invoice to apply the credit to');
    return createWithin(ctx, memos.creation, { input: body });
  }
  const from = body.invoiceDate;
  await lockSettlement(ctx.tx, RECEIVABLE, { documentIds: [invoiceId], paymentId: 0, openOfEntityIds: [], from }, []);
  const asked = ofInvoice(body, await originOf(ctx, invoiceId));
  const memo = await createWithin(ctx, memos.creation, { input: asked });
  if (apply === 0) return memo;
  await applyMemo(ctx, memo, { invoiceId, amount: apply, reason: body.closingOverrideReason });
  return memos.get(ctx, memo.id);
}

interface Use {
  invoiceId: number;
  amount: Cents;
  reason: string | null | undefined;
}

/** Applies a credit memo to an invoice through a payment of 0.00 that has the credit memo's date. */
async function applyMemo(ctx: Ctx, memo: BillingCredit, { invoiceId, amount, reason }: Use): Promise<void> {
  if (amount < 0 || amount > -memo.openAmount) {
    const message = `You can apply at most ${formatUsd(negate(memo.openAmount))}`;
    throw refuse(message, { applyAmount: message });
  }
  await billingPayments.creation.create(ctx, {
    body: {
      id: 0,
      customerId: memo.customerId,
      paymentDate: memo.invoiceDate,
      paymentAmount: ZERO,
      paymentDescription: `Credit memo ${memo.invoiceNumber}`,
      paymentApplications: [
        { invoiceId: memo.id, amount: negate(amount) },
        { invoiceId, amount },
      ],
      closingOverrideReason: reason,
    },
  });
}

/**
 * Saves a credit memo and posts the difference. Also locks its invoice. Throws 404 if the credit memo does not exist,
 * 409 if it is outdated or can't be changed, and 422 with the invalid fields.
 */
async function update(ctx: Ctx, input: BillingCreditInput): Promise<BillingCredit> {
  const id = input.id ?? 0;
  const stored = await ctx.tx.row(selectDocument(kind, id));
  if (stored === undefined) throw notFound(kind.words.title);
  const { creditedId } = stored;
  if (creditedId === null) return memos.update(ctx, { ...input, origin: undefined });
  await ctx.tx.rows(lockDocumentsOf(idList([creditedId])));
  return memos.update(ctx, ofInvoice(input, await originOf(ctx, creditedId, id)));
}

export const credits = {
  ...memos,
  create,
  update,
  /**
   * Returns the credited part of an invoice, not including the credit memo `but` (0 for none). Throws 404 if the
   * invoice does not exist.
   */
  creditable: async (ctx: Ctx, invoiceId: number, but = 0) => {
    const origin = await originOf(ctx, invoiceId, but);
    return {
      invoiceId,
      lines: [...origin.credited.values()].map(({ lineId, quantity }) => {
        return { lineId, creditedQuantity: decimal(quantity) };
      }),
      parts: partsView(creditedWhole(origin)),
    };
  },
};
