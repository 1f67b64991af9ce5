import { formCalls } from '@evenkeel/contract/forms1099';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pagesOf } from '../../apps/server/src/platform/pdf/testing/pages.ts';
import { money, today } from './books.ts';
import { mailedLink } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { checkLook, seen } from './look.ts';
import { addForms } from './oneOfEach.ts';
import { button, field } from './pages/fields.ts';

const VENDOR_EMAIL = 'office@duarte.example';

/** Returns the path of the newest private link that was emailed to the vendor, after an earlier one. */
async function mailedPath(stage: Stage, earlier?: string): Promise<string> {
  const newest = async () => new URL(await mailedLink(stage, VENDOR_EMAIL)).pathname;
  await expect.poll(newest, { timeout: 20_000 }).not.toBe(earlier);
  return newest();
}

/** Downloads the PDF of a link on the page, as the vendor's browser does, and returns its text. */
async function textOfPdf(page: Page, name: RegExp | string): Promise<string> {
  const address = (await page.getByRole('link', { name }).getAttribute('href')) ?? '';
  const response = await page.request.get(address);
  expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf']);
  return (await pagesOf(await response.body())).join('\n');
}

journey('a vendor consents, opens a copy of a 1099 form, and withdraws the consent', async (stage) => {
  const { administrator } = await stage.company('Copies');
  const { api } = administrator;
  const { formVendor: vendorId = 0 } = await addForms(api, {});
  const year = Number(today().slice(0, 4));
  const forms = [{ vendorId, form: 'misc' as const, reported: money('10.00'), withheld: cents(0) }];
  await api.call(formCalls.fileForms, { body: { year, filedDate: isoDate(`${year + 1}-01-28`), forms } });

  const page = await stage.open('/taxes?tab=forms&copies=1', { as: administrator });
  const dialog = page.getByRole('dialog', { name: `Recipient Copies ${year}` });
  await seen(dialog.getByText('No consent'));
  await checkLook(page, 'Recipient Copies, no consent');
  await button(dialog, 'Request Consent from 1 Vendor').click();
  await seen(dialog.getByText(/^Requested on/));

  const path = await mailedPath(stage);
  const vendor = await stage.open(path, { size: 'phone' });
  await seen(vendor.getByText('How long copies are available'));
  await checkLook(vendor, 'private page of a vendor, no consent');
  const code = /\b\d{6}\b/.exec(await textOfPdf(vendor, 'Open Sample PDF'))?.[0] ?? '';
  stage.health.allow(/\/consent.* 422|422 \(Unprocessable/);
  await field(vendor, 'Code in the sample').fill(code === '123456' ? '654321' : '123456');
  await button(vendor, 'Give Consent').click();
  await seen(vendor.getByRole('alert').filter({ hasText: 'The code is not correct' }));
  stage.health.allow();
  await field(vendor, 'Code in the sample').fill(code);
  await button(vendor, 'Give Consent').click();
  await seen(vendor.getByText(/^You consented on/));

  await page.reload();
  await seen(dialog.getByText(/^Consented on/));
  await button(dialog, 'Send 1 Copy').click();
  await seen(dialog.getByText(/^Sent on .*, not opened$/));
  await checkLook(page, 'Recipient Copies, sent');
  await vendor.goto(await mailedPath(stage, path));
  await seen(vendor.getByText(`Form 1099-MISC ${year}`).first());
  await checkLook(vendor, 'private page of a vendor with a copy');
  const copy = await textOfPdf(vendor, /^Download PDF/);
  for (const words of ['Copy B', '10.00', '6621']) expect(copy).toContain(words);
  expect(copy).not.toContain('98-7656621');
  await page.reload();
  await seen(dialog.getByText(/^Sent on .*, opened on/));

  await button(vendor, 'Withdraw Consent').click();
  await seen(vendor.getByText(/^You withdrew your consent on/));
  expect(await textOfPdf(vendor, /^Download PDF/)).toContain('Copy B');
  await page.reload();
  await seen(dialog.getByText(/^Withdrawn on/));
  await button(dialog, 'Close').first().click();
  await page.goto(`/taxes?tab=forms&misc=${vendorId}`);
  await seen(page.getByRole('region', { name: 'Recipient copy' }).getByText(/^Withdrawn on/));
});
