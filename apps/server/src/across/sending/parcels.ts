import type { BillingInvoice } from '@evenkeel/contract/billing';
import type { SendingSettings } from '@evenkeel/contract/sending';
import type { Entity } from '@evenkeel/contract/entities';
import type { Company } from '@evenkeel/contract/settings';
import { daysBetween, formatDate } from '@evenkeel/core/dates';
import { refuse } from '@evenkeel/core/failure';
import { estimateSendingFault } from '@evenkeel/core/documents/estimate';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import type { Values } from '@evenkeel/core/words/mailtext';
import { formatUsd, negate } from '@evenkeel/core/money';
import { discountWords } from '@evenkeel/core/documents/terms';
import { credits } from '../../features/billing/credits.ts';
import { estimates } from '../../features/billing/estimates.ts';
import { creditPaperOf, estimatePaperOf, invoicePaperOf, receiptPaperOf } from '../../features/billing/print.ts';
import { invoices } from '../../features/billing/invoices.ts';
import { billingPayments } from '../../features/billing/views.ts';
import { readParties } from '../../features/entities/parties.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { customerStatement } from '../reports/print.ts';
import type { PaperSource } from '../../books/parties.ts';
import { sendingSettings, waysToPay, type WaysToPay } from '../../features/settings/sending.ts';
import type { About, StatementRange } from './mails.sql.ts';

/** A wish to send something: one of these. */
export interface Wanted {
  invoiceId?: number | null | undefined;
  estimateId?: number | null | undefined;
  creditId?: number | null | undefined;
  paymentId?: number | null | undefined;
  customerId?: number | null | undefined;
  range?: StatementRange;
  /** The email that a statement goes along with: it keeps the parties of the moment it was sent. */
  mailId?: number;
}

/** A record as it would be sent at this moment. */
export interface Parcel {
  about: About;
  /** Such as "Invoice 10436", and what it is: "invoice". */
  title: string;
  noun: string;
  customer: Entity;
  company: Company;
  settings: SendingSettings;
  /** The placeholders' values, but for sender and link. */
  values: Values;
  draw: () => Promise<Uint8Array>;
  /** Why it may not be sent; empty when it may. */
  refusal: string;
  /** Nothing is open on it, so nobody is reminded of it. */
  isSettled: boolean;
}

/** Reads what is wanted, with the paper that goes along. 404; 422 unless one thing is wanted. */
export async function parcelOf(ctx: Ctx, wanted: Wanted): Promise<Parcel> {
  const { invoiceId, estimateId, creditId, paymentId, customerId, range = { from: null, to: null } } = wanted;
  const ids = [invoiceId, estimateId, creditId, paymentId, customerId];
  const [id = 0, ...others] = ids.flatMap((one) => one || []);
  if (id === 0 || others.length > 0) throw refuse('Select what to send');
  if (invoiceId) return invoiceParcel(ctx, id);
  if (estimateId) return estimateParcel(ctx, id);
  if (creditId) return creditParcel(ctx, id);
  return paymentId ? receiptParcel(ctx, id) : statementParcel(ctx, id, { range, mailId: wanted.mailId });
}

async function invoiceParcel(ctx: Ctx, id: number): Promise<Parcel> {
  const invoice = await invoices.get(ctx, id);
  const { customerId, invoiceNumber: number, invoiceDate, dueDate, openAmount } = invoice;
  const { parties, ...read } = await partiesOf(ctx, customerId, { documentId: id });
  const { settings } = read;
  const paper = invoicePaperOf({ invoice, ...parties, howToPay: settings.howToPay });
  return {
    ...read,
    about: { kind: 'invoice', customerId, documentId: id, paymentId: null },
    title: `Invoice ${number}`,
    noun: 'invoice',
    values: {
      ...read.values,
      number,
      'invoice date': formatDate(invoiceDate),
      'due date': dueDate === null ? '' : formatDate(dueDate),
      'days overdue': String(Math.max(0, daysBetween(dueDate ?? invoiceDate, ctx.today))),
      terms: termsOf(invoice),
      amount: formatUsd(invoice.invoiceAmount),
      'amount due': formatUsd(openAmount),
      'how to pay': payText(waysToPay(settings, { number, amount: openAmount })),
    },
    draw: () => printer.invoice(paper),
    refusal: sendingFault(invoice.arBillingStatus),
    isSettled: openAmount <= 0,
  };
}

async function estimateParcel(ctx: Ctx, id: number): Promise<Parcel> {
  const estimate = await estimates.get(ctx, id);
  const { customerId, invoiceNumber: number, invoiceDate, dueDate, invoiceAmount } = estimate;
  const { parties, ...read } = await partiesOf(ctx, customerId, { documentId: id });
  const paper = estimatePaperOf({ estimate, ...parties });
  return {
    ...read,
    about: { kind: 'estimate', customerId, documentId: id, paymentId: null },
    title: `Estimate ${number}`,
    noun: 'estimate',
    values: {
      ...read.values,
      number,
      'estimate date': formatDate(invoiceDate),
      'expiration date': dueDate === null ? '' : formatDate(dueDate),
      amount: formatUsd(invoiceAmount),
    },
    draw: () => printer.invoice(paper),
    refusal: estimateSendingFault(estimate.arBillingStatus),
    isSettled: false,
  };
}

