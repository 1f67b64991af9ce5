import { idOrNull } from '@evenkeel/contract/fields';
import { ExpenseInvoice, type ExpenseInvoiceInput, type ExpenseLineInput } from '@evenkeel/contract/expenses';
import { billLineAmount, billTotal, requireBill } from '@evenkeel/core/documents/bill';
import { type FieldMessages, notFound, present } from '@evenkeel/core/failure';
import { lineRequirements, OPEN, PAID_AT_ONCE, posts, VOID } from '@evenkeel/core/documents/invoice';
import { cents, ZERO } from '@evenkeel/core/money';
import { PAYABLE } from '@evenkeel/core/documents/side';
import { dueByTerms } from '@evenkeel/core/documents/terms';
import { filesNamed } from '../../books/attachments/links.ts';
import { toCompanySettings } from '../../books/company-settings.ts';
import { appliedTo, type Before, type Built, documentCalls } from '../../books/documents/documents.ts';
import { type DocumentRecord, OF_NOTHING } from '../../books/documents/documents.sql.ts';
import { keptDiscount } from '../../books/documents/discounts.ts';
import { accountFault, inactive, noteFault, referenceFault, refuseFaults } from '../../books/ledger/references.ts';
import { billRowView, billView, paidBill } from './views.ts';
import * as billsSql from './bills.sql.ts';
import type { BankRow, BillFacts, FactsWanted, LineRow } from './bills.sql.ts';

/** Vendor bills, including vendor credits and bills that are paid immediately. */
export const bills = documentCalls({
  kind: PAYABLE.document,
  subject: { name: 'expense', schema: ExpenseInvoice, idOf: ({ id }: ExpenseInvoice) => id },
  owner: 'expense',
  lines: billsSql.lineStore,
  facts: (inputs: readonly ExpenseInvoiceInput[], isNew) => billsSql.selectFacts(factsWanted(inputs, isNew)),
  build: builtBill,
  view: billView,
  rowView: billRowView,
  paid: paidBill,
});

const isLive = ({ deleted }: ExpenseLineInput): boolean => deleted !== true;
const isNewLine = ({ id }: ExpenseLineInput): boolean => (id ?? 0) <= 0;
const known = (ids: readonly (number | null | undefined)[]): number[] => [
  ...new Set(ids.flatMap((id) => idOrNull(id) ?? [])),
];

/**
 * Returns the IDs to pass to `selectFacts`. The files of an edited bill are read when the changes to its links are
 * planned.
 */
function factsWanted(inputs: readonly ExpenseInvoiceInput[], isNew: boolean): FactsWanted {
  const live = inputs.flatMap(({ lineItems }) => lineItems.filter(isLive));
  return {
    vendorIds: known(inputs.map((input) => input.vendorId)),
    bankIds: known(inputs.map((input) => input.bankAccountId)),
    paidIds: isNew
      ? []
      : known(inputs.map((input) => (input.postToVendorAccount === false && !input.bankAccountId ? input.id : 0))),
    references: {
      products: [],
      accounts: known(live.map((line) => line.accountId)),
      profitCenters: known(live.map((line) => line.profitCenterId)),
      locations: known(inputs.map((input) => input.locationId)),
    },
    fileIds: isNew ? inputs.flatMap(({ documentLinks }) => filesNamed(documentLinks)) : [],
    documentCount: isNew ? inputs.length : 0,
    lineCount: live.filter(isNewLine).length,
  };
}

