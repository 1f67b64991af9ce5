import { ExpenseInvoice, type ExpenseInvoiceInput, type ExpenseLineInput } from '@evenkeel/contract/expenses';
import { billLineAmount, billTotal, requireBill } from '@evenkeel/core/bill';
import type { IsoDate } from '@evenkeel/core/dates';
import { type FieldMessages, notFound, present, refuse } from '@evenkeel/core/failure';
import { checkDocumentEdit, lineRequirements, OPEN, PAID_AT_ONCE } from '@evenkeel/core/invoice';
import { difference } from '@evenkeel/core/ledger';
import { cents, ZERO } from '@evenkeel/core/money';
import { postDocument } from '@evenkeel/core/posting';
import { PAYABLE } from '@evenkeel/core/side';
import { dueByTerms } from '@evenkeel/core/terms';
import { filesNamed, linkPlan, type LinkPlan, planLinks } from '../attachments/links.ts';
import { record as recorded } from '../db/audit.ts';
import { asJson } from '../db/query.ts';
import type { Ctx } from '../http/context.ts';
import type { Creation } from '../http/creation.ts';
import { requireFresh } from '../http/fresh.ts';
import { closingOverride } from '../ledger/journal.ts';
import { toCompanySettings } from '../settings/settings.ts';
import { appliedTo, reverseDocument, settleDocument } from '../subledger/documents.ts';
import { type DocumentRecord, insertDocuments, markDeleted, updateDocument } from '../subledger/documents.sql.ts';
import { type NamedDocument, selectDocument } from '../subledger/reads.sql.ts';
import { lineAccountFault } from '../subledger/line-account.ts';
import { lockDocument, settledDocument } from '../subledger/settlement.ts';
import { billView } from './views.ts';
import * as billsSql from './bills.sql.ts';
import type { BankRow, BillFacts, FactsWanted, LineRow, VendorRow } from './bills.sql.ts';

const EXPENSE = { name: 'expense' as const, schema: ExpenseInvoice, idOf: ({ id }: ExpenseInvoice) => id };

const ownerOf = (id: number) => ({ kind: EXPENSE.name, id });

/** A bill as it is written: its head, its lines, and whose it is. */
interface BuiltBill {
  head: DocumentRecord;
  lines: LineRow[];
  vendor: VendorRow;
  links: LinkPlan;
}

/** Creates bills and posts them. */
export const billCreation: Creation<ExpenseInvoiceInput, BillFacts, BuiltBill, ExpenseInvoice> = {
  kind: EXPENSE.name,
  reply: ExpenseInvoice,
  facts: (inputs) => asJson(billsSql.selectFacts(factsWanted(inputs, inputs.length))),
  make: (actor, input, facts) => {
    const links = linkPlan(actor, EXPENSE.name, {
      given: input.documentLinks,
      before: [],
      files: taken(input, facts),
    });
    const built = builtBill(input, facts, { today: actor.today, links });
    return {
      source: { type: PAYABLE.document.source, id: built.head.id },
      postings: difference([], [postDocument(PAYABLE, settledDocument(PAYABLE, built.head, built.lines))]),
      reason: closingOverride(actor, input.closingOverrideReason),
      action: 'create',
      finish: () => ({ row: built, view: viewOf(actor, built, 1) }),
    };
  },
  write: (rows) => [
    ...insertDocuments(
      billsSql.lines,
      rows.map(({ head }) => head),
      rows.flatMap(ownLines),
    ),
    ...rows.flatMap(({ head, links }) => links.write(head.id)),
  ],
};

export async function getBill(ctx: Ctx, id: number): Promise<ExpenseInvoice> {
  const [bill, lines, links] = await Promise.all([
    ctx.tx.row(selectDocument(PAYABLE, id)),
    ctx.tx.rows(billsSql.selectLines(id)),
    planLinks(ctx, ownerOf(id), []),
  ]);
  if (bill === undefined) throw notFound('Bill');
  return billView(bill, { lines, documentLinks: links.before }, ctx.today);
}

