import { bySentField, MAIL_KINDS, TEMPLATE_KINDS } from '@evenkeel/core/words/mailtext';
import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint, ErrorReply } from './endpoint.ts';
import { ReportRequest } from './figures.ts';
import { DateField, Done, Id, IdText, maybe, Moment, RowVersion, text, Usd } from './fields.ts';

/**
 * Emails to customers with their delivery status, emailed reports, the company's wording for emails, and private links.
 */

const MailKind = z.enum(MAIL_KINDS);

/** The copy of an email that is sent to one address, with the mail server's response. */
const Recipient = z.object({
  address: z.string(),
  isCopy: z.boolean(),
  /**
   * `unsure` means that the mail server received the email but did not respond, so the email may have arrived. The
   * email is not resent automatically.
   */
  state: z.enum(['queued', 'sent', 'refused', 'unsure']),
  /** The mail server's message. While the email is waiting, this is the reason why the last attempt failed. */
  answer: z.string(),
  attempts: z.number().int(),
  settledAt: Moment.nullable(),
});

export const SentMail = z.object({
  id: Id,
  kind: MailKind,
  /** The position of this email among all emails of the same kind about the same record. */
  step: z.number().int(),
  /** The subject template with its placeholders. */
  subject: z.string(),
  sentBy: z.string(),
  sentAt: Moment,
  /** The time for which the email was scheduled. Null if the email was sent immediately. */
  sendAt: Moment.nullable(),
  recipients: z.array(Recipient),
  /** The files that were attached in addition to the PDF. */
  documentLinks: z.array(DocumentLink),
});
export type SentMail = z.output<typeof SentMail>;

/** A document, a payment, or a customer's statement ready to send, with its earlier emails. */
export const Sending = z.object({
  kind: MailKind,
  /** The ID of the document, the payment, the customer of a statement, or the report. */
  id: Id,
  /** Null for a report. */
  customerId: Id.nullable(),
  /** The title, for example "Invoice 10436". */
  title: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  /** The values of the placeholders. A link's value is only known when the email is sent. */
  values: z.array(z.object({ name: z.string(), value: z.string() })),
  fromName: z.string(),
  replyTo: z.string(),
  /** The name of the PDF. Empty if the email has none. */
  fileName: z.string(),
  /**
   * The number of emails about the record so far. A request that includes this number is rejected if someone else has
   * sent an email since.
   */
  sent: z.number().int(),
  /** The label of the link in the email, for example "View and Pay Invoice". Empty if the email has no link. */
  linkLabel: z.string(),
  /** The reason why the record cannot be sent, for example because it is a draft. Empty if the record can be sent. */
  refusal: z.string(),
  /** Emails, newest first. */
  history: z.array(SentMail),
  link: z.object({
    /** Whether any private link to the document works. */
    isLive: z.boolean(),
    /** The time when the newest working link was created. */
    madeAt: Moment.nullable(),
    /** The time when that link expires. Null if the link never expires. */
    endsAt: Moment.nullable(),
    /** The times when links were opened, newest first. Recorded at most once per hour for each link. */
    viewedAt: z.array(Moment),
  }),
});
export type Sending = z.output<typeof Sending>;

/** An emailed report. The stored file never changes. */
const SentReport = z.object({
  id: Id,
  reportId: z.number().int(),
  title: z.string(),
  /** The lines below the title, such as the dates and the basis. */
  facts: z.array(z.string()),
  reportParams: ReportRequest.shape.reportParams,
  /** The time of the data in the report. Entries that were posted later are not included. */
  knownAt: Moment,
  /** The SHA-256 hash of the PDF, as 64 hexadecimal digits. */
  hash: z.string(),
  mail: SentMail,
});
export type SentReport = z.output<typeof SentReport>;

/** The working private links to a document, including links in emails, as recorded in the audit log. */
export const DocumentLinks = z.object({
  documentId: Id,
  documentNumber: z.string(),
  links: z.array(z.object({ id: Id, name: z.string() })),
});

