import { daysBetween, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { kindOf } from '@evenkeel/core/documents/side';
import { cents, formatAmount, formatUsd, sum, ZERO } from '@evenkeel/core/money';
import { MOST_PARTS } from '../online/provider.ts';
import { escapeHtml } from '../../platform/mail/html.ts';
import type { LinkTimes } from './links.ts';
import { footOf, headOf, page, toldOf } from './page.ts';
import type { Portal, PortalDocument, PortalPayment } from './portal.ts';

/** Renders the customer portal, which works without scripts, like the pages for single documents. */

export interface PortalShown extends Portal, LinkTimes {
  /** The path of the page. The paths of its documents and files start with this path. */
  path: string;
  /** The reason why the last payment was rejected. */
  payFault?: string | undefined;
  /** The requested dates of a statement, and the reason why the request was rejected. */
  statement?: { from: string; to: string; fault: string } | undefined;
}

/** The heading of a column with links, for screen readers. */
const LINK = '<span class="hidden">Link</span>';

export function portalPage(shown: PortalShown): string {
  const { customer, company, path } = shown;
  const name = escapeHtml(company.name);
  return page(
    `${customer.displayname}, account with ${company.name}`,
    `${headOf(company, path)}<main class="portal"><div class="title"><h1>${escapeHtml(customer.displayname)}</h1>` +
      `<p class="quiet">Your account with ${name}</p></div>${figuresOf(shown)}${openOf(shown)}${offersOf(shown)}` +
      `${paymentsOf(shown)}${statementOf(shown)}${renewalOf(path)}</main>${footOf(shown)}`,
  );
}

function figuresOf({ standing, invoices, today }: PortalShown): string {
  const next = invoices.find(({ dueDate }) => dueDate !== null && dueDate >= today);
  const figure = (label: string, amount: string, isBad = false) =>
    `<div><dt>${label}</dt><dd class="due${isBad ? ' bad' : ''}">${amount}</dd></div>`;
  return (
    `<dl class="facts figures">${figure('Balance', formatUsd(standing.balance))}` +
    (standing.overdueAmount > 0 ? figure('Overdue', formatUsd(standing.overdueAmount), true) : '') +
    (next?.dueDate ? figure(`Next due ${formatDate(next.dueDate)}`, formatUsd(next.openAmount)) : '') +
    (standing.creditAmount > 0 ? figure('Credits', formatUsd(standing.creditAmount)) : '') +
    '</dl>'
  );
}

function openOf(shown: PortalShown): string {
  const { invoices, pay, path, payFault } = shown;
  const told = toldOf({ told: pay.told, fault: payFault });
  if (invoices.length === 0) return `<section><h2>Open invoices</h2>${told}<p>You have no open invoices.</p></section>`;
  const offered = invoices.filter(({ id }) => pay.offers.has(id));
  const total = sum(offered.map(({ id }) => pay.offers.get(id) ?? ZERO));
  // The first invoices are selected, up to the number that one payment can have.
  const selected = new Set(offered.slice(0, MOST_PARTS).map(({ id }) => id));
  const rows = invoices.map((invoice) => invoiceRow(shown, invoice, selected)).join('');
  const whole = sum(invoices.map(({ openAmount }) => openAmount));
  const table =
    '<table><thead><tr><th>Invoice</th><th class="wide text">Due Date</th><th class="wide text">Status</th>' +
    `<th>Amount Due</th><th class="wide">${LINK}</th></tr></thead><tbody>${rows}</tbody>` +
    `<tfoot><tr><td>${counted(invoices.length)}</td><td class="wide"></td><td class="wide"></td>` +
    `<td>${formatUsd(whole)}</td><td class="wide"></td></tr></tfoot></table>`;
  if (offered.length === 0) return `<section><h2>Open invoices</h2>${told}${table}</section>`;
  const label = offered.length === 1 ? `Pay ${formatUsd(total)}` : 'Pay Selected Invoices';
  const hint =
    offered.length === 1
      ? ''
      : `<p class="quiet small">Clear a check box to pay only some. Together they are ${formatUsd(total)}.</p>`;
  return (
    `<section><form method="post" action="${path}/pay"><h2>Open invoices</h2>${told}${hint}${table}` +
    `<button class="button">${label}</button>` +
    '<p class="quiet small">On a secure page of Stripe. Your payment details stay there.</p></form></section>'
  );
}

const counted = (count: number): string => `${count} ${count === 1 ? 'invoice' : 'invoices'}`;

function invoiceRow({ path, today, pay }: PortalShown, invoice: PortalDocument, selected: ReadonlySet<number>): string {
  const { id, number, dueDate, openAmount } = invoice;
  const offer = pay.offers.get(id);
  const name = `Invoice ${escapeHtml(number)}`;
  const box =
    offer === undefined
      ? `<span class="pick">${name}</span>`
      : `<label class="pick"><input type="checkbox" name="invoice" value="${id}:${offer}"` +
        `${selected.has(id) ? ' checked' : ''}>${name}</label>`;
  const due = dueDate === null ? '' : formatDate(dueDate);
  const status = statusOf(dueDate, today);
  const late = status === 'Open' ? '' : `<div class="narrow">${status}</div>`;
  const view = `<a href="${path}/documents/${id}">View<span class="hidden"> ${name}</span></a>`;
  const coming = offer === undefined || offer === openAmount ? ZERO : cents(openAmount - offer);
  const onWay = coming === 0 ? '' : `<div class="good small">${formatAmount(coming)} is on its way</div>`;
  return (
    `<tr><td>${box}${due === '' ? '' : `<div class="quiet small narrow">Due ${due}</div>`}${late}${onWay}</td>` +
    `<td class="wide text">${due}</td><td class="wide text">${status}</td>` +
    `<td>${formatAmount(openAmount)}<div class="narrow">${view}</div></td>` +
    `<td class="wide">${view}</td></tr>`
  );
}

function statusOf(dueDate: IsoDate | null, today: IsoDate): string {
  if (dueDate === null || dueDate >= today) return 'Open';
  const days = daysBetween(dueDate, today);
  return `<span class="late">Overdue ${days} ${days === 1 ? 'day' : 'days'}</span>`;
}

/** The documents that the customer can accept or decline, in a table for each kind. */
function offersOf({ offers, path }: PortalShown): string {
  const sections = [...new Set(offers.map(({ kind }) => kind))].map((kind) => {
    const { title, many } = kindOf(kind).words;
    const rows = offers
      .filter((each) => each.kind === kind)
      .map(
        ({ id, number, dueDate, amount }) =>
          `<tr><td>${title} ${escapeHtml(number)}` +
          (dueDate === null ? '' : `<div class="quiet small">Valid until ${formatDate(dueDate)}</div>`) +
          `</td><td>${formatAmount(amount)}</td><td><a href="${path}/documents/${id}">Accept or Decline` +
          `<span class="hidden"> ${title} ${escapeHtml(number)}</span></a></td></tr>`,
      );
    const heading = many.charAt(0).toUpperCase() + many.slice(1);
    return (
      `<section><h2>${heading}</h2><table><thead><tr><th>${title}</th><th>Amount</th><th>${LINK}</th></tr></thead>` +
      `<tbody>${rows.join('')}</tbody></table></section>`
    );
  });
  return sections.join('');
}

function paymentsOf({ payments, path }: PortalShown): string {
  if (payments.length === 0) return '';
  const row = (payment: PortalPayment): string => {
    const { id, date, amount, appliedTo } = payment;
    const to = appliedTo.length === 0 ? '' : `Invoice ${appliedTo.map(escapeHtml).join(', ')}`;
    const link = `<a href="${path}/receipts/${id}">Receipt<span class="hidden"> of ${formatDate(date)}</span></a>`;
    return (
      `<tr><td>${formatDate(date)}<div class="quiet small narrow">${[wayOf(payment), to].filter(Boolean).join(', ')}` +
      `</div></td><td class="wide text">${wayOf(payment)}</td><td class="wide text">${to}</td>` +
      `<td>${formatAmount(amount)}<div class="narrow">${link}</div></td><td class="wide">${link}</td></tr>`
    );
  };
  return (
    '<section><h2>Payments</h2><table><thead><tr><th>Date</th><th class="wide text">Payment</th>' +
    `<th class="wide text">Applied To</th><th>Amount</th><th class="wide">${LINK}</th></tr></thead>` +
    `<tbody>${payments.map(row).join('')}</tbody></table></section>`
  );
}

const wayOf = ({ type, checkNumber, amount }: PortalPayment): string =>
  escapeHtml([amount < 0 ? 'Refund' : '', type, checkNumber].filter(Boolean).join(' '));

function statementOf({ path, today, statement }: PortalShown): string {
  const from = statement?.from ?? `${today.slice(0, 4)}-01-01`;
  const to = statement?.to ?? today;
  const told = statement === undefined ? '' : `<p class="bad" role="alert">${escapeHtml(statement.fault)}</p>`;
  const field = (label: string, name: string, value: string) =>
    `<label>${label}<input type="date" name="${name}" required value="${escapeHtml(value)}"></label>`;
  return (
    `<section><form action="${path}/statement"><h2>Statement</h2>${told}<div class="dates">` +
    `${field('From', 'from', from)}${field('To', 'to', to)}` +
    '<button class="button plain">Download PDF</button></div></form></section>'
  );
}

/** The button that emails a new link to the customer's address on file. No other address can be entered. */
export const renewalOf = (path: string): string =>
  `<section><form method="post" action="${path}/renew"><h2>New link</h2>` +
  '<p class="quiet">We can email you a new link. It goes to the address that we have for your account.</p>' +
  '<button class="button plain">Email Me a New Link</button></form></section>';
