import type { Entity } from '@evenkeel/contract/entities';
import type { SendingSettings } from '@evenkeel/contract/sending';
import type { Company } from '@evenkeel/contract/company';
import { isEmailAddress } from '@evenkeel/core/email';
import { addDays, formatDate } from '@evenkeel/core/dates';
import { documentKinds } from '@evenkeel/core/documents/side';
import { consentState } from '@evenkeel/core/taxes/copies';
import { formatUsd } from '@evenkeel/core/money';
import { present } from '@evenkeel/core/failure';
import type { MailWording } from '@evenkeel/core/kinds/kind';
import {
  isRecipientMail,
  type MailKind,
  mailWording,
  type RecipientMail,
  type Values,
} from '@evenkeel/core/words/mailtext';
import { wordingByHand } from '@evenkeel/core/words/reminders';
import type { PaperSource } from '../../books/parties.ts';
import { NO_RECEIPT, receiptPaperOf } from '../../features/billing/print.ts';
import type { SentDocument } from '../../features/billing/sent.ts';
import { sentDocuments } from '../../features/billing/sent-documents.ts';
import { billingPayments } from '../../features/billing/views.ts';
import { getEntity, vendors } from '../../features/entities/entities.ts';
import { readParties } from '../../features/entities/parties.ts';
import { getCompany } from '../../features/settings/company.ts';
import { payNowSql } from '../../features/settings/paynow.ts';
import { payText, sendingSettings } from '../../features/settings/sending.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { customerStatement } from '../reports/print.ts';
import { shownConsent } from '../taxes/forms.ts';
import { consents } from '../taxes/forms.sql.ts';
import { type LinkAbout, PORTAL_DAYS } from './links.ts';
import { type About, selectSteps, type StatementRange } from './mails.sql.ts';

/** A request to send a record. */
export interface Wanted {
  /** The kind of email. */
  kind: MailKind;
  /** The ID of the document, the payment, or the customer of a statement or portal link. */
  id: number;
  range?: StatementRange;
  /**
   * The email that a statement belongs to. The statement keeps the names and addresses from the time when that email
   * was sent.
   */
  mailId?: number;
}

/** A record in its current state with everything that its email needs, except the addresses. */
export interface Mailable {
  about: About;
  /** The title, such as "Invoice 10436". */
  title: string;
  company: Pick<Company, 'id' | 'displayname'>;
  /** The company's wording for the email. */
  template: Pick<MailWording, 'subject' | 'text'>;
  /** The label of the link in the email, or an empty string if it has no link. */
  linkLabel: string;
  /** The values for the placeholders, except the sender and the link. */
  values: Values;
  /** Draws the PDF. Undefined if the email has none. */
  draw: (() => Promise<Uint8Array>) | undefined;
  /** The page that the link in the email opens. Undefined if the email has no link. */
  linksTo: LinkAbout | undefined;
  /** The reason why the record can't be sent, or an empty string if it can. */
  refusal: string;
  /** Whether the document has nothing left to pay, in which case no reminder is sent. */
  isSettled: boolean;
}

/** A record of a customer, ready to be sent. */
export interface Parcel extends Mailable {
  about: About & { customerId: number };
  /** The noun in the title, such as "invoice". */
  noun: string;
  customer: Entity;
  company: Company;
  settings: SendingSettings;
}

/** Returns the kind of document that is attached to an email of this kind, or undefined for receipts and statements. */
export const sentDocumentOf = (kind: MailKind): SentDocument | undefined =>
  sentDocuments.find((sent) => sent.kind.mail?.kind === kind);

/** Reads a record with its attachment. Throws 404 if the record does not exist. */
export async function parcelOf(ctx: Ctx, { kind, id, range, mailId }: Wanted): Promise<Parcel> {
  const sent = sentDocumentOf(kind);
  if (sent !== undefined) return documentParcel(ctx, sent, { kind, id });
  if (kind === 'reminder') return reminderParcel(ctx, id);
  if (kind === 'portal') return portalParcel(ctx, id);
  if (isRecipientMail(kind)) return recipientParcel(ctx, id, kind);
  if (kind === documentKinds.payment.mail.kind) return receiptParcel(ctx, id);
  return statementParcel(ctx, id, { range: range ?? { from: null, to: null }, mailId });
}

