import { formatDate, formatLongDate, type IsoDate } from '@evenkeel/core/dates';
import { formatAmount, formatUsd, negate, sum, toPlain } from '@evenkeel/core/money';
import { createHash } from 'node:crypto';
import type { PayNow } from '../online/paynow.ts';
import type { AnswerShown } from '../../features/billing/sent.ts';
import type { PaidWith } from '../../features/billing/invoices.sql.ts';
import { escapeHtml } from '../../platform/mail/html.ts';
import type { InvoicePaper, PaperLine } from '../../platform/pdf/invoice.ts';

/**
 * Renders the page for a private link. The page shows one document as its customer sees it, and works without scripts.
 */

const STYLE = `
:root{color-scheme:light dark;--ground:#f5f7f8;--sheet:#fff;--line:#e1e6e9;--ink:#12181c;--soft:#414c54;--quiet:#5c6871;
--brand:#0e5d7d;--on-brand:#fff;--link:#0e5d7d;--good:#1c7c52;--bad:#b3261e;--bad-soft:#fcebe9}
@media (prefers-color-scheme:dark){:root{--ground:#0e1316;--sheet:#151b1f;--line:#29333a;--ink:#e8edf0;--soft:#b7c2c9;
--quiet:#95a2ab;--brand:#18769a;--link:#6cb9d8;--good:#43ae7c;--bad:#f28b82;--bad-soft:#3a1f1e}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);overflow-wrap:anywhere;
font:.9375rem/1.45 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
header,main,footer{max-width:62rem;margin:0 auto;padding:1.25rem 1rem}
header{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;justify-content:space-between;align-items:center}
header strong{font-size:1.0625rem}
header img{display:block;max-width:11rem;max-height:3.5rem;background:#fff;border-radius:4px;margin-bottom:.4rem}
main{display:grid;gap:1rem;padding-top:0}
section{background:var(--sheet);border:1px solid var(--line);border-radius:12px;padding:1.25rem}
h1{margin:0 0 1rem;font-size:1.375rem;line-height:1.25}
h2{margin:0 0 .5rem;font-size:1rem}
p{margin:0 0 .5rem}
dl,dd,dt{margin:0}
.facts{display:flex;flex-wrap:wrap;gap:.75rem 2.5rem;margin-bottom:1.25rem}
.facts>div:first-child{flex:1 1 12rem}
.quiet,dt,th,footer{color:var(--quiet)}
.small,dt,th{font-size:.8125rem}
.due{font-size:2rem;line-height:1.2;font-weight:600;font-variant-numeric:tabular-nums}
.sums,td,th{font-variant-numeric:tabular-nums}
.sums>div{display:flex;justify-content:space-between;gap:1rem;padding:.15rem 0}
.sums dt{font-size:inherit;color:var(--soft)}
.sums .whole{border-top:1px solid var(--line);margin-top:.35rem;padding-top:.5rem;font-weight:600}
.sums .whole dt{color:inherit}
.late{display:inline-block;border-radius:9px;padding:.05rem .6rem;background:var(--bad-soft);color:var(--bad);
font-size:.8125rem;font-weight:500}
.button{display:block;text-align:center;background:var(--brand);color:var(--on-brand);text-decoration:none;
border-radius:8px;padding:.8rem 1rem;margin-top:1rem;font-weight:500}
.plain{background:none;color:inherit;border:1px solid var(--quiet)}
.pay{border-top:1px solid var(--line);margin-top:1.25rem;padding-top:1rem}
a:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid #6cb9d8;outline-offset:2px}
form{border-top:1px solid var(--line);margin-top:1.25rem;padding-top:1rem}
main>:first-child>form,.portal form{border:0;margin:0;padding:0}
nav{max-width:62rem;margin:-.75rem auto 0;padding:0 1rem}
nav a,td a{display:inline-block;padding:.75rem 0}
a{color:var(--link)}
.title h1,.title p,.figures{margin-bottom:0}
.figures>div:first-child{flex:0 0 auto}
.pick{display:flex;white-space:nowrap;align-items:center;gap:.6rem;min-height:2.75rem;margin:0;font-size:inherit}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
td{overflow-wrap:break-word}
tfoot td{font-weight:600;border:0}
.dates{display:grid;gap:0 1rem}
.portal td{vertical-align:middle}
.portal td,.dates input{min-height:2.75rem}
.portal .text{text-align:left}
.portal table,.portal form .small:last-child{margin-bottom:0}
.due.bad{font-weight:600}
form+.small{margin:.4rem 0 .75rem}
details{margin:.5rem 0 1rem}
.terms{margin:1rem 0;max-width:46rem}
.terms dt{color:inherit;font-size:inherit}
.terms dd{margin-bottom:.75rem}
summary{cursor:pointer;color:var(--soft);font-size:.875rem;padding:.35rem 0}
details form{border:0;margin:0;padding:0}
form .quiet.small{margin:.35rem 0 .75rem}
.note{margin:1rem 0 0}
label{display:block;font-size:.8125rem;font-weight:500;margin-top:.5rem}
label span{color:var(--quiet);font-weight:400}
input{display:block;width:100%;margin-top:.25rem;padding:.6rem .75rem;border:1px solid var(--quiet);border-radius:8px;
background:var(--sheet);color:inherit;font:inherit}
input[type=checkbox]{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--brand)}
button.button{width:100%;border:0;font:inherit;font-weight:500;cursor:pointer}
button.plain{border:1px solid var(--quiet)}
.told{border-top:1px solid var(--line);margin:1.25rem 0 0;padding-top:1rem;font-weight:500}
.good{color:var(--good)}
.bad{color:var(--bad);font-weight:500}
table{width:100%;border-collapse:collapse;margin-bottom:1rem}
th{text-align:left;font-weight:500;padding:.4rem 0;border-bottom:1px solid var(--quiet)}
td{padding:.6rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th+th,td+td{text-align:right;padding-left:.75rem;white-space:nowrap}
.wide{display:none}
footer{display:flex;flex-wrap:wrap;gap:.25rem 2rem;justify-content:space-between;border-top:1px solid var(--line);
font-size:.8125rem}
@media (min-width:46rem){main{grid-template-columns:1fr 20rem;align-items:start}main>:first-child{order:2}
section{padding:1.5rem}.wide{display:table-cell}.narrow{display:none}.totals{margin-left:auto;max-width:22rem}
.portal.portal{grid-template-columns:minmax(0,1fr)}.portal>:first-child{order:0}
.dates{grid-template-columns:1fr 1fr 1fr;align-items:end}
.portal .button{width:auto;margin-left:auto;display:block}.dates .button{margin:0}}
@media print{.button,form,footer{display:none}body{background:none}}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page loads nothing from other servers, runs no scripts, and submits its form only to itself. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export function page(title: string, body: string, head = ''): string {
  return (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="robots" content="noindex, nofollow"><link rel="icon" href="/favicon.svg">' +
    `${head}<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>\n`
  );
}

/** Returns a page with a message in place of a document. `more` is the HTML below the message. */
export function messagePage(title: string, text: string, more = ''): string {
  const words = `<section><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></section>`;
  return page(title, `<main${more === '' ? '' : ' class="portal"'}>${words}${more}</main>`);
}

/** A document as its customer sees it today. */
export interface Shown {
  paper: InvoicePaper;
  /** The path of the page. The paths of its files start with this path. */
  path: string;
  /** The path of the customer portal from which the document was opened. */
  portal?: string | undefined;
  /** The dates when the link was created and when it expires, in the company's time zone. */
  madeOn: IsoDate;
  endsOn: IsoDate | null;
  /** The payment terms, for example "Net 30". Empty if the invoice has no due date. */
  terms: string;
  howToPay: string;
  payLink: string | undefined;
  /** The amounts that can be paid online, and the result of a payment. */
  payNow?: (PayNow & { fault?: string | undefined }) | undefined;
  /** The payments so far, oldest first. */
  paidWith: readonly PaidWith[];
  /** Today's date in the company's time zone. */
  today: IsoDate;
  /** The customer's response, if the document asks for one. */
  answer?: AnswerShown | undefined;
}

export function documentPage(shown: Shown): string {
  const { company, name, invoiceNumber } = shown.paper;
  return page(
    `${name} ${invoiceNumber} from ${company.name}`,
    `${headOf(company, shown.path)}${backOf(shown)}<main>${asideOf(shown)}${documentOf(shown)}</main>${footOf(shown)}`,
  );
}

/** The company's logo, name, and address, which are shown above a page. */
export function headOf(company: InvoicePaper['company'], path: string): string {
  const logo = company.logo === undefined ? '' : `<img src="${path}/logo" alt="">`;
  const lines = company.lines.map((line) => `<div>${escapeHtml(line)}</div>`).join('');
  return (
    `<header><div>${logo}<strong>${escapeHtml(company.name)}</strong></div>` +
    `<div class="quiet small">${lines}</div></header>`
  );
}

/** The dates of the link, which are shown below a page. */
export function footOf({ madeOn, endsOn }: Pick<Shown, 'madeOn' | 'endsOn'>): string {
  const until = endsOn === null ? '' : ` and is valid until ${formatDate(endsOn)}`;
  return (
    '<footer><span>Only people with this link can see this page. ' +
    `This link was created on ${formatDate(madeOn)}${until}.</span><span>Made with Evenkeel</span></footer>`
  );
}

const backOf = ({ portal }: Shown): string =>
  portal === undefined ? '' : `<nav><a href="${portal}">Back to Your Account</a></nav>`;

function asideOf(shown: Shown): string {
  const { asks } = shown.paper;
  if (asks === 'answer') return offeredOf(shown);
  return asks === 'payment' ? dueOf(shown) : creditOf(shown);
}

const pdfButton = (path: string, isPlain: boolean): string =>
  `<a class="button${isPlain ? ' plain' : ''}" href="${path}/pdf">Download PDF</a>`;

function creditOf({ paper: { shortName, total, balanceDue }, path }: Shown): string {
  return (
    `<section aria-label="${shortName}">` +
    `<p class="quiet">${shortName}</p><p class="due">${formatUsd(total)}</p>` +
    `<dl class="sums">${sumRow('Remaining credit', formatUsd(balanceDue))}</dl>${pdfButton(path, false)}</section>`
  );
}

function offeredOf({ paper: { name, total, dueDate }, path, answer }: Shown): string {
  const isOpen = answer !== undefined && answer.says === undefined;
  const until =
    isOpen && dueDate !== null ? `<p>valid until <strong>${escapeHtml(formatLongDate(dueDate))}</strong></p>` : '';
  return (
    `<section aria-label="${name}">` +
    `<p class="quiet">${name}</p><p class="due">${formatUsd(total)}</p>${until}` +
    `${answer === undefined ? '' : answerOf(answer, { name, path })}${pdfButton(path, true)}</section>`
  );
}

function answerOf(answer: AnswerShown, { name: paper, path }: { name: string; path: string }): string {
  const told = answer.fault === undefined ? '' : `<p class="bad" role="alert">${escapeHtml(answer.fault)}</p>`;
  if (answer.says !== undefined) {
    return `${told}<p class="told${answer.isGood ? ' good' : ''}">${escapeHtml(answer.says)}</p>`;
  }
  const { version, name, note } = answer;
  return (
    `<form method="post" action="${path}/answer">${told}<input type="hidden" name="version" value="${version}">` +
    `<label>Your name<input name="name" autocomplete="name" required maxlength="${MOST_NAME}" ` +
    `value="${escapeHtml(name)}"></label>` +
    '<p class="quiet small">Your answer is kept with this name and the time. You can print or download the ' +
    `${paper.toLowerCase()} first.</p>` +
    `<label>Note <span>(optional)</span><input name="note" maxlength="${MOST_NOTE}" ` +
    `value="${escapeHtml(note)}"></label>` +
    `<button class="button" name="answer" value="accept">Accept ${paper}</button>` +
    '<button class="button plain" name="answer" value="decline">Decline</button></form>'
  );
}

/** The maximum length of the name and the note in a response. */
export const MOST_NAME = 100;
export const MOST_NOTE = 500;

/** Returns the amount due, and the ways to pay it. If there is a payment link, its button is the filled one. */
export function dueOf({ paper, path, howToPay, payLink, payNow, today }: Shown): string {
  const { balanceDue, dueDate } = paper;
  const isOpen = balanceDue > 0;
  const isLate = dueDate !== null && dueDate < today;
  const due = dueDate === null ? '' : escapeHtml(formatLongDate(dueDate));
  const by =
    !isOpen || dueDate === null
      ? ''
      : isLate
        ? `<p><span class="late">Was due ${due}</span></p>`
        : `<p>by <strong>${due}</strong></p>`;
  const link =
    payNow?.offer !== undefined
      ? payForms(path, payNow.offer)
      : payLink === undefined || !isOpen || payNow?.told?.isGood === true
        ? ''
        : `<a class="button" rel="noreferrer" href="${escapeHtml(payLink)}">Pay ${formatUsd(balanceDue)}</a>`;
  const words = howToPay.split('\n').map((line) => `<p>${escapeHtml(line)}</p>`);
  const pay = isOpen && howToPay !== '' ? `<div class="pay"><h2>How to pay</h2>${words.join('')}</div>` : '';
  const pdf = pdfButton(path, link !== '');
  return (
    '<section aria-label="Amount due">' +
    `<p class="quiet">${isOpen ? 'Amount due' : 'Paid in full'}</p><p class="due">${formatUsd(balanceDue)}</p>${by}` +
    toldOf(payNow) +
    // Without a payment link, the customer needs the instructions first.
    `${link === '' ? `${pay}${pdf}` : `${link}${pdf}${pay}`}</section>`
  );
}

/** Returns the result of a payment, or the reason why the last amount was rejected. */
export function toldOf(payNow: Shown['payNow']): string {
  const { told, fault } = payNow ?? {};
  if (fault !== undefined) return `<p class="bad" role="alert">${escapeHtml(fault)}</p>`;
  return told === undefined
    ? ''
    : `<p class="${told.isGood ? 'good' : 'bad'}" role="status">${escapeHtml(told.words)}</p>`;
}

/**
 * Returns the form that pays the whole amount. If partial payments are allowed, a second form is for another amount.
 */
function payForms(path: string, { most, least }: NonNullable<PayNow['offer']>): string {
  const open = `<form method="post" action="${path}/pay">`;
  const whole =
    `${open}<button class="button" name="amount" value="${toPlain(most)}">Pay ${formatUsd(most)}</button></form>` +
    '<p class="quiet small">On a secure page of Stripe. Your payment details stay there.</p>';
  if (least === null) return whole;
  const hint = `From ${formatUsd(least)} to ${formatUsd(most)}`;
  return (
    `${whole}<details><summary>Pay another amount</summary>${open}` +
    `<label>Amount <span>(${hint})</span><input name="amount" inputmode="decimal" required maxlength="20"></label>` +
    '<button class="button plain">Pay This Amount</button></form></details>'
  );
}

/**
 * Opens the provider's page. A redirect after a form would be blocked, because the page's form may only be submitted to
 * this site.
 */
export function payingPage(url: string): string {
  const [title, address] = ['Opening the payment page', escapeHtml(url)];
  const link = `<a class="button" rel="noreferrer" href="${address}">Continue to Payment</a>`;
  return page(
    title,
    `<main><section><h1>${title}</h1><p>If nothing happens, select the button.</p>${link}</section></main>`,
    `<meta http-equiv="refresh" content="0;url=${address}">`,
  );
}

const sumRow = (label: string, value: string, isWhole = false): string =>
  `<div${isWhole ? ' class="whole"' : ''}><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`;

function documentOf({ paper, paidWith }: Shown): string {
  const isTaxed = paper.taxes.some(({ amount }) => amount !== 0);
  const isOffer = paper.asks === 'answer';
  const facts = [
    [`${paper.shortName} Date`, formatDate(paper.invoiceDate)],
    ...(paper.facts ?? []).map(({ label, value }) => [label, value]),
    ...(paper.dueDate === null ? [] : [[isOffer ? 'Valid until' : 'Due Date', formatDate(paper.dueDate)]]),
  ].map(([label = '', value = '']) => `<div><dt>${label}</dt><dd>${escapeHtml(value)}</dd></div>`);
  const to = paper.billTo.map((line) => `<div>${escapeHtml(line)}</div>`).join('');
  const note = paper.note?.text ?? '';
  const hasUntaxed = isTaxed && paper.lines.some(({ taxable }) => !taxable);
  return (
    `<section><h1>${paper.name} ${escapeHtml(paper.invoiceNumber)}</h1>` +
    `<dl class="facts"><div><dt>${isOffer ? 'For' : 'Bill to'}</dt><dd>${to}</dd></div>${facts.join('')}</dl>` +
    '<table><thead><tr><th>Description</th><th class="wide">Quantity</th><th class="wide">Price</th>' +
    `<th>Amount</th></tr></thead><tbody>${paper.lines.map((line) => rowOf(line, isTaxed)).join('')}</tbody></table>` +
    `<dl class="sums totals">${totalsOf({ ...paper, paidWith })}</dl>` +
    (hasUntaxed ? '<p class="quiet small">* Not subject to sales tax.</p>' : '') +
    `${note === '' ? '' : `<p class="quiet note">${escapeHtml(note)}</p>`}</section>`
  );
}

function rowOf(line: PaperLine, isTaxed: boolean): string {
  const star = isTaxed && !line.taxable ? ' *' : '';
  const [first, more] = line.name === '' ? [line.description, ''] : [line.name, line.description];
  const date = line.serviceDate === null ? '' : formatDate(line.serviceDate);
  const price = line.price === null ? '' : formatAmount(line.price);
  const count = line.quantity ?? '';
  const notes = [more, date, ...(line.parts ?? []).map(({ text }) => text)].filter((note) => note !== '');
  const below = [
    ...notes.map((note) => `<div class="quiet small">${escapeHtml(note)}</div>`),
    ...(price === '' ? [] : [`<div class="quiet small narrow">${escapeHtml(count)} × ${price}</div>`]),
  ];
  return (
    `<tr><td>${escapeHtml(`${first}${star}`)}${below.join('')}</td><td class="wide">${escapeHtml(count)}</td>` +
    `<td class="wide">${price}</td><td>${formatAmount(line.amount)}</td></tr>`
  );
}

type Totals = Pick<InvoicePaper, 'subtotal' | 'taxes' | 'total' | 'paid' | 'balanceDue' | 'asks'> &
  Pick<Shown, 'paidWith'>;

/** Returns the payments by date and type, and the rest of the paid amount, which consists of credits and discounts. */
function paidRows({ paid, paidWith, asks }: Totals): string[] {
  const rows = paidWith.map(({ date, type, amount }) => {
    const words = [`Paid ${formatDate(date)}`, type.toLowerCase()].filter((word) => word !== '').join(', ');
    return { words, amount };
  });
  const rest = sum([paid, ...rows.map(({ amount }) => negate(amount))]);
  const other = asks !== 'payment' ? 'Applied' : rows.length === 0 ? 'Credits' : 'Other credits';
  return [...rows, ...(rest === 0 ? [] : [{ words: other, amount: rest }])].map(({ words, amount }) =>
    sumRow(words, formatAmount(asks === 'payment' ? negate(amount) : amount)),
  );
}

/** Returns the rows below the lines. Taxes of 0.00, and a subtotal that equals the total, are omitted. */
export function totalsOf(totals: Totals): string {
  const { subtotal, taxes, total, balanceDue, asks } = totals;
  const owed =
    asks !== 'answer'
      ? [
          ...paidRows(totals),
          sumRow(asks === 'payment' ? 'Amount due' : 'Remaining credit', formatUsd(balanceDue), true),
        ]
      : [];
  return [
    ...(subtotal === total ? [] : [sumRow('Subtotal', formatAmount(subtotal))]),
    ...taxes.flatMap(({ label, amount }) => (amount === 0 ? [] : [sumRow(label, formatAmount(amount))])),
    sumRow('Total', formatAmount(total), true),
    ...owed,
  ].join('');
}
