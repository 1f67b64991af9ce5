import type { Sending, SendInput } from '@evenkeel/contract/sending';
import type { FieldMessages } from '@evenkeel/core/failure';
import { addressesIn, checkMail, fillText, type MailKind } from '@evenkeel/core/words/mailtext';
import * as z from 'zod';
import { AttachmentsForm, attachmentsInput } from '../attachments/attachmentForm.ts';
import { Day } from '../../records/formFields.ts';

/**
 * The form for an email, with addresses separated by commas and the finished subject and message. The only placeholder
 * is the link, whose URL is not known yet.
 */
export const SendForm = z.object({
  to: z.string(),
  cc: z.string(),
  subject: z.string(),
  text: z.string(),
  /** The files that the user attaches in addition to the PDF. */
  documentLinks: AttachmentsForm,
  /** The number of emails sent before the form opened. If the number has increased, another user has sent an email. */
  sent: z.number(),
  /** Whether the email is sent later, on a date and at a time of day in minutes. */
  isLater: z.boolean(),
  sendOn: Day.nullable(),
  sendTime: z.number().nullable(),
});
export type SendForm = z.output<typeof SendForm>;

export const sendFormOf = ({ to, cc, sent, ...sending }: Sending): SendForm => ({
  to: to.join(', '),
  cc: cc.join(', '),
  ...finished(sending),
  documentLinks: [],
  sent,
  isLater: false,
  sendOn: null,
  sendTime: 9 * 60,
});

/** Returns the company's wording as the recipient will see it, except for the link. */
function finished({ subject, text, values }: Pick<Sending, 'subject' | 'text' | 'values'>) {
  const known = { ...Object.fromEntries(values.map(({ name, value }) => [name, value])), link: LINK };
  return { subject: fillText(subject, known), text: fillText(text, known) };
}

const mailOf = ({ to, cc, subject, text, sent }: SendForm) => {
  return { subject, text, sent, to: addressesIn(to), cc: addressesIn(cc) };
};

/** Returns the time of day for a number of minutes, for example "13:30". */
const clockOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

const HALF_HOUR = 30;

/** The times of day to choose from, every half hour, for example "1:30 PM". */
export const TIMES = Array.from({ length: (24 * 60) / HALF_HOUR }, (_, index) => {
  const minutes = index * HALF_HOUR;
  const hour = Math.floor(minutes / 60);
  const label = `${hour % 12 === 0 ? 12 : hour % 12}:${clockOf(minutes).slice(3)} ${hour < 12 ? 'AM' : 'PM'}`;
  return { id: minutes, label };
});

function laterFaults({ isLater, sendOn, sendTime }: SendForm): FieldMessages {
  if (!isLater) return {};
  return {
    ...(sendOn === null && { sendOn: 'Please enter a date' }),
    ...(sendTime === null && { sendTime: 'Please select a time' }),
  };
}

export const sendFaults = (kind: MailKind, form: SendForm): FieldMessages => ({
  ...checkMail(kind, mailOf(form)),
  ...laterFaults(form),
});

/**
 * Returns the request. If the user has changed nothing, the server fills in the wording, so that the amounts are
 * current when the email is sent.
 */
export function sendInput(form: SendForm, body: SendInput, sending: Sending): SendInput {
  const { subject, text, ...addresses } = mailOf(form);
  const own = finished(sending);
  return {
    ...body,
    ...addresses,
    ...(subject === own.subject ? {} : { subject }),
    ...(text === own.text ? {} : { text }),
    ...(form.documentLinks.length > 0 && { documentLinks: attachmentsInput(form.documentLinks) }),
    ...(form.isLater && { sendOn: form.sendOn, sendTime: clockOf(form.sendTime ?? 0) }),
  };
}

/** The placeholder for the private link. The link is created when the email is sent. */
const LINK = '{link}';

/**
 * Returns the message before its link and after it. The link is on its own line. Without a link, `after` is undefined.
 */
export function aroundLink(text: string): { before: string; after: string | undefined } {
  const at = text.indexOf(LINK);
  if (at < 0) return { before: text, after: undefined };
  return { before: text.slice(0, at).replace(/\n$/, ''), after: text.slice(at + LINK.length).replace(/^\n/, '') };
}

/** Returns the message with a link between the text before it and the text after it. */
export const withLink = (before: string, after: string): string => `${before}\n${LINK}\n${after}`;

/** Inserts a placeholder in place of the selection, or at the end of the text if nothing was selected. */
export function withPlaceholder(text: string, name: string, at = { start: text.length, end: text.length }): string {
  return `${text.slice(0, at.start)}{${name}}${text.slice(at.end)}`;
}