async function documentParcel(ctx: Ctx, sent: SentDocument, { kind, id }: Wanted): Promise<Parcel> {
  const { label } = sent.kind;
  const { number, paper, values, customer, company, settings, refusal, ...more } = await sent.read(ctx, id);
  const { isSettled = false, payment } = more;
  const name = label.replace(/\b\w/g, (letter) => letter.toUpperCase());
  return {
    customer,
    company,
    settings,
    about: { kind, customerId: customer.id, documentId: id, paymentId: null },
    title: `${label} ${number}`,
    noun: label.toLowerCase(),
    template: templateOf(settings, kind),
    linkLabel: payment?.isPayable === true ? `View and Pay ${name}` : `View ${name}`,
    values: { ...letterValues({ customer, company }), number, ...values },
    draw: () => printer.invoice(paper),
    linksTo: { documentId: id },
    refusal,
    isSettled,
  };
}

/** Returns the email for a reminder that a user sends manually about an overdue invoice. */
async function reminderParcel(ctx: Ctx, id: number): Promise<Parcel> {
  const kind = documentKinds.invoice.mail.kind;
  const sent = present(sentDocumentOf(kind), 'email of an invoice');
  const [parcel, steps] = await Promise.all([documentParcel(ctx, sent, { kind, id }), ctx.tx.rows(selectSteps())]);
  const daysOverdue = Number(parcel.values['days overdue']);
  const isOverdue = !parcel.isSettled && daysOverdue > 0;
  return {
    ...parcel,
    about: { ...parcel.about, kind: 'reminder' },
    template: wordingByHand(steps, daysOverdue),
    refusal: parcel.refusal === '' && !isOverdue ? "This invoice isn't overdue" : parcel.refusal,
  };
}

const templateOf = ({ templates }: SendingSettings, kind: MailKind) =>
  present(
    templates.find((one) => one.kind === kind),
    'template',
  );

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
    template: templateOf(read.settings, 'receipt'),
    linkLabel: '',
    values: {
      ...read.values,
      number,
      amount: formatUsd(payment.paymentAmount),
      'payment date': formatDate(payment.paymentDate),
    },
    draw: () => printer.receipt(paper),
    linksTo: undefined,
    refusal: payment.paymentAmount === 0 ? NO_RECEIPT : '',
    isSettled: false,
  };
}

async function statementParcel(
  ctx: Ctx,
  customerId: number,
  { range: { from, to }, mailId }: { range: StatementRange; mailId: number | undefined },
): Promise<Parcel> {
  const dates = { ...(from === null ? {} : { startdate: from }), ...(to === null ? {} : { reportdate: to }) };
  const [{ parties, ...read }, payNow] = await Promise.all([
    partiesOf(ctx, customerId, mailId === undefined ? undefined : { mailId }),
    ctx.tx.row(payNowSql()),
  ]);
  const { paper, account } = await customerStatement(ctx, { customerId, dates, parties });
  const { context, balance } = account;
  return {
    ...read,
    about: { kind: 'statement', customerId, documentId: null, paymentId: null },
    title: `Statement for ${read.customer.displayname}`,
    noun: 'statement',
    template: templateOf(read.settings, 'statement'),
    linkLabel: payNow === undefined ? '' : 'View and Pay Invoices',
    values: {
      ...read.values,
      from: formatDate(context.from ?? context.fiscalYearStart),
      to: formatDate(context.asOf),
      'amount due': formatUsd(balance),
      'how to pay': payText({ text: read.settings.howToPay, link: undefined }),
    },
    draw: () => printer.statement(paper),
    linksTo: payNow === undefined ? undefined : { customerId },
    refusal: '',
    isSettled: false,
  };
}

