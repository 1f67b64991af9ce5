import { type BillingInvoiceRow, BillingPayment, type BillingPaymentInput } from '@evenkeel/contract/billing';
import { encode } from '@evenkeel/contract/wire';
import { allocate, checkApplications, type InvoiceApplication, type OpenInvoice } from '@evenkeel/core/allocation';
import type { IsoDate } from '@evenkeel/core/dates';
import { type FieldMessages, notFound, refuse } from '@evenkeel/core/failure';
import { posts } from '@evenkeel/core/invoice';
import { cents, type Cents, sum, ZERO } from '@evenkeel/core/money';
import { audit } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { closingOverride, post } from '../ledger/post.ts';
import { settingsSql, toCompanySettings } from '../settings/settings.ts';
import { invoiceRowView } from './invoice-view.ts';
import * as paymentsSql from './payments.sql.ts';
import type { PaymentRecord, PaymentReferences, PaymentWithCustomer } from './payments.sql.ts';
import { appliedTo, loadSettlement, paymentRequests, recognitionRows, type Settlement } from './settlement.ts';
import type { ApplicationRow } from './settlement.sql.ts';
import { paymentView } from './payment-view.ts';

export type PostedPayment = BillingPayment & { affectedInvoices: BillingInvoiceRow[]; transactionID: number };

/**
 * Posts a customer payment (Specification part 1 §4 "Payment allocation"; accounting: A3, A6). The invoices it may
 * touch are locked before anything is checked, so that two payments at once never apply more than is open.
 */
export async function createPayment(ctx: Ctx, input: BillingPaymentInput): Promise<PostedPayment> {
  const [settlement, references, settingRows] = await Promise.all([
    loadSettlement(ctx.tx, {
      companyId: ctx.companyId,
      invoiceIds: (input.paymentApplications ?? []).map((each) => each.invoiceId),
      paymentId: 0,
      openOfCustomerId: hasOwnApplications(input) ? 0 : input.customerId,
    }),
    ctx.tx.row(paymentsSql.selectPaymentReferences(ctx.companyId, referenced(input))),
    ctx.tx.rows(settingsSql(ctx.companyId)),
  ]);
  if (references === undefined) throw notFound('Company');
  checkReferences(input, references, undefined);
  const settings = toCompanySettings(settingRows);
  const applications = applicationsOf(input, settlement, 0);
  const record = recordOf(input, references, {
    id: references.nextId,
    paymentNumber: '',
    arAccountId: settings.defaultARAccountId,
    entryDate: ctx.today,
    applications,
  });
  return save(ctx, { input, record, settlement, references, applications, before: undefined, transactionId: 0 });
}

/** Saves a payment and posts the difference; invoices it no longer pays are open again. */
export async function updatePayment(ctx: Ctx, input: BillingPaymentInput): Promise<PostedPayment> {
  const id = input.id ?? 0;
  const [settlement, stored, applied, references, transaction] = await Promise.all([
    loadSettlement(ctx.tx, {
      companyId: ctx.companyId,
      invoiceIds: (input.paymentApplications ?? []).map((each) => each.invoiceId),
      paymentId: id,
      openOfCustomerId: hasOwnApplications(input) ? 0 : input.customerId,
    }),
    ctx.tx.row(paymentsSql.selectPayment(ctx.companyId, id)),
    ctx.tx.rows(paymentsSql.selectApplied(ctx.companyId, id)),
    ctx.tx.row(paymentsSql.selectPaymentReferences(ctx.companyId, referenced(input))),
    ctx.tx.row(paymentsSql.selectTransactionId(ctx.companyId, id)),
  ]);
  if (stored === undefined || references === undefined || id === 0) throw notFound('Payment');
  const before = paymentView(stored, applied);
  requireFresh(BillingPayment, before, input.rowVersion);
  checkReferences(input, references, stored);
  if (input.customerId !== stored.customerId && applied.length > 0) {
    throw refuse('The customer of an applied payment cannot change', { customerId: 'Delete its applications first' });
  }
  const applications = applicationsOf(input, settlement, id);
  const record = recordOf(input, references, { ...stored, applications });
  const transactionId = transaction?.id ?? 0;
  return save(ctx, {
    input,
    record,
    settlement,
    references,
    applications,
    before: { ...stored, view: before },
    transactionId,
  });
}

