import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sendingCalls } from '@evenkeel/contract/sending';
import { settingsCalls } from '@evenkeel/contract/settings';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer, addInvoice } from './books.ts';
import type { Person } from './company.ts';
import { journey } from './journey.ts';
import { checkLook, gone, holds, seen } from './look.ts';
import { button, field } from './pages/fields.ts';
import { Reports } from './pages/Reports.ts';
import { pressOften } from './pressOften.ts';

const BANK = 'loans@bank.example';
const LOST = 'The connection was lost. Your changes are still here. Try again.';

/** Runs a report and emails it. The first response is lost, and after a reload, Send is clicked many times. */
async function emailReport(page: Page): Promise<(string | undefined)[]> {
  const reports = new Reports(page);
  await reports.run('Profit & Loss Statement');
  await (await reports.exportAs('Email Report')).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'To').fill(BANK);
  await checkLook(page, 'the email with a report');
  const keys: (string | undefined)[] = [];
  await page.route(/\/api\/reports\/\d+\/email$/, async (route) => {
    const answer = await route.fetch();
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length === 1 ? route.abort('connectionreset') : route.fulfill({ response: answer });
  });
  await button(dialog, 'Send').click();
  await seen(dialog.getByText(LOST));
  await page.reload();
  await holds(field(dialog, 'To'), BANK);
  await button(dialog, 'Send').evaluate(pressOften, { times: 30, pause: 5 });
  await gone(dialog);
  return keys;
}

/** Opens the newest emailed report and returns the hash of the downloaded file. */
async function downloadSent(page: Page): Promise<string> {
  await button(page, 'Sent Reports').click();
  const list = page.getByRole('dialog', { name: 'Sent Reports' });
  await seen(list.getByText(`To ${BANK}`));
  await checkLook(page, 'sent reports');
  await button(list, 'Profit & Loss Statement').click();
  const paper = page.getByRole('dialog', { name: 'Profit & Loss Statement' });
  await seen(paper.locator('canvas'));
  const [download] = await Promise.all([page.waitForEvent('download'), button(paper, 'Download').click()]);
  expect(download.suggestedFilename()).toBe('Profit & Loss Statement.pdf');
  return createHash('sha256')
    .update(await readFile(await download.path()))
    .digest('hex');
}

/** Changes the books and the company, so that the report would be different if it were created again. */
async function changeBooks({ api, session }: Person, customerId: number): Promise<void> {
  await addInvoice(api, { customerId, amount: '99.00' });
  const names = { name: 'Later Name', displayname: 'Later Name' };
  await api.call(settingsCalls.updateCompany, { params: { id: session.companyId }, body: names });
}

journey('a report is emailed once after a lost response, and is shown later exactly as it was sent', async (stage) => {
  const company = await stage.company('Sent Reports');
  const { administrator } = company;
  const customerId = await addCustomer(administrator.api, 'Orchard Row');
  await addInvoice(administrator.api, { customerId, amount: '300.00' });
  stage.health.allow(/ERR_CONNECTION_RESET/, /no answer/);
  const page = await stage.open('/reports', { as: administrator });
  const keys = await emailReport(page);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  const sent = await administrator.api.call(sendingCalls.listSentReports, {});
  expect(sent).toHaveLength(1);

  await changeBooks(administrator, customerId);
  expect(await downloadSent(page)).toBe(sent[0]?.hash);

  // A user who can only view reports can open the emailed reports, but can't email one.
  const reader = await stage.open('/reports', { as: await company.invite('Read Only') });
  expect(await downloadSent(reader)).toBe(sent[0]?.hash);
  await reader.goto('/reports');
  const reports = new Reports(reader);
  await reports.run('Balance Sheet');
  await seen(await reports.exportAs('PDF'));
  expect(await reader.getByRole('menuitem', { name: 'Email Report' }).count()).toBe(0);
});
