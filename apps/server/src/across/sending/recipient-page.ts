import type { FormConsent } from '@evenkeel/contract/forms1099';
import { formatDate } from '@evenkeel/core/dates';
import type { Report } from '@evenkeel/core/reports/report';
import { disclosures, DISCLOSURES_VERSION } from '@evenkeel/core/taxes/copies';
import { formTitle } from '@evenkeel/core/taxes/forms1099';
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../platform/mail/html.ts';
import type { Letterhead } from '../../platform/pdf/letter.ts';
import { plainReport, plainSection, textCell } from '../../platform/pdf/plain-report.ts';
import type { PageCopy } from './form-copies.ts';
import type { LinkTimes } from './links.ts';
import { footOf, headOf, page } from './page.ts';

/**
 * Renders a vendor's page: the consent to electronic copies of 1099 forms, and the copies. The page works without
 * scripts, like the other private pages.
 */

export interface RecipientShown extends LinkTimes {
  path: string;
  company: Letterhead;
  consent: Pick<FormConsent, 'vendorName' | 'state' | 'date'>;
  copies: readonly PageCopy[];
  /** Why the last form was rejected. */
  fault?: string | undefined;
}

/** Returns the code in the sample PDF of a link. Entering it shows that the vendor can open a copy. */
export const sampleCode = (token: string): string =>
  (createHash('sha256').update(`sample ${token}`).digest().readUInt32BE() % 1_000_000).toString().padStart(6, '0');

/** Returns the sample of a copy, with its code. */
export const samplePaper = (token: string): Report =>
  plainReport(
    'Sample Copy',
    ['Sample Copy', 'This is not a tax form. Enter this code on the page from which you opened the sample.'],
    [plainSection('Code', [['Code', false]], [[textCell(sampleCode(token))]])],
  );

export function recipientPage(shown: RecipientShown): string {
  const { company, path, consent } = shown;
  const { vendorName } = consent;
  const parts = [copiesOf(shown), consentOf(shown)];
  // A vendor who has not consented yet opens the page to decide.
  const ordered = consent.state === 'consented' || shown.copies.length > 0 ? parts : parts.toReversed();
  return page(
    `${vendorName}, 1099 forms from ${company.name}`,
    `${headOf(company, path)}<main class="portal"><div class="title"><h1>${escapeHtml(vendorName)}</h1>` +
      `<p class="quiet">Your 1099 forms from ${escapeHtml(company.name)}</p></div>${ordered.join('')}</main>` +
      footOf(shown),
  );
}

function copiesOf({ copies, path }: RecipientShown): string {
  const heading = '<section><h2>Your copies</h2>';
  if (copies.length === 0) return `${heading}<p>There are no copies yet.</p></section>`;
  const row = (copy: PageCopy): string => {
    const { id, year, form, version, filedDate, postedOn, endsOn, isOver } = copy;
    const name = `${formTitle(form)} ${year}`;
    const corrected =
      version === 1
        ? ''
        : `<div class="good small">Corrected ${formatDate(postedOn)}. This copy replaces the earlier one.</div>`;
    const end = isOver ? `No longer available since ${formatDate(endsOn)}` : `Available through ${formatDate(endsOn)}`;
    const link = isOver ? '' : `<a href="${path}/forms/${id}/pdf">Download PDF<span class="hidden"> ${name}</span></a>`;
    return (
      `<tr><td>${name}<div class="quiet small">Filed ${formatDate(filedDate)}. ${end}.</div>${corrected}</td>` +
      `<td>${link}</td></tr>`
    );
  };
  return (
    `${heading}<p class="quiet small">Copy B, for recipient. Save or print each copy while it is available.</p>` +
    '<table><thead><tr><th>Form</th><th><span class="hidden">Link</span></th></tr></thead>' +
    `<tbody>${copies.map(row).join('')}</tbody></table></section>`
  );
}

function consentOf(shown: RecipientShown): string {
  const { consent, company, path, fault } = shown;
  const told = fault === undefined ? '' : `<p class="bad" role="alert">${escapeHtml(fault)}</p>`;
  const date = consent.date === null ? '' : formatDate(consent.date);
  const terms = termsOf(company);
  if (consent.state === 'consented') {
    return (
      `<section><form method="post" action="${path}/withdraw"><h2>Electronic delivery</h2>${told}` +
      `<p class="good">You consented on ${date}.</p>` +
      '<p class="quiet small">If you withdraw your consent, you get paper copies of later forms.</p>' +
      `<button class="button plain">Withdraw Consent</button></form></section>` +
      `<section><h2>Conditions</h2>${terms}</section>`
    );
  }
  const name = escapeHtml(company.name);
  // Publication 1179 requires a written confirmation of the withdrawal with its date.
  const before =
    consent.state === 'withdrawn'
      ? `<p>You withdrew your consent on ${date}. You'll get paper copies of all later forms.</p>`
      : '';
  return (
    `<section><h2>Electronic delivery</h2>${before}` +
    `<p>${name} can send your copies of 1099 forms electronically. Read these conditions first.</p>${terms}` +
    `<form method="post" action="${path}/consent">${told}` +
    `<input type="hidden" name="version" value="${DISCLOSURES_VERSION}">` +
    '<p>Copies are PDF files. To show that you can open them, open the sample and enter its code.</p>' +
    `<div class="dates"><a class="button plain" href="${path}/sample">Open Sample PDF</a>` +
    '<label>Code in the sample' +
    '<input name="code" inputmode="numeric" autocomplete="off" required maxlength="6"></label>' +
    '<button class="button">Give Consent</button></div></form></section>'
  );
}

function termsOf(company: Letterhead): string {
  const items = disclosures({ company: company.name, contact: contactOf(company) }).map(
    ({ title, text }) => `<dt><strong>${escapeHtml(title)}</strong></dt><dd>${escapeHtml(text)}</dd>`,
  );
  return `<dl class="terms">${items.join('')}</dl>`;
}

/** Returns the address and phone of a letterhead on one line. */
const contactOf = ({ lines }: Letterhead): string => lines.filter((line) => line !== '').join(', ');
