import { documentKinds, kinds, type OwnKind } from '../documents/side.ts';
import { isEmailAddress } from '../email.ts';
import { type FieldMessages, present } from '../failure.ts';
import type { DocumentKind, DocumentMail, MailWording } from '../kinds/kind.ts';
import { COPY_NOTICE } from '../taxes/copies.ts';

/**
 * The text of emails to customers and of emails with a report. A template has placeholders in braces, which are filled
 * in when the email is sent.
 */

/** Emails that do not belong to a document. */
const otherMails = {
  statement: {
    label: 'Statement',
    placeholders: [
      'customer',
      'contact first name',
      'from',
      'to',
      'amount due',
      'how to pay',
      'link',
      'company',
      'sender',
    ],
    subject: 'Statement of account from {company}',
    text:
      'Hello {contact first name},\n\nYour statement of account through {to} is attached. Your ' +
      'balance is {amount due}.\n\n{link}\n\n{how to pay}\n\n{sender}',
  },
  portal: {
    label: 'Portal Link',
    placeholders: ['customer', 'contact first name', 'link', 'link end', 'company', 'sender'],
    subject: 'Your account with {company}',
    text:
      'Hello {contact first name},\n\nYou can see your open invoices, payments, and statements on your private page:' +
      '\n{link}\n\nThe link is valid until {link end}.\n\n{sender}\n{company}',
  },
  report: {
    label: 'Report',
    placeholders: ['report', 'dates', 'company', 'sender'],
    subject: '{report} from {company}',
    text: 'Hello,\n\nThe following report for {company} is attached:\n\n{report}\n{dates}\n\n{sender}\n{company}',
  },
  reminder: {
    label: 'Reminder',
    placeholders: [
      'customer',
      'contact first name',
      'number',
      'invoice date',
      'due date',
      'days overdue',
      'time overdue',
      'amount',
      'amount due',
      'how to pay',
      'link actions',
      'link',
      'company',
      'sender',
    ],
    subject: 'Reminder: invoice {number} from {company}',
    text:
      'Hello {contact first name},\n\nThis is a reminder that {amount due} on invoice {number} was ' +
      'due on {due date}. You can {link actions} it here:\n{link}\n\nIf you have already paid, ' +
      'please disregard this message.\n\n{sender}\n{company}',
  },
  formConsent: {
    label: 'Consent Request',
    placeholders: ['contact first name', 'link', 'company', 'sender'],
    subject: 'Electronic 1099 forms from {company}',
    text:
      'Hello {contact first name},\n\n{company} can send your copies of 1099 forms electronically if you consent. ' +
      'Read the conditions and decide on your private page:\n{link}\n\nIf you do nothing, you get paper copies by ' +
      'mail.\n\n{sender}\n{company}',
  },
  formWithdrawal: {
    label: 'Withdrawal Confirmation',
    placeholders: ['contact first name', 'withdrawal date', 'link', 'company', 'sender'],
    subject: 'Paper copies of 1099 forms from {company}',
    text:
      'Hello {contact first name},\n\nYour consent to electronic copies of 1099 forms from {company} was withdrawn ' +
      'on {withdrawal date}. You’ll get paper copies of all later forms by mail.\n\nYou can consent again on your ' +
      'private page:\n{link}\n\n{sender}\n{company}',
  },
  formCopy: {
    label: '1099 Copy',
    placeholders: ['contact first name', 'link', 'company', 'sender'],
    subject: COPY_NOTICE,
    text:
      'Hello {contact first name},\n\nYour copy of a 1099 form from {company} is available on your private page:\n' +
      '{link}\n\nSelect Download PDF on that page to open, save, or print the copy. The page shows how long the copy ' +
      'is available, and whether it corrects an earlier one.\n\n{sender}\n{company}',
  },
} as const satisfies Record<string, MailWording>;

/** The built-in document kinds that can be sent. */
type SentKind = Extract<(typeof documentKinds)[OwnKind], { mail: DocumentMail }>;