/** The working links to a customer's portal, as recorded in the audit log. */
export const PortalLinks = z.object({
  customerId: Id,
  customerName: z.string(),
  links: DocumentLinks.shape.links,
});

/**
 * The IDs select the document, payment, or customer statement to send. Other missing fields default to the values in
 * `Sending`.
 */
const SendInput = z.object({
  ...bySentField(() => maybe(Id)),
  /** Whether to send a reminder about the overdue invoice instead of the invoice itself. */
  isReminder: maybe(z.boolean()),
  /** The customer's statement of account for these dates. */
  customerId: maybe(Id),
  startdate: maybe(DateField),
  reportdate: maybe(DateField),
  /** Whether to send the customer a link to the customer portal instead of the statement. */
  isPortal: maybe(z.boolean()),
  to: maybe(z.array(text(254)).max(20)),
  cc: maybe(z.array(text(254)).max(20)),
  subject: maybe(text(200)),
  text: maybe(text(5000)),
  /** Uploaded files to attach in addition to the PDF, at most 10 MB in total. */
  documentLinks: documentLinksInput,
  /**
   * The number of earlier emails that `Sending` returned. If missing, the email is sent only if no earlier email was
   * sent about the record or, for a statement, for these dates. A reminder is sent if none was sent in the last 20
   * hours.
   */
  sent: maybe(z.number().int().min(0)),
  /**
   * The date in the company's time zone on which the email is sent, at most one year from now. If missing, the email is
   * sent immediately.
   */
  sendOn: maybe(DateField),
  /** The time of day for `sendOn`, for example 13:30. Defaults to 09:00. */
  sendTime: maybe(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 13:30')),
});
export type SendInput = z.output<typeof SendInput>;

/** A report and the email that it is attached to. Missing fields default to the values in `Sending`. */
const ReportEmail = z.object({
  ...ReportRequest.shape,
  to: z.array(text(254)).max(20),
  cc: SendInput.shape.cc,
  subject: SendInput.shape.subject,
  text: SendInput.shape.text,
  documentLinks: documentLinksInput,
});

/** The record that an email is about. One ID is set, or none for a statement. */
const sentIds = bySentField(() => Id.nullable());

const SendResult = z.object({
  ...sentIds,
  customerId: Id.nullable(),
  ok: z.boolean(),
  error: ErrorReply.optional(),
});
export type SendResult = z.output<typeof SendResult>;

/** An email that was not delivered, or may not have been delivered. */
export const RefusedMail = z.object({
  id: Id,
  kind: MailKind,
  ...sentIds,
  customerId: Id,
  customerDisplayName: z.string(),
  /** The number of the document or payment. Empty for a statement. */
  number: z.string(),
  sentBy: z.string(),
  sentAt: Moment,
  recipients: z.array(Recipient),
});
export type RefusedMail = z.output<typeof RefusedMail>;

const Template = z.object({
  kind: MailKind,
  subject: z.string(),
  text: z.string(),
  placeholders: z.array(z.string()),
});

const Step = z.object({
  /** The number of days after the due date. Negative for days before the due date. */
  days: z.number().int(),
  subject: text(200),
  text: text(5000),
});

/** Invoice reminders, and the reminders that will be sent tomorrow. */
export const Reminders = z.object({
  isOn: z.boolean(),
  steps: z.array(Step),
  /** Customers who receive no reminders. */
  leftOut: z.array(z.object({ id: Id, displayName: z.string() })),
  tomorrow: DateField,
  /** The reminders that will be sent tomorrow. If reminders are turned off, the reminders that would be sent. */
  next: z.array(
    z.object({
      invoiceId: Id,
      invoiceNumber: z.string(),
      customerId: Id,
      customerDisplayName: z.string(),
      days: z.number().int(),
      openAmount: Usd,
    }),
  ),
  rowVersion: RowVersion,
});
export type Reminders = z.output<typeof Reminders>;

const RemindersInput = z.object({
  isOn: maybe(z.boolean()),
  steps: maybe(z.array(Step).max(20)),
  rowVersion: maybe(RowVersion),
});
export type RemindersInput = z.output<typeof RemindersInput>;

/** The company's wording for emails and its payment link. */
export const SendingSettings = z.object({
  templates: z.array(Template),
  howToPay: z.string(),
  /** A URL with {number} and {amount}. Empty if there is none. */
  payLink: z.string(),
  /** The number of days after which private links expire. Null if they never expire. */
  linkDays: z.number().int().nullable(),
  rowVersion: RowVersion,
});
export type SendingSettings = z.output<typeof SendingSettings>;

const SendingSettingsInput = z.object({
  templates: maybe(z.array(z.object({ kind: z.enum(TEMPLATE_KINDS), subject: text(200), text: text(5000) })).max(10)),
  howToPay: maybe(text(1000)),
  payLink: maybe(text(500)),
  /** The number of days after which private links expire. 0 means never. */
  linkDays: maybe(z.number().int().min(0, 'Enter 0 to 3650 days').max(3650, 'Enter 0 to 3650 days')),
  rowVersion: maybe(RowVersion),
});
export type SendingSettingsInput = z.output<typeof SendingSettingsInput>;

/**
 * Returns the calls that print records of one kind and email them to customers. `noun` includes an article: "an
 * invoice".
 */
export function sentCalls(name: string, noun: string) {
  const one = { method: 'GET', needs: 'View Billing', params: z.object({ id: IdText }) } as const;
  return {
    view: endpoint({
      ...one,
      path: `/${name}view/{id}`,
      summary: `Returns ${noun} as a PDF.`,
      reply: 'application/pdf',
    }),
    sending: endpoint({
      ...one,
      path: `/sending${name}/{id}`,
      summary: `Returns a preview of ${noun} email and the sending history.`,
      reply: Sending,
    }),
  };
}

/** The calls that `sentCalls` returns, for code that handles all kinds of records in the same way. */
export type SentCalls = ReturnType<typeof sentCalls>;

const MOST_SENT = 100;

export const sendingCalls = {
  statementSending: endpoint({
    method: 'GET',
    path: '/sendingstatement/{customerId}',
    needs: 'View Billing',
    summary: 'Returns a preview of a customer statement email and the sending history.',
    params: z.object({ customerId: IdText }),
    query: z.object({ startdate: DateField.optional(), reportdate: DateField.optional() }),
    reply: Sending,
  }),
  portalSending: endpoint({
    method: 'GET',
    path: '/sendingportal/{customerId}',
    needs: 'View Billing',
    summary: 'Returns a preview of a customer portal email and the sending history.',
    params: z.object({ customerId: IdText }),
    reply: Sending,
  }),
  reminderSending: endpoint({
    method: 'GET',
    path: '/sendingreminder/{id}',
    needs: 'View Billing',
    summary: 'Returns a preview of a reminder for an overdue invoice and the sending history.',
    params: z.object({ id: IdText }),
    reply: Sending,
  }),
  send: endpoint({
    method: 'POST',
    path: '/sending',
    needs: 'Manage Billing',
    summary:
      'Emails a document, receipt, statement, reminder, or portal link. For a list, returns one result per record.',
    body: z.union([SendInput, z.array(SendInput).max(MOST_SENT)]),
    reply: z.union([Sending, z.array(SendResult)]),
  }),
  reportSending: endpoint({
    method: 'POST',
    path: '/reports/{reportId}/sending',
    needs: 'Manage Reports',
    summary: 'Returns a preview of an email with a report, and the emails with this report so far.',
    params: z.object({ reportId: IdText }),
    body: ReportRequest,
    reply: Sending,
    reads: true,
  }),
  /** Returns 503 with Retry-After if too many PDFs are being created. */
  emailReport: endpoint({
    method: 'POST',
    path: '/reports/{reportId}/email',
    needs: 'Manage Reports',
    summary: 'Emails a report as a PDF, and stores the file so that it can be shown again.',
    params: z.object({ reportId: IdText }),
    body: ReportEmail,
    reply: Sending,
  }),
  listSentReports: endpoint({
    method: 'GET',
    path: '/sentreports',
    needs: 'View Reports',
    summary: 'Lists the last 500 emailed reports, newest first, with their recipients.',
    reply: z.array(SentReport),
  }),
  sentReportFile: endpoint({
    method: 'GET',
    path: '/sentreports/{id}',
    needs: 'View Reports',
    summary: 'Returns an emailed report as the PDF that was sent, byte for byte.',
    params: z.object({ id: IdText }),
    reply: 'application/pdf',
  }),
  cancelMail: endpoint({
    method: 'DELETE',
    path: '/sending/{id}',
    needs: 'Manage Billing',
    summary: 'Cancels a scheduled email. It remains in the sending history.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  refusedMail: endpoint({
    method: 'GET',
    path: '/refusedmail',
    needs: 'View Billing',
    summary:
      'Lists emails that were not delivered, or may not have been delivered, and have not been resent or dismissed.',
    reply: z.array(RefusedMail),
  }),
  dismissMail: endpoint({
    method: 'DELETE',
    path: '/refusedmail/{id}',
    needs: 'Manage Billing',
    summary: 'Dismisses an undelivered email. It remains in the sending history.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  renewLink: endpoint({
    method: 'POST',
    path: '/documentlink/{documentId}',
    needs: 'Manage Billing',
    summary: 'Creates a private link to a document. Only this response contains the link. Earlier links stop working.',
    answersSecret: true,
    params: z.object({ documentId: IdText }),
    reply: z.object({ url: z.string() }),
  }),
  revokeLink: endpoint({
    method: 'DELETE',
    path: '/documentlink/{documentId}',
    needs: 'Manage Billing',
    summary: 'Revokes all private links to a document.',
    params: z.object({ documentId: IdText }),
    reply: Done,
  }),
  renewPortalLink: endpoint({
    method: 'POST',
    path: '/portallink/{customerId}',
    needs: 'Manage Billing',
    summary: 'Creates a link to the customer portal. Only this response contains the link. Earlier links stop working.',
    answersSecret: true,
    params: z.object({ customerId: IdText }),
    reply: z.object({ url: z.string() }),
  }),
  revokePortalLink: endpoint({
    method: 'DELETE',
    path: '/portallink/{customerId}',
    needs: 'Manage Billing',
    summary: "Revokes all links to a customer's portal.",
    params: z.object({ customerId: IdText }),
    reply: Done,
  }),
  getReminders: endpoint({
    method: 'GET',
    path: '/reminders',
    needs: 'View Billing',
    summary: "Returns the reminder settings, the excluded customers, and tomorrow's reminders.",
    reply: Reminders,
  }),
  saveReminders: endpoint({
    method: 'PUT',
    path: '/reminders',
    needs: 'Administrator',
    summary: "Updates the reminder settings. Fields that you omit don't change.",
    body: RemindersInput,
    reply: Reminders,
  }),
  leaveOutOfReminders: endpoint({
    method: 'PUT',
    path: '/reminders/{customerId}',
    needs: 'Manage Billing',
    summary: 'Excludes a customer from reminders, or includes the customer again.',
    params: z.object({ customerId: IdText }),
    body: z.object({ leftOut: z.boolean() }),
    reply: Reminders,
  }),
  getSendingSettings: endpoint({
    method: 'GET',
    path: '/sendingsettings',
    needs: 'signed-in',
    summary: 'Returns the customer email templates and payment instructions.',
    reply: SendingSettings,
  }),
  saveSendingSettings: endpoint({
    method: 'PUT',
    path: '/sendingsettings',
    needs: 'Administrator',
    summary: "Updates the customer email templates and payment instructions. Fields that you omit don't change.",
    body: SendingSettingsInput,
    reply: SendingSettings,
  }),
};
