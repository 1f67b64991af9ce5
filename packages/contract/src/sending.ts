import { bySentField, MAIL_KINDS, TEMPLATE_KINDS } from '@evenkeel/core/words/mailtext';
import * as z from 'zod';
import { endpoint, ErrorReply } from './endpoint.ts';
import { DateField, Done, Id, IdText, maybe, Moment, RowVersion, text, Usd } from './fields.ts';

/** E-mails to customers: what is sent, what became of it, the company's texts, and private links. */

const MailKind = z.enum(MAIL_KINDS);

/** A copy of an e-mail to one address, and what the mail server said about it. */
const Recipient = z.object({
  address: z.string(),
  isCopy: z.boolean(),
  /** `unsure`: it was handed over and the answer never came, so it may have arrived; it is not sent again by itself. */
  state: z.enum(['queued', 'sent', 'refused', 'unsure']),
  /** The mail server's words; while it waits, why the last try failed. */
  answer: z.string(),
  attempts: z.number().int(),
  settledAt: Moment.nullable(),
});

export const SentMail = z.object({
  id: Id,
  kind: MailKind,
  /** Counts the e-mails of this kind about the same thing. */
  step: z.number().int(),
  /** With its placeholders. */
  subject: z.string(),
  sentBy: z.string(),
  sentAt: Moment,
  recipients: z.array(Recipient),
});
export type SentMail = z.output<typeof SentMail>;

/** A document, a payment or a customer's statement as it would be sent now, and what was sent of it before. */
export const Sending = z.object({
  kind: MailKind,
  /** The document, the payment, or the customer of a statement. */
  id: Id,
  customerId: Id,
  /** Such as "Invoice 10436". */
  title: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  /** The values of the placeholders; that of a link is known when it is sent. */
  values: z.array(z.object({ name: z.string(), value: z.string() })),
  fromName: z.string(),
  replyTo: z.string(),
  fileName: z.string(),
  /** The number of e-mails about it so far: sent along, it tells whether somebody else has sent one meanwhile. */
  sent: z.number().int(),
  /** Why it cannot be sent, such as a draft; empty when it can. */
  refusal: z.string(),
  /** Newest first. */
  history: z.array(SentMail),
  link: z.object({
    /** Whether any link to it opens it. */
    isLive: z.boolean(),
    /** The time when the newest link that opens it was made. */
    madeAt: Moment.nullable(),
    /** The time when that link ends; null if it never ends. */
    endsAt: Moment.nullable(),
    /** When links were opened, newest first; noted at most once an hour for each link. */
    viewedAt: z.array(Moment),
  }),
});
export type Sending = z.output<typeof Sending>;

/** The private links that open a document, as the audit log has them: of a copied one, and of those in e-mails. */
export const DocumentLinks = z.object({
  documentId: Id,
  documentNumber: z.string(),
  links: z.array(z.object({ id: Id, name: z.string() })),
});

/** One of the ids says what is sent, a customer's the statement; whatever else is missing is as in `Sending`. */
const SendInput = z.object({
  ...bySentField(() => maybe(Id)),
  /** The customer's statement of account, for these days. */
  customerId: maybe(Id),
  startdate: maybe(DateField),
  reportdate: maybe(DateField),
  to: maybe(z.array(text(254)).max(20)),
  cc: maybe(z.array(text(254)).max(20)),
  subject: maybe(text(200)),
  text: maybe(text(5000)),
  /** As `Sending` answered it; missing: it is sent if nothing of it, or of these days, was sent before. */
  sent: maybe(z.number().int().min(0)),
});
export type SendInput = z.output<typeof SendInput>;

/** The record that an e-mail is about: one of them, none for a statement. */
const sentIds = bySentField(() => Id.nullable());

const SendResult = z.object({
  ...sentIds,
  customerId: Id.nullable(),
  ok: z.boolean(),
  error: ErrorReply.optional(),
});
export type SendResult = z.output<typeof SendResult>;

/** An e-mail that did not reach somebody, or may not have. */
export const RefusedMail = z.object({
  id: Id,
  kind: MailKind,
  ...sentIds,
  customerId: Id,
  customerDisplayName: z.string(),
  /** Number of the document or payment; empty for a statement. */
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
  /** Days after the due date; below zero before it. */
  days: z.number().int(),
  subject: text(200),
  text: text(5000),
});

/** Reminders of invoices, and those that leave tomorrow. */
export const Reminders = z.object({
  isOn: z.boolean(),
  steps: z.array(Step),
  /** Customers who get none. */
  leftOut: z.array(z.object({ id: Id, displayName: z.string() })),
  tomorrow: DateField,
  /** Those that leave tomorrow, or would if they were turned on. */
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

/** The company's texts, and how its customers pay. */
export const SendingSettings = z.object({
  templates: z.array(Template),
  howToPay: z.string(),
  /** An address with {number} and {amount}; empty for none. */
  payLink: z.string(),
  /** The days after which private links end; null if they never end. */
  linkDays: z.number().int().nullable(),
  rowVersion: RowVersion,
});
export type SendingSettings = z.output<typeof SendingSettings>;

const SendingSettingsInput = z.object({
  templates: maybe(z.array(z.object({ kind: z.enum(TEMPLATE_KINDS), subject: text(200), text: text(5000) })).max(10)),
  howToPay: maybe(text(1000)),
  payLink: maybe(text(500)),
  /** 0 for never. */
  linkDays: maybe(z.number().int().min(0, 'Enter 0 to 3650 days').max(3650, 'Enter 0 to 3650 days')),
  rowVersion: maybe(RowVersion),
});
export type SendingSettingsInput = z.output<typeof SendingSettingsInput>;

/** The calls that print a kind of record and email it to customers. `noun` has an article: "an invoice". */
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

/** The calls of `sentCalls`, for code that treats all kinds alike. */
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
  send: endpoint({
    method: 'POST',
    path: '/sending',
    needs: 'Manage Billing',
    summary: 'Emails a document, receipt, or statement. A list returns one result per document.',
    body: z.union([SendInput, z.array(SendInput).max(MOST_SENT)]),
    reply: z.union([Sending, z.array(SendResult)]),
  }),
  refusedMail: endpoint({
    method: 'GET',
    path: '/refusedmail',
    needs: 'View Billing',
    summary: 'Lists the emails that were not delivered, or may not have been, until you resend or dismiss them.',
    reply: z.array(RefusedMail),
  }),
  dismissMail: endpoint({
    method: 'DELETE',
    path: '/refusedmail/{id}',
    needs: 'Manage Billing',
    summary: 'Dismisses an undelivered email. It stays in the sending history.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  renewLink: endpoint({
    method: 'POST',
    path: '/documentlink/{documentId}',
    needs: 'Manage Billing',
    summary: 'Creates a private link to a document and returns it once. Earlier links stop working.',
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
