import type { Cents } from '@evenkeel/core/money';
import type { Side, SourceType } from '@evenkeel/core/side';
import { type RowOf, table } from '../db/table.ts';

/** The tables that both sides share. */

/** A tax item as copied onto an invoice; percentage as decimal text. */
export interface TaxSnapshot {
  id: number;
  label: string;
  salesTaxType: number;
  percentage: string;
  total: Cents;
}

/** Heads of invoices and bills. */
export const documents = table('document', {
  id: 'id',
  side: 'side',
  number: 'document_number',
  /** The day on which it is posted, and which its payments go by. */
  date: 'document_date',
  /** Of a bill: the vendor's own date; null where it is the same. */
  invoiceDate: 'invoice_date',
  dueDate: 'due_date',
  entityId: 'entity_id',
  status: 'status',
  controlAccountId: 'control_account_id',
  taxAccountId: 'tax_account_id',
  scenarioId: 'sales_tax_scenario_id',
  taxSnapshot: 'tax_snapshot',
  salesTaxAmount: 'sales_tax_cents',
  amount: 'total_cents',
  applied: 'applied_cents',
  openAmount: 'open_cents',
  /** Of a bill: where its lines belong, and the bank that paid it at once. */
  locationId: 'location_id',
  bankAccountId: 'bank_account_id',
  entryDate: 'entry_date',
  deleted: 'deleted',
  rowVersion: 'row_version',
}).typed<{ side: Side['name']; taxSnapshot: TaxSnapshot[] }>();
export type DocumentRow = RowOf<typeof documents>;

export const payments = table('payment', {
  id: 'id',
  side: 'side',
  number: 'payment_number',
  entityId: 'entity_id',
  date: 'payment_date',
  amount: 'amount_cents',
  applied: 'applied_cents',
  unapplied: 'unapplied_cents',
  paymentTypeId: 'payment_type_id',
  referenceNumber: 'reference_number',
  checkNumber: 'check_number',
  description: 'description',
  bankAccountId: 'bank_account_id',
  paymentAccountId: 'payment_account_id',
  glAccountId: 'gl_account_id',
  controlAccountId: 'control_account_id',
  locationId: 'location_id',
  entryDate: 'entry_date',
  deleted: 'deleted',
  rowVersion: 'row_version',
}).typed<{ side: Side['name'] }>();
export type PaymentRow = RowOf<typeof payments>;

export const applications = table('payment_application', {
  side: 'side',
  paymentId: 'payment_id',
  documentId: 'document_id',
  amount: 'amount_cents',
  recognitionDate: 'recognition_date',
  appliedBefore: 'applied_before_cents',
}).typed<{ side: Side['name'] }>();

/** What a request named on a payment's share of a document, where it named anything. */
export const applicationDimensions = table('payment_application_dimension', {
  paymentId: 'payment_id',
  documentId: 'document_id',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
});

interface LineTable {
  name: string;
  /** The column that names the line's document. */
  document: string;
  /** The column that holds what is posted in place of a package. */
  parts: string | null;
}

/** Where the lines of a side's documents are. */
export const lineTables: Readonly<Record<Side['name'], LineTable>> = {
  receivable: { name: 'invoice_line', document: 'invoice_id', parts: 'package_parts' },
  payable: { name: 'expense_line', document: 'expense_id', parts: null },
};

/** The counter of the ledger's head that numbers a kind of document. */
export const counters: Readonly<Partial<Record<SourceType, string>>> = {
  invoice: 'next_invoice_number',
  payment: 'next_payment_number',
  expensepayment: 'next_expense_payment_number',
};