/** Builds a bill from the request and the stored data. Throws 422 with a message for each invalid field. */
function builtBill(input: ExpenseInvoiceInput, facts: BillFacts, before: Before<LineRow>): Built<LineRow> {
  const settings = toCompanySettings(facts.settings);
  const { activeProfitCenters: profitCenters, activeLocations: locations } = facts.references;
  const isAtOnce = input.postToVendorAccount === false;
  const bankId = isAtOnce ? (idOrNull(input.bankAccountId) ?? before.stored?.bankAccountId ?? null) : null;
  requireBill({ ...input, bankAccountId: bankId }, lineRequirements(settings, { profitCenters, locations }));
  const vendor = facts.vendors.find((each) => each.id === input.vendorId);
  const bank = facts.banks.find((each) => each.id === bankId);
  requireReferences(input, facts, { ...before, bankId, bank });
  if (vendor === undefined) throw notFound('Vendor');
  const { stored } = before;
  const amount = billTotal(input.lineItems);
  const isVoid = input.voided ?? stored?.status === VOID;
  const status = isVoid ? VOID : bank === undefined ? OPEN : PAID_AT_ONCE;
  const applied = status === PAID_AT_ONCE ? amount : stored === undefined ? ZERO : appliedTo(stored);
  // If the date or vendor changes, the current terms apply.
  const isSame = stored?.invoiceDate === input.invoiceDate && stored.entityId === vendor.id;
  const due = isSame ? stored.dueDate : dueByTerms(input.invoiceDate, vendor.termsDays ?? settings.termsDays);
  const given = { date: input.invoiceDate, terms: vendor, same: isSame ? stored : undefined };
  const discount = keptDiscount(input, given);
  const owed = stored?.bankAccountId === null ? stored.controlAccountId : settings.defaultAPAccountId;
  const record: DocumentRecord = {
    id: stored?.id ?? present(facts.ids.documents.shift(), 'bill ID'),
    kind: PAYABLE.document.source,
    side: PAYABLE.name,
    number: input.invoiceNumber ?? '',
    date: input.postingDate ?? input.invoiceDate,
    invoiceDate: input.invoiceDate,
    dueDate: input.dueDate === undefined ? due : input.dueDate,
    entityId: vendor.id,
    status,
    controlAccountId: bank?.glAccountId ?? owed,
    taxAccountId: null,
    scenarioId: null,
    taxSnapshot: [],
    salesTaxAmount: ZERO,
    amount,
    applied,
    openAmount: posts(status) ? cents(amount - applied) : ZERO,
    locationId: idOrNull(input.locationId),
    bankAccountId: bank?.id ?? null,
    ...OF_NOTHING,
    ...discount,
    entryDate: stored?.entryDate ?? before.today,
  };
  const lines = builtLines(input, facts, record);
  return { record, lines, entityName: vendor.displayname, entityVersion: vendor.rowVersion };
}

function builtLines({ lineItems }: ExpenseInvoiceInput, { ids }: BillFacts, { locationId }: DocumentRecord): LineRow[] {
  return lineItems.filter(isLive).map((line, index) => ({
    id: present(isNewLine(line) ? ids.lines.shift() : line.id, 'line ID'),
    lineNo: index + 1,
    description: line.description,
    accountId: present(line.accountId, 'line account'),
    profitCenterId: idOrNull(line.profitCenterId),
    locationId,
    creditLine: line.creditLine ?? false,
    lineItemAmount: billLineAmount(line),
  }));
}

interface Found extends Before<LineRow> {
  /** Returns the bank account from which the request pays the bill, or null if the bill is not paid immediately. */
  bankId: number | null;
  bank: BankRow | undefined;
}

/** Throws 422 unless every ID belongs to the company and is active. The bill can keep a record that is inactive now. */
function requireReferences(input: ExpenseInvoiceInput, { references, vendors }: BillFacts, found: Found): void {
  const { stored, lines: storedLines, bankId, bank } = found;
  const fields: FieldMessages = {};
  const ownVendors = vendors.map(({ id, deleted }) => ({ id, active: !deleted }));
  const vendor = { id: input.vendorId, before: stored?.entityId };
  noteFault(fields, 'vendorId', referenceFault('vendor', ownVendors, vendor));
  const paysFrom = bank?.id === stored?.bankAccountId || (bank?.active === true && bank.allowPayments);
  const isStrangeBank = bankId !== null && (bank === undefined || !paysFrom);
  const noBank = bank?.active === false ? inactive('bank account') : 'Please Select a Bank Account';
  noteFault(fields, 'bankAccountId', isStrangeBank ? noBank : undefined);
  const location = { id: idOrNull(input.locationId), before: stored?.locationId };
  noteFault(fields, 'locationId', referenceFault('location', references.locations, location));
  const seen = new Set<number>();
  input.lineItems.forEach((line, index) => {
    if (!isLive(line)) return;
    const path = `lineItems.${index}`;
    const before = storedLines.find((each) => each.id === line.id);
    const isStrange = !isNewLine(line) && (before === undefined || seen.has(before.id));
    if (before !== undefined) seen.add(before.id);
    noteFault(fields, `${path}.id`, isStrange ? "This line isn't on the bill" : undefined);
    const account = { id: line.accountId ?? 0, before: before?.accountId };
    noteFault(fields, `${path}.accountId`, accountFault(references.accounts, account, PAYABLE));
    const center = { id: idOrNull(line.profitCenterId), before: before?.profitCenterId };
    noteFault(fields, `${path}.profitCenterId`, referenceFault('profitCenter', references.profitCenters, center));
  });
  refuseFaults(fields);
}