/** Saves a bill and posts what differs, also of its payments, whose cash recognition follows its lines. */
export async function updateBill(ctx: Ctx, input: ExpenseInvoiceInput): Promise<ExpenseInvoice> {
  const id = input.id ?? 0;
  const [[[stored], storedLines, [facts]], links] = await Promise.all([
    lockDocument(ctx.tx, id, [
      selectDocument(PAYABLE, id),
      billsSql.selectLines(id),
      billsSql.selectFacts(factsWanted([{ ...input, documentLinks: [] }], 0)),
    ]),
    planLinks(ctx, ownerOf(id), input.documentLinks),
  ]);
  if (stored === undefined || facts === undefined) throw notFound('Bill');
  const before = billView(stored, { lines: storedLines, documentLinks: links.before }, ctx.today);
  requireFresh(ExpenseInvoice, before, input.rowVersion);
  const built = builtBill(input, facts, { today: ctx.today, links, stored, storedLines });
  const { head, lines } = built;
  const applied = appliedTo(stored);
  checkDocumentEdit(PAYABLE, { ...head, applied, entityChanged: head.entityId !== stored.entityId });
  const reason = closingOverride(ctx, input.closingOverrideReason);
  const { closingDate } = facts;
  const change = {
    stored,
    before: settledDocument(PAYABLE, stored, storedLines),
    after: settledDocument(PAYABLE, head, lines),
  };
  await settleDocument(ctx, PAYABLE, change, { closingDate, reason });
  const write = [
    ...updateDocument(PAYABLE, billsSql.lines, { head, own: ownLines(built), stored: storedLines }),
    ...links.write(id),
  ];
  return recorded(ctx, EXPENSE, { before, after: viewOf(ctx, built, stored.rowVersion + 1), reason, write });
}

/** Reverses and removes a bill; refused while payments stand on it: "Delete its payments first". */
export async function deleteBill(ctx: Ctx, id: number, overrideReason: string | undefined): Promise<{ ok: true }> {
  const gone = { id, lines: billsSql.selectLines(id), overrideReason };
  const [{ stored, lines, reason }, { before: documentLinks }] = await Promise.all([
    reverseDocument(ctx, PAYABLE, gone),
    planLinks(ctx, ownerOf(id), []),
  ]);
  const before = billView(stored, { lines, documentLinks }, ctx.today);
  recorded(ctx, EXPENSE, { before, reason, write: markDeleted(id) });
  return { ok: true };
}

const isLive = ({ deleted }: ExpenseLineInput): boolean => deleted !== true;
const isNew = ({ id }: ExpenseLineInput): boolean => (id ?? 0) <= 0;
const known = (ids: readonly (number | null | undefined)[]): number[] => [
  ...new Set(ids.flatMap((id) => given(id) ?? [])),
];

/** Clients say "none" as null, 0 or by leaving the field out. */
function given(id: number | null | undefined): number | null {
  return id === undefined || id === 0 ? null : id;
}

/** The parameters of `selectFacts` for these bills, `billCount` of them new. */
function factsWanted(inputs: readonly ExpenseInvoiceInput[], billCount: number): FactsWanted {
  const live = inputs.flatMap(({ lineItems }) => lineItems.filter(isLive));
  return {
    vendorIds: known(inputs.map((input) => input.vendorId)),
    bankIds: known(inputs.map((input) => input.bankAccountId)),
    references: {
      products: [],
      accounts: known(live.map((line) => line.accountId)),
      profitCenters: known(live.map((line) => line.profitCenterId)),
      locations: known(inputs.map((input) => input.locationId)),
    },
    fileIds: inputs.flatMap(({ documentLinks }) => filesNamed(documentLinks)),
    billCount,
    lineCount: live.filter(isNew).length,
  };
}

/** The files of one bill, each out of those for all: a link has an id of its own. */
function taken({ documentLinks }: ExpenseInvoiceInput, { files }: BillFacts): BillFacts['files'] {
  return filesNamed(documentLinks).flatMap((id) => {
    const at = files.findIndex((file) => file.id === id);
    return at < 0 ? [] : files.splice(at, 1);
  });
}

interface Before {
  today: IsoDate;
  links: LinkPlan;
  /** The edited bill; records that it names may stay though they were deactivated since. */
  stored?: NamedDocument;
  storedLines?: readonly LineRow[];
}