async function creditParcel(ctx: Ctx, id: number): Promise<Parcel> {
  const memo = await credits.get(ctx, id);
  const { customerId, invoiceNumber: number, creditedInvoiceId } = memo;
  const [{ parties, ...read }, invoice] = await Promise.all([
    partiesOf(ctx, customerId, { documentId: id }),
    creditedInvoiceId === null ? undefined : invoices.get(ctx, creditedInvoiceId),
  ]);
  const paper = creditPaperOf({ memo, of: invoice?.invoiceNumber, ...parties });
  return {
    ...read,
    about: { kind: 'creditmemo', customerId, documentId: id, paymentId: null },
    title: `Credit memo ${number}`,
    noun: 'credit memo',
    values: {
      ...read.values,
      number,
      'credit date': formatDate(memo.invoiceDate),
      amount: formatUsd(negate(memo.invoiceAmount)),
      'credit left': formatUsd(negate(memo.openAmount)),
    },
    draw: () => printer.invoice(paper),
    refusal: sendingFault(memo.arBillingStatus, 'credit memo'),
    isSettled: false,
  };
}

async function receiptParcel(ctx: Ctx, id: number): Promise<Parcel> {
  const payment = await billingPayments.get(ctx, { params: { id } });
  const { customerId, paymentNumber: number } = payment;
  const { parties, ...read } = await partiesOf(ctx, customerId, { paymentId: id });
  const paper = receiptPaperOf({ payment, ...parties });
  return {
    ...read,
    about: { kind: 'receipt', customerId, documentId: null, paymentId: id },
    title: `Receipt ${number}`,
    noun: 'receipt',
    values: {
      ...read.values,
      number,
      amount: formatUsd(payment.paymentAmount),
      'payment date': formatDate(payment.paymentDate),
    },
    draw: () => printer.receipt(paper),
    refusal: '',
    isSettled: false,
  };
}

async function statementParcel(
  ctx: Ctx,
  customerId: number,
  { range: { from, to }, mailId }: { range: StatementRange; mailId: number | undefined },
): Promise<Parcel> {
  const dates = { ...(from === null ? {} : { startdate: from }), ...(to === null ? {} : { reportdate: to }) };
  const { parties, ...read } = await partiesOf(ctx, customerId, mailId === undefined ? undefined : { mailId });
  const { paper, account } = await customerStatement(ctx, { customerId, dates, parties });
  const { context, balance } = account;
  return {
    ...read,
    about: { kind: 'statement', customerId, documentId: null, paymentId: null },
    title: `Statement of ${read.customer.displayname}`,
    noun: 'statement',
    values: {
      ...read.values,
      from: formatDate(context.from ?? context.fiscalYearStart),
      to: formatDate(context.asOf),
      'amount due': formatUsd(balance),
      'how to pay': payText({ text: read.settings.howToPay, link: undefined }),
    },
    draw: () => printer.statement(paper),
    refusal: '',
    isSettled: false,
  };
}

/** The parties of a paper, with the values of a letter: it is written to the customer as it is called now. */
async function partiesOf(ctx: Ctx, customerId: number, source: PaperSource | undefined) {
  const [read, settings] = await Promise.all([readParties(ctx, customerId, source), sendingSettings(ctx)]);
  const { company, customer } = read;
  const values: Values = {
    customer: customer.displayname,
    company: company.displayname,
    'contact first name': firstNameOf(customer),
  };
  return { ...read, settings, values };
}

function firstNameOf({ contacts }: Entity): string {
  const known = contacts.filter(({ deleted }) => !deleted);
  return (known.find(({ isPrimary }) => isPrimary) ?? known[0])?.contact.firstName ?? '';
}

/** The customer's addresses for papers: that of the primary contact, else its own. */
export function addressesOf({ primaryContactEmail, emailAddress }: Entity): string[] {
  const first = primaryContactEmail || emailAddress;
  return first === '' ? [] : [first];
}

type Terms = Pick<BillingInvoice, 'invoiceDate' | 'dueDate' | 'discountPercent' | 'discountUntil'>;

/** "Net 30", as customers know it; "2% discount if paid by 12/6/2026, net 30". */
export function termsOf({ invoiceDate, dueDate, discountPercent: percent, discountUntil: until }: Terms): string {
  const days = dueDate === null ? undefined : daysBetween(invoiceDate, dueDate);
  const net = days === undefined ? '' : days <= 0 ? 'Due on receipt' : `Net ${days}`;
  if (percent === undefined || until === undefined) return net;
  return [discountWords({ percent, until }), net.toLowerCase()].filter((words) => words !== '').join(', ');
}

const payText = ({ text, link }: WaysToPay): string => [text, link ?? ''].filter((part) => part !== '').join('\n');

/** The name of the file that goes along. */
export const fileNameOf = ({ title }: Pick<Parcel, 'title'>): string =>
  `${title.replace(/[^\p{L}\p{N} ._&()-]/gu, '_').slice(0, 100)}.pdf`;
