import type { Sending, SendInput } from '@evenkeel/contract/sending';
import type { FieldMessages } from '@evenkeel/core/failure';
import { addressesIn, checkMail, fillText, type MailKind } from '@evenkeel/core/words/mailtext';
import * as z from 'zod';

/** An e-mail as it is typed: addresses between commas, texts with their placeholders. */
export const SendForm = z.object({
  to: z.string(),
  cc: z.string(),
  subject: z.string(),
  text: z.string(),
  /** E-mails about it when the form was opened: one more means that somebody else has sent it meanwhile. */
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

/** Stands in the preview for the link, which is made when the e-mail leaves. */
export const LINK = 'private link';

/** A text as its reader gets it. */
export const filled = (text: string, { values }: Pick<Sending, 'values'>): string =>
  fillText(text, { ...Object.fromEntries(values.map(({ name, value }) => [name, value])), link: `[${LINK}]` });

/** A text with a placeholder in the place of what was selected; at its end where nothing was. */
export function withPlaceholder(text: string, name: string, at = { start: text.length, end: text.length }): string {
  return `${text.slice(0, at.start)}{${name}}${text.slice(at.end)}`;
}