/**
 * The kinds of emails that have one template each. Reminders aren't included, because each of their steps has its own
 * wording. Reports aren't included, because their wording can only be changed in the email. The wording of emails to
 * recipients of 1099 forms never changes.
 */
export type TemplateKind = SentKind['mail']['kind'] | 'statement' | 'portal';
export type MailKind = TemplateKind | 'reminder' | 'report' | RecipientMail;

/** The kinds of emails to vendors who receive 1099 forms. */
export const RECIPIENT_MAILS = ['formConsent', 'formWithdrawal', 'formCopy'] as const;
export type RecipientMail = (typeof RECIPIENT_MAILS)[number];

/** Returns whether an email is sent to a vendor who receives 1099 forms. */
export const isRecipientMail = (kind: string): kind is RecipientMail => RECIPIENT_MAILS.some((one) => one === kind);

/** All placeholders, as users enter them between braces. */
export type Placeholder =
  | SentKind['mail']['placeholders'][number]
  | (typeof otherMails)[keyof typeof otherMails]['placeholders'][number];

const isSent = (kind: (typeof documentKinds)[OwnKind]): kind is SentKind => 'mail' in kind;
const sentKinds = Object.values(documentKinds).filter(isSent);

export const TEMPLATE_KINDS: readonly TemplateKind[] = [
  ...sentKinds.map(({ mail }) => mail.kind),
  'statement',
  'portal',
];

/** Returns an object with a value for each kind of email that has one template. */
export function byTemplateKind<T>(valueOf: (kind: TemplateKind) => T): Record<TemplateKind, T> {
  return recordOf(TEMPLATE_KINDS, valueOf);
}

export const MAIL_KINDS: readonly MailKind[] = [...TEMPLATE_KINDS, 'reminder', 'report', ...RECIPIENT_MAILS];

/** Returns the kind of email that sends a kind of document. Throws an Error for a kind that is not sent. */
export function mailKindOf({ source, mail }: DocumentKind): MailKind {
  return present(
    MAIL_KINDS.find((kind) => kind === mail?.kind),
    `email of ${source}`,
  );
}

/** The field that contains the ID of the sent document. */
export type SentField = SentKind['mail']['id'];

/** Returns an object with one field for each kind of document that can be sent. */
export function bySentField<T>(valueOf: (mail: SentKind['mail']) => T): Record<SentField, T> {
  const mails = new Map(sentKinds.map(({ mail }) => [mail.id, mail]));
  return recordOf([...mails.keys()], (id) => valueOf(present(mails.get(id), 'email of a sent document')));
}

/** Returns an object with a value for each key. */
function recordOf<K extends string, T>(keys: readonly K[], valueOf: (key: K) => T): Record<K, T> {
  const all: Partial<Record<K, T>> = {};
  for (const key of keys) all[key] = valueOf(key);
  const isWhole = (some: typeof all): some is Record<K, T> => keys.every((key) => key in some);
  return present(isWhole(all) ? all : undefined, 'value of each key');
}

/**
 * Returns the record that an email is about, based on the field that contains its ID. Returns undefined for a statement
 * and a portal link.
 */
export function sentRecordOf(mail: Record<SentField, number | null>): { kind: SentKind; id: number } | undefined {
  return sentKinds.flatMap((kind) => {
    const id = mail[kind.mail.id];
    return id === null ? [] : [{ kind, id }];
  })[0];
}

/** Returns the label, placeholders, and default template for a kind. Throws an Error for an unknown name. */
export function mailWording(kind: string): MailWording {
  const others: Readonly<Record<string, MailWording>> = otherMails;
  const wording = others[kind] ?? [...kinds.values()].find(({ mail }) => mail?.kind === kind)?.mail;
  return present(wording, `email of kind ${kind}`);
}

/** A part of a template: text, or a name between braces. */
export type TextPart = { words: string; name?: never } | { words?: never; name: string };

/** Returns the parts of a template in order. */
export function partsOf(template: string): TextPart[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{.*\}$/s.test(part) ? { name: part.slice(1, -1).trim().toLowerCase() } : { words: part }));
}