/** Returns the email with a link to the customer portal, which has no PDF. */
async function portalParcel(ctx: Ctx, customerId: number): Promise<Parcel> {
  const { parties: _, ...read } = await partiesOf(ctx, customerId, undefined);
  return {
    ...read,
    about: { kind: 'portal', customerId, documentId: null, paymentId: null },
    title: `Portal Link for ${read.customer.displayname}`,
    noun: 'portal link',
    template: templateOf(read.settings, 'portal'),
    linkLabel: 'View Your Account',
    values: { ...read.values, 'link end': formatDate(addDays(ctx.today, PORTAL_DAYS)) },
    draw: undefined,
    linksTo: { customerId },
    refusal: '',
    isSettled: false,
  };
}

/**
 * Returns the email with a link to a vendor's page with 1099 forms. A request is no longer sent once the vendor has
 * decided, no copy is announced after a withdrawal, and no withdrawal is confirmed after another consent.
 */
async function recipientParcel(ctx: Ctx, vendorId: number, kind: RecipientMail): Promise<Parcel> {
  const [company, vendor, settings, consent] = await Promise.all([
    getCompany(ctx),
    getEntity(ctx, vendors, vendorId),
    sendingSettings(ctx),
    ctx.tx.row(consents.find({ vendorId })),
  ]);
  const { label, subject, text } = mailWording(kind);
  const { state, linkLabel, fault } = RECIPIENT[kind];
  const { date } = shownConsent(consent, company.timeZone);
  return {
    customer: vendor,
    company,
    settings,
    about: { kind, customerId: vendorId, documentId: null, paymentId: null },
    title: `${label} for ${vendor.displayname}`,
    noun: label.toLowerCase(),
    template: { subject, text },
    linkLabel,
    values: { ...letterValues({ company, customer: vendor }), 'withdrawal date': formatDate(date ?? ctx.today) },
    draw: undefined,
    linksTo: { vendorId },
    refusal: consentState(consent) === state ? '' : `${vendor.displayname} ${fault}`,
    isSettled: false,
  };
}

/** For each email to a vendor: the state of the consent in which it is sent, the link, and the reason otherwise. */
const RECIPIENT = {
  formConsent: { state: 'requested', linkLabel: 'Decide on Electronic Copies', fault: 'has already decided' },
  formWithdrawal: { state: 'withdrawn', linkLabel: 'View Your Page', fault: 'has decided again' },
  formCopy: { state: 'consented', linkLabel: 'View Your 1099 Forms', fault: 'has not consented' },
} as const;

/**
 * Returns a document's parties and the placeholder values for its email. The email uses the customer's current name.
 */
async function partiesOf(ctx: Ctx, customerId: number, source: PaperSource | undefined) {
  const [read, settings] = await Promise.all([readParties(ctx, customerId, source), sendingSettings(ctx)]);
  return { ...read, settings, values: letterValues(read) };
}

const letterValues = ({ company, customer }: Pick<Parcel, 'company' | 'customer'>): Values => ({
  customer: customer.displayname,
  company: company.displayname,
  'contact first name': firstNameOf(customer),
});

function firstNameOf({ contacts }: Entity): string {
  const known = contacts.filter(({ deleted }) => !deleted);
  return (known.find(({ isPrimary }) => isPrimary) ?? known[0])?.contact.firstName ?? '';
}

/** Returns the customer's addresses for documents: the primary contact's, or else the customer's own. */
export function addressesOf({ primaryContactEmail, emailAddress }: Entity): string[] {
  const first = primaryContactEmail || emailAddress;
  return first === '' ? [] : [first];
}

/** Returns the addresses to which a customer's automatic emails are sent. */
export const reachable = (customer: Entity): string[] => addressesOf(customer).filter(isEmailAddress);

/** Returns the name of the attached PDF, or an empty string if there is none. */
export const fileNameOf = ({ title, draw }: Pick<Mailable, 'title' | 'draw'>): string =>
  draw === undefined ? '' : `${title.replace(/[^\p{L}\p{N} ._&()-]/gu, '_').slice(0, 100)}.pdf`;
