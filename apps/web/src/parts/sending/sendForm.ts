import type { Sending, SendInput } from '@evenkeel/contract/sending';
import type { FieldMessages } from '@evenkeel/core/failure';
import { addressesIn, checkMail, fillText, type MailKind } from '@evenkeel/core/words/mailtext';
import * as z from 'zod';

/** The form for an email: addresses separated by commas, and a subject and message with placeholders. */
export const SendForm = z.object({
  to: z.string(),
  cc: z.string(),
  subject: z.string(),
  text: z.string(),
  /** The number of emails sent before the form opened. If it has increased, another user has sent one. */
  sent: z.number(),
});
export type SendForm = z.output<typeof SendForm>;

export const sendFormOf = ({ to, cc, subject, text, sent }: Sending): SendForm => ({
  to: to.join(', '),
  cc: cc.join(', '),
  subject,
  text,
  sent,
});

const mailOf = ({ to, cc, ...texts }: SendForm) => ({ ...texts, to: addressesIn(to), cc: addressesIn(cc) });

export const sendFaults = (kind: MailKind, form: SendForm): FieldMessages => checkMail(kind, mailOf(form));

export const sendInput = (form: SendForm, body: SendInput): SendInput => ({ ...body, ...mailOf(form) });

/** The preview's placeholder for the link, which is created when the email is sent. */
export const LINK = 'private link';

/** Returns text with its placeholders filled in. */
export const filled = (text: string, { values }: Pick<Sending, 'values'>): string =>
  fillText(text, { ...Object.fromEntries(values.map(({ name, value }) => [name, value])), link: `[${LINK}]` });

/** Inserts a placeholder in place of the selection, or at the end of the text if nothing was selected. */
export function withPlaceholder(text: string, name: string, at = { start: text.length, end: text.length }): string {
  return `${text.slice(0, at.start)}{${name}}${text.slice(at.end)}`;
}
