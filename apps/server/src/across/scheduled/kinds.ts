import { BillingInvoice, BillingInvoiceInput } from '@evenkeel/contract/billing';
import { ExpenseInvoice, ExpenseInvoiceInput } from '@evenkeel/contract/expenses';
import { JournalEntryInput, PostedTransaction } from '@evenkeel/contract/ledger';
import {
  scheduledBillCalls,
  scheduledInvoiceCalls,
  scheduledJournalCalls,
  type TemplateCalls,
} from '@evenkeel/contract/scheduled';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { present, refuse, refuseFields } from '@evenkeel/core/failure';
import { DRAFT, OPEN } from '@evenkeel/core/documents/invoice';
import { billTotal } from '@evenkeel/core/documents/bill';
import { type Cents, cents, sum } from '@evenkeel/core/money';
import { checkPeriodWords, fillPeriodWords } from '@evenkeel/core/period-words';
import { documentKinds } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import type * as z from 'zod';
import { amountOf } from '../../features/billing/invoice-lines.ts';
import { builtInvoice, factsWanted, invoiceFlow, ratesOf } from '../../features/billing/invoices.ts';
import { type InvoiceFacts, type LineRow, selectFacts } from '../../features/billing/invoices.sql.ts';
import { bills } from '../../features/expenses/bills.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Creation } from '../../platform/http/creation.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import { entryOf, journalCreation } from '../../books/ledger/journal-posting.ts';
import { postTransaction } from '../../features/accounting/journal-entry.ts';
import { draftReply } from '../../features/accounting/journal-draft.ts';
import { toCompanySettings } from '../../books/company-settings.ts';
import { documentCalls } from '../../books/documents/documents.ts';
import { pricesSql } from './templates.sql.ts';
import { inactive } from '../../books/ledger/references.ts';

/** The kinds of scheduled documents, and how documents of each kind are previewed, dated, and created. */

/** A document as it would be created today. */
interface Drawn<One> {
  document: One;
  entityId: number | null;
  /** The customer or vendor, or the journal entry's description. */
  name: string;
  amount: Cents;
  fixedLines: LineRow[] | null;
}

/** The date of a document, and a function that moves the request's other dates along with it. */
interface Making {
  date: IsoDate;
  moved: (other: IsoDate) => IsoDate;
  makesDraft: boolean;
  /** The lines with fixed prices. */
  fixedLines: LineRow[] | null;
}

export interface TemplateKind<One, Body> {
  kind: string;
  calls: TemplateCalls<One, Body>;
  whole: z.ZodType<One>;
  input: z.ZodType<Body>;
  hasDrafts: boolean;
  /** Whether the created documents can be emailed. */
  isSent: boolean;
  /** Validates a document and returns its amount. Writes nothing. Throws the document's validation errors. */
  draw: (ctx: Ctx, body: Body) => Promise<Drawn<One>>;
  /** Returns the request without the fields that only saved documents have, and with the schedule's first date. */
  kept: (body: Body, start: IsoDate) => Body;
  /** Returns the document's amount at today's prices. Throws the document's errors if it can't be created. */
  amountNow: (ctx: Ctx, body: Body, fixedLines: LineRow[] | null) => Promise<Cents>;
  /** Creates a document and returns its ID. Throws and writes nothing if validation fails. */
  make: (ctx: Ctx, body: Body, making: Making) => Promise<{ id: number; amount: Cents }>;
}

/** Validates a document as if it were being created, without writing anything. */
async function judged<I, F, R, V>(ctx: Ctx, creation: Creation<I, F, R, V>, input: I): Promise<{ row: R; view: V }> {
  const { facts } = await ctx.tx.one(sql<{ facts: F }>`select ${creation.facts([input])} as facts`);
  return creation.make(ctx, input, facts).finish({ number: '', transactions: [] });
}

/** A request for an invoice with fixed-price lines. Its line items refer to these lines by negative IDs. */
interface FixedInput extends BillingInvoiceInput {
  fixed: LineRow[];
}

