import { fillText, type Values } from '@evenkeel/core/words/mailtext';
import { escapeHtml, mailButton, mailPage } from '../../platform/mail/html.ts';
import type { Message } from '../../platform/mail/mailer.ts';

/** An email with its final text. */
type Composed = Pick<Message, 'subject' | 'text' | 'html' | 'link'>;

interface Draft {
  subject: string;
  text: string;
  values: Values;
  /** The private link, or undefined if there is none. */
  link: string | undefined;
  /** The label of the link button, such as "View Invoice". */
  linkLabel: string;
  company: string;
}

/** A placeholder for the link, used until the text is converted to HTML. It can't occur in text that a user enters. */
const LINK_MARK = '\u0001';

/** Fills in the subject and text. The HTML has the same content, with the link as a button. */
export function compose({ subject, text, values, link, linkLabel, company }: Draft): Composed {
  // A link on its own line becomes a paragraph. Otherwise, the button would touch the line above it.
  const html = fillText(text, { ...values, link: link === undefined ? '' : LINK_MARK })
    .split('\n')
    .map((line) => (line.trim() === LINK_MARK ? `\n${LINK_MARK}\n` : line))
    .join('\n');
  const button = mailButton(link ?? '', linkLabel);
  const paragraphs = html
    .split(/\n{2,}/)
    .map((paragraph) => escapeHtml(paragraph.trim()).replaceAll('\n', '<br>').replaceAll(LINK_MARK, button));
  return {
    // A line break in a name could add another header to the email.
    subject: fillText(subject, values).replace(/\s+/g, ' '),
    text: `${fillText(text, { ...values, link: link ?? '' })}\n`,
    html: mailPage(company, paragraphs),
    link,
  };
}