/** Reverses and removes a payment; its invoices are open again, other payments' shares move up. */
export async function deletePayment(ctx: Ctx, id: number, reason: string | undefined) {
  const [settlement, stored, applied] = await Promise.all([
    loadSettlement(ctx.tx, { companyId: ctx.companyId, invoiceIds: [], paymentId: id, openOfCustomerId: 0 }),
    ctx.tx.row(paymentsSql.selectPayment(ctx.companyId, id)),
    ctx.tx.rows(paymentsSql.selectApplied(ctx.companyId, id)),
  ]);
  if (stored === undefined) throw notFound('Payment');
  const remaining = settlement.applications.filter((each) => each.paymentId !== id);
  const touched = invoiceIdsOf(settlement.applications, id);
  settlement.applications = remaining;
  const payment = settlement.payments.get(id);
  if (payment !== undefined) settlement.payments.set(id, { ...payment, amount: ZERO });
  const override = closingOverride(ctx, reason);
  await post(ctx, paymentRequests(settlement), { mayPostClosed: override !== undefined });
  for (const statement of paymentsSql.replaceApplications(ctx.companyId, { paymentId: id }, []))
    ctx.tx.atEnd(statement);
  ctx.tx.atEnd(paymentsSql.markPaymentDeleted(ctx.companyId, id));
  const affectedInvoices = reopen(ctx, settlement, {
    invoiceIds: touched,
    customerDisplayName: stored.customerDisplayName,
  });
  const before = encode(BillingPayment, paymentView(stored, applied));
  audit(ctx, { action: 'delete', subjectType: 'payment', subjectId: id, before, reason: override });
  return { ok: true as const, affectedInvoices };
}

/** A client that sends no applications leaves the filling to the server. */
function hasOwnApplications(input: BillingPaymentInput): boolean {
  return input.paymentApplications !== null && input.paymentApplications !== undefined;
}

function referenced(input: BillingPaymentInput) {
  return {
    customerId: input.customerId,
    bankAccountId: input.bankAccountId ?? 0,
    paymentAccountId: input.paymentAccountId ?? 0,
    paymentTypeId: input.paymentTypeId ?? 0,
  };
}

/** Every id must be the company's own and usable; what was saved before may stay though it was deactivated since. */
function checkReferences(
  input: BillingPaymentInput,
  references: PaymentReferences,
  stored: PaymentWithCustomer | undefined,
): void {
  const wantsBank = (input.bankAccountId ?? 0) > 0;
  const wantsAccount = (input.paymentAccountId ?? 0) > 0;
  const fields: FieldMessages = {};
  const isSameCustomer = stored?.customerId === input.customerId;
  if (references.customerName === null || (references.customerDeleted && !isSameCustomer)) {
    fields['customerId'] = 'Please Select a Customer';
  }
  if (input.paymentAmount <= 0) fields['paymentAmount'] = 'The payment amount must be greater than $0.00';
  if (wantsBank === wantsAccount) {
    fields['bankAccountId'] = wantsBank
      ? 'Please select either a bank account or a cash account'
      : 'Please Select a Bank Account';
  } else if (wantsBank && !mayDeposit(references, stored?.bankAccountId === input.bankAccountId)) {
    fields['bankAccountId'] = 'Please Select a Bank Account';
  } else if (wantsAccount && references.paymentAccountId === null) {
    fields['paymentAccountId'] = 'Please Select a Cash Account';
  }
  if ((input.paymentTypeId ?? 0) > 0 && references.paymentTypeId === null) {
    fields['paymentTypeId'] = 'Please Select a Payment Type';
  }
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}

