const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a user's text for HTML, including HTML attributes. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const BODY = 'margin:0;padding:24px 12px;background:#f4f6f8;color:#0f1720;font:15px/1.5 Arial,sans-serif';
const SHEET =
  'max-width:560px;margin:0 auto;padding:24px 24px 8px;background:#ffffff;border:1px solid #d9dfe4;border-radius:8px';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#0d5c7d;color:#ffffff;text-decoration:none';
/** Email programs that adapt to the device's theme use these styles instead of the elements' own styles. */
const DARK =
  '@media (prefers-color-scheme:dark){.page{background:#0f1720!important;color:#e6ebf0!important}' +
  '.sheet{background:#17222c!important;border-color:#2f3d49!important}' +
  '.button{background:#5db7dc!important;color:#06202c!important}}';

/** Returns the HTML of an email: the sender's name above the paragraphs, which must already be HTML. */
export function mailPage(sender: string, paragraphs: readonly string[]): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">' +
    `<style>${DARK}</style></head><body class="page" style="${BODY}"><div class="sheet" style="${SHEET}">` +
    `<p style="margin:0 0 16px;font-weight:bold">${escapeHtml(sender)}</p>` +
    `${paragraphs.map((one) => `<p style="margin:0 0 16px">${one}</p>`).join('')}</div></body></html>`
  );
}

/** Returns a link that looks like a button. */
export function mailButton(link: string, label: string): string {
  return `<a href="${escapeHtml(link)}" class="button" style="${BUTTON}">${escapeHtml(label)}</a>`;
}