const { creation: fixedCreation } = documentCalls({
  ...invoiceFlow,
  build: (input: FixedInput, facts: InvoiceFacts, before) =>
    builtInvoice(input, facts, { ...before, lines: input.fixed }),
});

/** Returns the request with the current prices of its products. */
async function pricedToday(ctx: Ctx, body: BillingInvoiceInput): Promise<BillingInvoiceInput> {
  const ids = body.lineItems.flatMap(({ productId }) => productId ?? []);
  if (ids.length === 0) return body;
  const prices = new Map((await ctx.tx.rows(pricesSql(ids))).map(({ id, price }) => [id, cents(price)]));
  const lineItems = body.lineItems.map((line) => ({
    ...line,
    itemPrice: prices.get(line.productId ?? 0) ?? line.itemPrice,
  }));
  return { ...body, lineItems };
}

const liveLines = <Line extends { deleted?: boolean | null | undefined }>(lines: readonly Line[]): Line[] =>
  lines.filter(({ deleted }) => deleted !== true);

/** Returns the lines with the period words in their descriptions filled in for a date. */
const inPeriod = <Line extends { description?: string | null | undefined }>(lines: readonly Line[], date: IsoDate) =>
  lines.map((line) => ({ ...line, description: fillPeriodWords(line.description ?? '', date) }));

export const scheduledInvoices: TemplateKind<BillingInvoice, BillingInvoiceInput> = {
  kind: documentKinds.invoice.source,
  calls: scheduledInvoiceCalls,
  whole: BillingInvoice,
  input: BillingInvoiceInput,
  hasDrafts: true,
  isSent: true,
  kept: (body, invoiceDate) => ({
    ...body,
    id: null,
    rowVersion: null,
    closingOverrideReason: null,
    invoiceDate,
    arBillingStatus: OPEN,
    // The ID is the line's index, which identifies the line's fixed price.
    lineItems: liveLines(body.lineItems).map((line, index) => ({ ...line, id: -1 - index })),
  }),
  draw: async (ctx, body) => {
    refuseFields(checkPeriodWords('lineItems', body.lineItems));
    const { row, view } = await judged(ctx, fixedCreation, { ...body, fixed: [] });
    const fixedLines = row.parts.map((line, index) => ({ ...line, id: -1 - index }));
    const { customerId: entityId, customerDisplayName: name, invoiceAmount: amount } = view;
    const document = { ...view, id: 0, invoiceid: 0, dueDate: body.dueDate ?? null };
    return { document, entityId, name, amount, fixedLines };
  },
  amountNow: async (ctx, body, fixedLines) => {
    const asked = fixedLines === null ? await pricedToday(ctx, body) : body;
    const facts = await ctx.tx.one(selectFacts({ ...factsWanted([asked], false), lineCount: 0 }));
    const settings = toCompanySettings(facts.settings);
    const context = { ...facts, settings, stored: fixedLines ?? [], newIds: [], hasPayments: false };
    const customer = facts.customers[0];
    if (customer === undefined) throw refuse('Please Select a Customer');
    if (customer.deleted) throw refuse(inactive('customer'));
    return amountOf(asked.lineItems, ratesOf(customer, ctx.today), context);
  },
  make: async (ctx, body, { date, moved, makesDraft, fixedLines }) => {
    const asked = fixedLines === null ? await pricedToday(ctx, body) : body;
    const input = {
      ...asked,
      invoiceDate: date,
      dueDate: asked.dueDate && moved(asked.dueDate),
      arBillingStatus: makesDraft ? DRAFT : OPEN,
      lineItems: inPeriod(asked.lineItems, date).map((line) => ({
        ...line,
        serviceDate: line.serviceDate && moved(line.serviceDate),
      })),
      fixed: fixedLines ?? [],
    };
    const { id, invoiceAmount: amount } = await createWithin(ctx, fixedCreation, { input });
    return { id, amount };
  },
};