function mayDeposit(references: PaymentReferences, isSame: boolean): boolean {
  if (references.bankGlAccountId === null) return false;
  return isSame || (references.bankActive && references.bankAllowsDeposits);
}

/** The applications a request asks for, or the filling in list order; checked against what is open under lock. */
function applicationsOf(input: BillingPaymentInput, settlement: Settlement, paymentId: number): InvoiceApplication[] {
  const open = openFor(settlement, input.customerId, paymentId);
  const amount = input.paymentAmount;
  if (!hasOwnApplications(input)) return allocate(amount, open);
  return checkApplications({ amount, applications: input.paymentApplications ?? [], open });
}

/** The customer's locked invoices with what this payment may apply to each. */
function openFor(settlement: Settlement, customerId: number, paymentId: number): OpenInvoice[] {
  return [...settlement.locked.values()]
    .filter((invoice) => invoice.customerId === customerId && posts(invoice.status))
    .map(({ id, invoiceNumber, invoiceDate, dueDate, openAmount }) => {
      const own = settlement.applications.filter((each) => each.invoiceId === id && each.paymentId === paymentId);
      const unpaid = cents(openAmount + sum(own.map((each) => each.amount)));
      return { invoiceId: id, invoiceNumber, invoiceDate, dueDate, unpaid };
    });
}

interface FixedParts {
  id: number;
  paymentNumber: string;
  arAccountId: number;
  entryDate: IsoDate;
  applications: readonly InvoiceApplication[];
}

function recordOf(input: BillingPaymentInput, references: PaymentReferences, fixed: FixedParts): PaymentRecord {
  const usesBank = (input.bankAccountId ?? 0) > 0;
  const applied = sum(fixed.applications.map((each) => each.amount));
  return {
    id: fixed.id,
    paymentNumber: fixed.paymentNumber,
    arAccountId: fixed.arAccountId,
    entryDate: fixed.entryDate,
    customerId: input.customerId,
    paymentDate: input.paymentDate,
    amount: input.paymentAmount,
    unapplied: cents(input.paymentAmount - applied),
    paymentTypeId: references.paymentTypeId,
    referenceNumber: input.paymentRefNo ?? '',
    checkNumber: input.paymentCheckNo ?? '',
    description: input.paymentDescription ?? '',
    bankAccountId: usesBank ? (input.bankAccountId ?? null) : null,
    paymentAccountId: usesBank ? null : references.paymentAccountId,
    glAccountId: (usesBank ? references.bankGlAccountId : references.paymentAccountId) ?? 0,
  };
}

interface SaveInput {
  input: BillingPaymentInput;
  record: PaymentRecord;
  settlement: Settlement;
  references: PaymentReferences;
  applications: readonly InvoiceApplication[];
  before: (PaymentWithCustomer & { view: BillingPayment }) | undefined;
  /** The payment's newest transaction so far; 0 for a new one. */
  transactionId: number;
}

async function save(ctx: Ctx, work: SaveInput): Promise<PostedPayment> {
  const { input, record, settlement, before } = work;
  const reason = closingOverride(ctx, input.closingOverrideReason);
  const touched = invoiceIdsOf(settlement.applications, record.id);
  const rows = rowsOf(work, reason !== undefined ? null : work.references.closingDate);
  const others = settlement.applications.filter((each) => each.paymentId !== record.id);
  settlement.applications = [...others, ...rows];
  settlement.payments.set(record.id, { ...record, rowVersion: 0 });
  const requests = paymentRequests(settlement);
  const number = before === undefined ? { number: { kind: 'payment' as const, label: 'Payment' } } : {};
  const posted = await post(ctx, requests, { ...number, mayPostClosed: reason !== undefined });
  const saved = { ...record, paymentNumber: posted.number ?? record.paymentNumber };
  write(ctx, saved, { rows, isNew: before === undefined });
  const customerDisplayName = work.references.customerName ?? '';
  const affectedInvoices = reopen(ctx, settlement, {
    invoiceIds: [...new Set([...touched, ...invoiceIdsOf(rows, record.id)])],
    customerDisplayName,
  });
  const rowVersion = (before?.rowVersion ?? 0) + 1;
  const view = paymentView({ ...saved, rowVersion, customerDisplayName }, appliedRows(work));
  const own = requests.findIndex((request) => request.source.id === record.id);
  const transactionID = posted.results[own]?.transactionIds[0] ?? work.transactionId;
  audit(ctx, {
    action: before === undefined ? 'create' : 'update',
    subjectType: 'payment',
    subjectId: record.id,
    before: before === undefined ? undefined : encode(BillingPayment, before.view),
    after: encode(BillingPayment, view),
    reason,
  });
  return { ...view, affectedInvoices, transactionID };
}

