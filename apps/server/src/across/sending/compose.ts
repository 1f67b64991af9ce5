import { fillText, type Values } from '@evenkeel/core/words/mailtext';
import { escapeHtml } from '../../platform/mail/html.ts';
import type { Message } from '../../platform/mail/mailer.ts';

/** An email with its final text. */
type Composed = Pick<Message, 'subject' | 'text' | 'html' | 'link'>;

interface Draft {
  subject: string;
  text: string;
  values: Values;
  /** The private link, or undefined if there is none. */
  link: string | undefined;
  /** The label of the link button, such as "View invoice". */
  linkLabel: string;
  company: string;
}

/** A placeholder for the link, used until the text is converted to HTML. It can't occur in text that a user enters. */
const LINK_MARK = '\u0001';

const BODY = 'margin:0;padding:24px 12px;background:#f4f6f8;color:#0f1720;font:15px/1.5 Arial,sans-serif';
const SHEET =
  'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #d9dfe4;border-radius:8px';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#0d5c7d;color:#ffffff;text-decoration:none';

/** Fills in the subject and text. The HTML has the same content and shows the link as a button. */
export function compose({ subject, text, values, link, linkLabel, company }: Draft): Composed {
  const html = fillText(text, { ...values, link: link === undefined ? '' : LINK_MARK });
  const button = `<a href="${escapeHtml(link ?? '')}" style="${BUTTON}">${escapeHtml(linkLabel)}</a>`;
  const paragraphs = html.split(/\n{2,}/).map((paragraph) => {
    const lines = escapeHtml(paragraph).replaceAll('\n', '<br>').replaceAll(LINK_MARK, button);
    return `<p style="margin:0 0 16px">${lines}</p>`;
  });
  return {
    // A line break in a name could add another header.
    subject: fillText(subject, values).replace(/\s+/g, ' '),
    text: `${fillText(text, { ...values, link: link ?? '' })}\n`,
    html:
      `<!doctype html><html lang="en"><body style="${BODY}"><div style="${SHEET}">` +
      `<p style="margin:0 0 16px;font-weight:bold">${escapeHtml(company)}</p>` +
      `${paragraphs.join('')}</div></body></html>`,
    link,
  };
}