/** A bill of what was asked for and the facts. Throws a refusal with the fields at fault. */
function builtBill(input: ExpenseInvoiceInput, facts: BillFacts, before: Before): BuiltBill {
  const settings = toCompanySettings(facts.settings);
  const { activeProfitCenters: profitCenters, activeLocations: locations } = facts.references;
  requireBill(input, lineRequirements(settings, { profitCenters, locations }));
  const vendor = facts.vendors.find((each) => each.id === input.vendorId);
  const wantsBank = input.postToVendorAccount === false ? given(input.bankAccountId) : null;
  const bank = facts.banks.find((each) => each.id === wantsBank);
  requireReferences(input, facts, { ...before, vendor, wantsBank, bank });
  if (vendor === undefined) throw notFound('Vendor');
  const { stored } = before;
  const amount = billTotal(input.lineItems);
  const applied = bank === undefined ? (stored === undefined ? ZERO : appliedTo(stored)) : amount;
  // With another date or vendor than before, the terms are those of now.
  const isSame = stored?.invoiceDate === input.invoiceDate && stored.entityId === vendor.id;
  const due = isSame ? stored.dueDate : dueByTerms(input.invoiceDate, vendor.termsDays ?? settings.termsDays);
  const owed = stored?.status === OPEN ? stored.controlAccountId : settings.defaultAPAccountId;
  const head: DocumentRecord = {
    id: stored?.id ?? present(facts.ids.bills.shift(), 'id of a bill'),
    side: PAYABLE.name,
    number: input.invoiceNumber ?? '',
    date: input.postingDate ?? input.invoiceDate,
    invoiceDate: input.invoiceDate,
    dueDate: input.dueDate === undefined ? due : input.dueDate,
    entityId: vendor.id,
    status: bank === undefined ? OPEN : PAID_AT_ONCE,
    controlAccountId: bank?.glAccountId ?? owed,
    taxAccountId: null,
    scenarioId: null,
    taxSnapshot: [],
    salesTaxAmount: ZERO,
    amount,
    applied,
    openAmount: cents(amount - applied),
    locationId: given(input.locationId),
    bankAccountId: bank?.id ?? null,
    entryDate: stored?.entryDate ?? before.today,
  };
  const lines = input.lineItems.filter(isLive).map((line, index) => ({
    id: present(isNew(line) ? facts.ids.lines.shift() : line.id, 'id of a line'),
    lineNo: index + 1,
    description: line.description,
    accountId: present(line.accountId, 'account of a line'),
    profitCenterId: given(line.profitCenterId),
    locationId: head.locationId,
    creditLine: line.creditLine ?? false,
    lineItemAmount: billLineAmount(line),
  }));
  return { head, lines, vendor, links: before.links };
}

interface Found extends Before {
  vendor: VendorRow | undefined;
  wantsBank: number | null;
  bank: BankRow | undefined;
}

/** Every id must be the company's own and usable. */
function requireReferences(input: ExpenseInvoiceInput, { references }: BillFacts, found: Found): void {
  const { stored, storedLines = [], vendor, wantsBank, bank } = found;
  const fields: FieldMessages = {};
  const note = (path: string, isWrong: boolean, message: string): void => {
    if (isWrong) fields[path] = message;
  };
  const isGone = vendor === undefined || (vendor.deleted && vendor.id !== stored?.entityId);
  note('vendorId', isGone, 'Please Select a Vendor');
  const paysFrom = bank?.id === stored?.bankAccountId || (bank?.active === true && bank.allowPayments);
  note('bankAccountId', wantsBank !== null && (bank === undefined || !paysFrom), 'Please Select a Bank Account');
  const isOwn = (id: number | null | undefined, own: readonly number[]): boolean =>
    given(id) === null || own.includes(id ?? 0);
  note('locationId', !isOwn(input.locationId, references.locationIds), 'Please Select a Location');
  const seen = new Set<number>();
  input.lineItems.forEach((line, index) => {
    if (!isLive(line)) return;
    const path = `lineItems.${index}`;
    const before = storedLines.find((each) => each.id === line.id);
    const account = references.accounts.find((each) => each.id === line.accountId);
    const fault = lineAccountFault(account, PAYABLE, before?.accountId);
    const isStrange = !isNew(line) && (before === undefined || seen.has(before.id));
    if (before !== undefined) seen.add(before.id);
    note(`${path}.id`, isStrange, 'This line is not part of the invoice');
    note(`${path}.accountId`, fault !== undefined, fault ?? '');
    const isOwnCenter = isOwn(line.profitCenterId, references.profitCenterIds);
    note(`${path}.profitCenterId`, !isOwnCenter, 'Please Select a Profit Center');
  });
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}

function ownLines({ head, lines }: BuiltBill) {
  return lines.map((line) => ({ ...line, documentId: head.id }));
}

function viewOf({ today }: Pick<Ctx, 'today'>, built: BuiltBill, rowVersion: number): ExpenseInvoice {
  const { head, lines, vendor, links } = built;
  const bill = { ...head, rowVersion, deleted: false, entityName: vendor.displayname };
  return billView(bill, { lines, documentLinks: links.after }, today);
}