export type Values = Partial<Record<Placeholder, string>>;

/**
 * Fills in a template's placeholders. For an empty value, also removes the space before the placeholder, so that "Hello
 * {contact first name}," becomes "Hello,".
 */
export function fillText(template: string, values: Values): string {
  const known = new Map<string, string>(Object.entries(values));
  let filled = '';
  for (const { words, name } of partsOf(template)) {
    const value = words ?? known.get(name) ?? '';
    filled = value === '' ? filled.replace(/ $/, '') : filled + value;
  }
  return filled.replace(/\n{3,}/g, '\n\n').trim();
}

/** The maximum number of addresses in one email, including copies. */
export const MOST_ADDRESSES = 10;

/** An email as written by the user, or a template without addresses. */
export interface CheckableMail {
  to?: readonly string[];
  cc?: readonly string[];
  subject: string;
  text: string;
}

/** Returns the validation messages for an email or a template by field, or an empty object if it is valid. */
export function checkMail(kind: MailKind, { to, cc = [], subject, text }: CheckableMail): FieldMessages {
  const faults: [string, string | undefined][] = [
    ['to', to === undefined ? undefined : addressFault(to, [...to, ...cc].length)],
    ['cc', cc.map(wrongAddress).find((message) => message !== undefined)],
    ['subject', subjectFault(subject) ?? placeholderFault(kind, subject)],
    ['text', text.trim() === '' ? 'Please enter a message' : placeholderFault(kind, text)],
  ];
  return Object.fromEntries(faults.filter((fault): fault is [string, string] => fault[1] !== undefined));
}

function addressFault(to: readonly string[], count: number): string | undefined {
  if (to.length === 0) return 'Please enter an email address';
  if (count > MOST_ADDRESSES) return `You can enter at most ${MOST_ADDRESSES} addresses`;
  return to.map(wrongAddress).find((message) => message !== undefined);
}

const wrongAddress = (address: string): string | undefined =>
  isEmailAddress(address) ? undefined : `${address} is not a valid email address`;

function subjectFault(subject: string): string | undefined {
  if (subject.trim() === '') return 'Please enter a subject';
  return [...subject].some((character) => character < ' ') ? 'The subject must be a single line' : undefined;
}

/** Returns the message for the first unknown placeholder. */
function placeholderFault(kind: MailKind, template: string): string | undefined {
  const known = mailWording(kind).placeholders;
  const unknown = partsOf(template).find(({ name }) => name !== undefined && !known.includes(name));
  return unknown && `{${unknown.name}} is not a valid placeholder. Select one from the list.`;
}

/** Returns the unique addresses in a field. The addresses may be separated by commas, semicolons, or spaces. */
export function addressesIn(typed: string): string[] {
  return [...new Set(typed.split(/[\s,;]+/).filter((address) => address !== ''))];
}

const PAY_LINK_NAMES = ['number', 'amount'];

const ADDRESS = /^https:\/\/[\p{L}\p{N}.-]+(:\d{1,5})?([/?#]\S*)?$/iu;

/** Returns the reason why a payment link is rejected, or undefined if it is valid or empty. */
export function payLinkFault(link: string): string | undefined {
  if (link === '') return undefined;
  const unknown = partsOf(link).find(({ name }) => name !== undefined && !PAY_LINK_NAMES.includes(name));
  if (unknown !== undefined)
    return `{${unknown.name}} is not a valid placeholder. You can use only {number} and {amount} in a link.`;
  const filled = payLink(link, { number: '1', amount: '1.00' }) ?? '';
  return ADDRESS.test(filled) ? undefined : 'Please enter a URL that begins with https://';
}

/**
 * Returns the payment link for an invoice, or undefined if there is none. `amount` is in dollars, for example 1234.50.
 */
export function payLink(link: string, values: { number: string; amount: string }): string | undefined {
  if (link === '') return undefined;
  const known = new Map<string, string>(Object.entries(values));
  return partsOf(link)
    .map(({ words, name }) => words ?? encodeURIComponent(known.get(name) ?? ''))
    .join('');
}
