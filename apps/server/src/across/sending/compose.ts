import { fillText, type Values } from '@evenkeel/core/words/mailtext';
import { escapeHtml, mailButton, mailPage } from '../../platform/mail/html.ts';
import type { Message } from '../../platform/mail/mailer.ts';

/** An e-mail in the words that it leaves with. */
type Composed = Pick<Message, 'subject' | 'text' | 'html' | 'link'>;

interface Draft {
  subject: string;
  text: string;
  values: Values;
  /** The private link; undefined where there is none. */
  link: string | undefined;
  /** On the button of the link, such as "View Invoice". */
  linkLabel: string;
  company: string;
}

/** Stands for the link until the text is HTML; no text of a person has it. */
const LINK_MARK = '\u0001';

/** Fills subject and text; the HTML says the same, with the link as a button. */
export function compose({ subject, text, values, link, linkLabel, company }: Draft): Composed {
  // A separate line with the link becomes a paragraph. Otherwise its button would touch the line above.
  const html = fillText(text, { ...values, link: link === undefined ? '' : LINK_MARK })
    .split('\n')
    .map((line) => (line.trim() === LINK_MARK ? `\n${LINK_MARK}\n` : line))
    .join('\n');
  const button = mailButton(link ?? '', linkLabel);
  const paragraphs = html
    .split(/\n{2,}/)
    .map((paragraph) => escapeHtml(paragraph.trim()).replaceAll('\n', '<br>').replaceAll(LINK_MARK, button));
  return {
    // A name with a line break in it would be another header.
    subject: fillText(subject, values).replace(/\s+/g, ' '),
    text: `${fillText(text, { ...values, link: link ?? '' })}\n`,
    html: mailPage(company, paragraphs),
    link,
  };
}