export const scheduledBills: TemplateKind<ExpenseInvoice, ExpenseInvoiceInput> = {
  kind: documentKinds.expense.source,
  calls: scheduledBillCalls,
  whole: ExpenseInvoice,
  input: ExpenseInvoiceInput,
  hasDrafts: false,
  isSent: false,
  kept: (body, invoiceDate) => ({
    ...body,
    id: null,
    rowVersion: null,
    closingOverrideReason: null,
    documentLinks: [],
    voided: false,
    invoiceDate,
    lineItems: liveLines(body.lineItems).map((line) => ({ ...line, id: null })),
  }),
  draw: async (ctx, body) => {
    refuseFields(checkPeriodWords('lineItems', body.lineItems));
    const { view } = await judged(ctx, bills.creation, body);
    const { vendorId: entityId, vendorDisplayName: name, invoiceAmount: amount } = view;
    const document = { ...view, id: 0, invoiceid: 0, dueDate: body.dueDate ?? null };
    return { document, entityId, name, amount, fixedLines: null };
  },
  amountNow: async (_, body) => billTotal(body.lineItems),
  make: async (ctx, body, { date, moved }) => {
    const input = {
      ...body,
      invoiceDate: date,
      dueDate: body.dueDate && moved(body.dueDate),
      postingDate: body.postingDate && moved(body.postingDate),
      // Each bill needs a unique vendor invoice number, so the date is added to the number.
      invoiceNumber: `${body.invoiceNumber ?? ''} ${formatDate(date)}`.trim(),
      lineItems: inPeriod(body.lineItems, date),
    };
    const { id, invoiceAmount: amount } = await createWithin(ctx, bills.creation, { input });
    return { id, amount };
  },
};

export const scheduledJournals: TemplateKind<PostedTransaction, JournalEntryInput> = {
  kind: documentKinds.journal.source,
  calls: scheduledJournalCalls,
  whole: PostedTransaction,
  input: JournalEntryInput,
  hasDrafts: true,
  isSent: false,
  kept: (body, postingDate) => ({
    ...body,
    transactionID: null,
    rowVersion: null,
    draft: false,
    closingOverrideReason: null,
    postingDate,
    generalLedgerEntries: body.generalLedgerEntries.map((line) => ({ ...line, postingDate })),
  }),
  draw: async (ctx, body) => {
    refuseFields(checkPeriodWords('generalLedgerEntries', body.generalLedgerEntries));
    const { facts } = await ctx.tx.one(
      sql<{ facts: Parameters<typeof journalCreation.make>[2] }>`select ${journalCreation.facts([body])} as facts`,
    );
    // The entry is validated as if it were being posted, and shown as a draft.
    journalCreation.make(ctx, body, facts);
    const entry = entryOf(ctx, body);
    const { useAccountNumbers } = toCompanySettings(facts.settings);
    const document = draftReply({ id: 0, entry, rowVersion: 1 }, { ...facts, useAccountNumbers });
    const entityId = entry.entityId === 0 ? null : entry.entityId;
    return { document, entityId, name: document.description, amount: debitsOf(body), fixedLines: null };
  },
  amountNow: async (_, body) => debitsOf(body),
  make: async (ctx, body, { date, makesDraft }) => {
    const lines = inPeriod(body.generalLedgerEntries, date);
    const generalLedgerEntries = lines.map((line) => ({ ...line, postingDate: date }));
    const input = { ...body, draft: makesDraft, postingDate: date, generalLedgerEntries };
    const { transactionID: id } = await postTransaction(ctx, input);
    return { id: present(id, 'journal entry ID'), amount: debitsOf(body) };
  },
};

const debitsOf = ({ generalLedgerEntries: lines }: JournalEntryInput): Cents =>
  sum(lines.flatMap(({ debit, amount }) => (debit === true ? (amount ?? []) : [])));