function rowsOf(work: SaveInput, closingDate: IsoDate | null): ApplicationRow[] {
  const { record, settlement, applications } = work;
  const isSameDate = work.before?.paymentDate === record.paymentDate;
  const wanted = new Map(invoiceIdsOf(settlement.applications, record.id).map((invoiceId) => [invoiceId, ZERO]));
  for (const { invoiceId, amount } of applications) wanted.set(invoiceId, amount);
  return [...wanted].flatMap(([invoiceId, amount]) => {
    const invoice = settlement.locked.get(invoiceId);
    const before = settlement.applications.filter(
      (each) => each.invoiceId === invoiceId && each.paymentId === record.id,
    );
    // Deleted since all was taken back: what closed periods recognised stays.
    if (invoice === undefined && amount === 0) return before;
    if (invoice === undefined) throw new Error(`invoice ${invoiceId} was not locked`);
    const { id: paymentId, paymentDate } = record;
    const { invoiceDate } = invoice;
    return recognitionRows({ paymentId, invoiceId, paymentDate, invoiceDate, amount, before, isSameDate, closingDate });
  });
}

function write(ctx: Ctx, record: PaymentRecord, { rows, isNew }: { rows: ApplicationRow[]; isNew: boolean }): void {
  if (isNew) {
    ctx.tx.atEnd(paymentsSql.insertPayment(ctx.companyId, record));
    if (rows.length > 0) ctx.tx.atEnd(paymentsSql.insertApplications(ctx.companyId, rows));
    return;
  }
  ctx.tx.atEnd(paymentsSql.updatePaymentRow(ctx.companyId, record));
  for (const statement of paymentsSql.replaceApplications(ctx.companyId, { paymentId: record.id }, rows)) {
    ctx.tx.atEnd(statement);
  }
}

/** Writes the touched invoices' open amounts and answers them as they stand now. */
function reopen(ctx: Ctx, settlement: Settlement, of: { invoiceIds: readonly number[]; customerDisplayName: string }) {
  const { customerDisplayName } = of;
  const invoices = of.invoiceIds.flatMap((id) => {
    const invoice = settlement.locked.get(id);
    if (invoice === undefined) return [];
    const openAmount: Cents = cents(invoice.invoiceAmount - appliedTo(settlement.applications, id));
    return [{ ...invoice, openAmount, customerDisplayName }];
  });
  if (invoices.length > 0) {
    const amounts = invoices.map(({ id, openAmount }) => ({ id, openAmount }));
    ctx.tx.atEnd(paymentsSql.setOpenAmounts(ctx.companyId, amounts));
  }
  return invoices.map((invoice) => invoiceRowView(invoice, ctx.today));
}

function invoiceIdsOf(applications: readonly ApplicationRow[], paymentId: number): number[] {
  return [...new Set(applications.filter((each) => each.paymentId === paymentId).map((each) => each.invoiceId))];
}

function appliedRows({ applications, settlement }: SaveInput) {
  return applications.map(({ invoiceId, amount }) => {
    return { invoiceId, amount, invoiceNumber: settlement.locked.get(invoiceId)?.invoiceNumber ?? '' };
  });
}
