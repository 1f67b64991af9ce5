import { authCalls } from '@evenkeel/contract/auth';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { addDays, addMonths, formatLongDate } from '@evenkeel/core/dates';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { Api } from './api.ts';
import { addCustomer, addInvoice, daysAgo, today } from './books.ts';
import type { Person } from './company.ts';
import type { Health } from './health.ts';
import { journey, type Stage } from './journey.ts';
import { Keyboard } from './keyboard.ts';
import { checkLook, focused, gone, holds, says, seen } from './look.ts';
import { button, field, pick } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { Reports } from './pages/Reports.ts';
import { drawn, fitted, settled } from './settled.ts';
import { shifts } from './shifts.ts';
import { anotherTab, inAnotherTab } from './tabs.ts';
import { visit } from './visit.ts';

/** Adds invoices for a new customer. */
async function sales({ api }: Person, ...invoices: [amount: string, daysAgo: number][]): Promise<void> {
  const customerId = await addCustomer(api, 'Orchard Row');
  for (const [amount, days] of invoices) await addInvoice(api, { customerId, amount, date: daysAgo(days) });
}

/** Runs the Profit & Loss for the last 30 days, compared with the 30 days before. */
async function compareMonths(page: Page, reports: Reports): Promise<void> {
  await pick(page, 'Report', 'Profit & Loss Statement');
  await pick(page, 'Compare', 'Previous period');
  await reports.dates(daysAgo(29), daysAgo(0));
  await button(page, 'Run').click();
  await seen(reports.paper);
}

/**
 * Uses only the keyboard: arrow keys switch tabs, closing a tab selects the one next to it, and Escape closes an
 * amount's entries.
 */
async function byKeys(page: Page): Promise<void> {
  const reports = new Reports(page);
  const keys = new Keyboard(page);
  await seen(page.getByText('No Reports to Display'));
  await keys.to('Balance Sheet');
  await keys.press('Enter');
  await seen(page.getByRole('article', { name: 'Balance Sheet' }));
  // The button has been removed, so the focus is on the tab that took its place.
  await focused(keys, /^Balance Sheet/);
  await keys.choose('Report', 'Trial Balance');
  await keys.to('Run');
  await keys.press('Enter');
  await seen(page.getByRole('article', { name: 'Trial Balance' }));
  await keys.to(/^Trial Balance/);
  await keys.press('ArrowLeft');
  await seen(page.getByRole('article', { name: 'Balance Sheet' }));
  await focused(keys, /^Balance Sheet/);
  await keys.press('End');
  await seen(page.getByRole('article', { name: 'Trial Balance' }));

  await keys.to('300.00');
  await keys.press('Enter');
  await seen(page.getByText('Entries in this amount'));
  const inPanel = () => page.evaluate(() => document.activeElement?.closest('aside') !== null);
  await expect.poll(inPanel).toBe(true);
  await keys.press('Escape');
  await gone(page.getByRole('complementary'));
  await focused(keys, '300.00');

  await reports.tab(/^Trial Balance/).focus();
  await keys.press('Delete');
  await seen(page.getByRole('article', { name: 'Balance Sheet' }));
  await focused(keys, /^Balance Sheet/);
  await keys.press('Tab');
  await focused(keys, /^Close Balance Sheet/);
  await keys.press('Enter');
  await seen(page.getByText('No Reports to Display'));
  await focused(keys, 'No Reports to Display');
}

/**
 * Checks the messages for a run without a network, a run with too many columns, and a run that was replaced by another.
 */
async function troubles(page: Page, health: Health): Promise<void> {
  const reports = new Reports(page);
  await reports.run('Trial Balance');
  health.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch|net::ERR| 422/);
  await page.context().setOffline(true);
  await pick(page, 'Report', 'Balance Sheet');
  await button(page, 'Run').click();
  await seen(page.getByRole('alert').filter({ hasText: 'Error loading data...' }));
  expect(await button(page, 'Export').isDisabled()).toBe(true);
  // The earlier tab is still there.
  await reports.tab('Trial Balance').click();
  await seen(page.getByRole('article', { name: 'Trial Balance' }));
  await reports.tab('Balance Sheet').click();
  await page.context().setOffline(false);
  await seen(page.getByRole('article', { name: 'Balance Sheet' }));

  // A run with too many columns for a page is rejected with a message.
  await page.goto('/reports?report=1_8_2019-01-01_2026-12-31_0_0_0_month');
  await seen(
    page.getByRole('alert').filter({ hasText: 'The report has more than 37 columns. Choose a shorter date range.' }),
  );

  // The first response is delayed until the second report is shown, and must not replace that report.
  await page.goto('/reports');
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route('**/api/reports/3', async (route) => {
    await held;
    await route.fallback();
  });
  await pick(page, 'Report', 'Trial Balance');
  await button(page, 'Run').click();
  await says(page.getByRole('status').filter({ hasText: 'Loading data' }), 'Loading data...');
  await reports.run('Balance Sheet');
  release();
  await seen(reports.figure('Total Assets'));
  expect(await page.getByRole('article').count()).toBe(1);
  await reports.tab('Trial Balance').click();
  await seen(page.getByRole('article', { name: 'Trial Balance' }));
}

/** Opening a difference or its percentage shows the entries of both columns, and opening a total shows its rows. */
async function bothSides(page: Page): Promise<void> {
  const reports = new Reports(page);
  await compareMonths(page, reports);
  const panel = page.getByRole('complementary');
  const income = page.getByRole('row').filter({ hasText: '300.00' }).first().getByRole('cell');
  for (const [column, figure] of [
    [2, '$180.00'],
    [3, '150.0%'],
  ] as const) {
    await income.nth(column).getByRole('button').click();
    await seen(panel.getByText('Entries in this amount'));
    await seen(panel.getByText(figure).first());
    const made = panel.getByRole('table', { name: 'How this amount is calculated' });
    await says(made, column === 2 ? /300\.00 Less .* 120\.00 Difference 180\.00$/ : /As a percentage of .* 150\.0%$/);
    const sides = panel.getByRole('group', { name: /^Entries in \d/ });
    await expect.poll(() => sides.count()).toBe(2);
    await says(sides.nth(0).getByRole('row').last(), /Total 300\.00/);
    await says(sides.nth(1).getByRole('row').last(), /Total 120\.00/);
    await checkLook(page, `both sides of ${figure}`);
    await button(panel, 'Close').click();
  }
  // Opening a total shows the rows that differ, and opening one of them shows both columns.
  await reports.figure('Net Income', 2).getByRole('button').click();
  await seen(panel.getByText('Lines in this amount'));
  await panel.getByRole('table', { name: 'Lines in this amount' }).getByRole('button').first().click();
  await expect.poll(() => panel.getByRole('group', { name: /^Entries in \d/ }).count()).toBe(2);

  // Shows percentages of income, without a comparison, and exports them.
  await pick(page, 'Compare', '% of income');
  await button(page, 'Run').click();
  await seen(reports.tab(/% of income/));
  await says(reports.figure('Total Income', 1), '100.0%');
  await seen(reports.paper.getByText('Percentages are based on total income'));
  await reports.figure('Total Income', 1).getByRole('button').click();
  await says(panel.getByRole('table', { name: 'How this amount is calculated' }), /Total Income 300\.00 .* 100\.0%$/);
}

/** Checks that the profit center is remembered under the documented key. */
async function remembered(page: Page, api: Api): Promise<void> {
  const center = await api.call(ledgerCalls.createProfitCenter, {
    body: { profitcenterid: 0, profitcentername: 'North' },
  });
  await api.call(settingsCalls.saveSettings, { body: { settingName: 'useProfitCenters', settingValue: 'true' } });
  await page.goto('/reports');
  await pick(page, 'Profit Center', 'North');
  const kept = () =>
    page.evaluate(() => Object.entries(localStorage).find(([key]) => key.endsWith(':reportingReportPCID'))?.[1]);
  await expect.poll(kept).toBe(String(center.profitcenterid));
  await page.goto('/reports');
  await holds(page.getByRole('combobox', { name: 'Profit Center' }), 'North');
  await new Reports(page).run('Trial Balance');
  await seen(page.getByRole('article').getByText('Profit center: North'));
}

/**
 * Checks that one company's open reports are not visible in another company, and that Back and Forward go through the
 * runs. At the end, the other company is open.
 */
async function walled(page: Page, theirs: Person): Promise<void> {
  const reports = new Reports(page);
  await reports.run('Balance Sheet');
  await reports.run('Trial Balance');
  await page.goBack();
  await seen(page.getByRole('article', { name: 'Balance Sheet' }));
  expect(await page.getByRole('tab').count()).toBe(1);
  await page.goForward();
  await seen(page.getByRole('article', { name: 'Trial Balance' }));
  expect(await page.getByRole('tab').count()).toBe(2);

  // Another browser tab has its own reports.
  const second = await page.context().newPage();
  await second.goto('/reports');
  await seen(second.getByText('No Reports to Display'));
  await second.evaluate((text) => localStorage.setItem('user', text), JSON.stringify(theirs.session));
  await seen(new Frame(page).title('Dashboard'));
  await new Frame(page).go('Reports');
  await seen(page.getByText('No Reports to Display'));
  expect(await page.getByRole('tab').count()).toBe(0);
  await reports.run('Balance Sheet');
  await seen(reports.paper.getByText('Desk Theirs'));
  expect(await reports.paper.getByText('300.00').count()).toBe(0);
}

journey(
  'on a desktop, reports can be compared and used by keyboard, show errors, and are separate by company',
  async (stage) => {
    const { administrator } = await stage.company('Desk Ours');
    const theirs = (await stage.company('Desk Theirs')).administrator;
    await sales(administrator, ['300.00', 3]);
    const first = await stage.open('/reports', { as: administrator });
    await byKeys(first);
    // Another browser tab has no open reports and does not load the code again.
    await inAnotherTab(first, '/reports', (page) => troubles(page, stage.health));
    stage.health.allow();
    await sales(administrator, ['100.00', 40], ['20.00', 41]);
    await inAnotherTab(first, '/reports', bothSides);
    await inAnotherTab(first, '/reports', (page) => remembered(page, administrator.api));
    await walled(await anotherTab(first, '/reports'), theirs);
  },
);

/** Requests for reports and for the entries in their amounts. */
const FIGURES = /\/api\/(reports|GeneralLedger)\//;

journey(
  'nothing shifts while a report opens in its tab, is replaced by another report, and runs again',
  async (stage) => {
    const { administrator } = await stage.company('Steady Reports');
    await sales(administrator, ['300.00', 3], ['100.00', 40]);
    const found: string[] = [];
    // The sum of the layout shifts before the response. Selecting a report with other fields or clicking Run shifts the
    // page, too, but no response causes these shifts.
    let before = 0;
    const look = async (page: Page, what: string): Promise<void> => {
      await settled(page);
      const { sum, moved } = await shifts(page);
      console.log(`layout shift: reports, ${what}: ${(sum - before).toFixed(4)}`);
      if (sum > before) found.push(`${what}: ${moved.join('; ')}`);
    };
    /**
     * Delays the next response. `come` releases the response after the click has taken effect, and then measures
     * shifts.
     */
    const held = async (page: Page): Promise<{ come: () => Promise<void> }> => {
      const asked = page.waitForRequest(FIGURES);
      let letGo = () => undefined as void;
      const go = new Promise<void>((done) => (letGo = done));
      const hold = async (route: Route) => {
        await go;
        await route.continue();
      };
      await page.route(FIGURES, hold, { times: 1 });
      const come = async () => {
        await asked;
        await drawn(page);
        before = (await shifts(page)).sum;
        letGo();
      };
      return { come };
    };
    const desk = await stage.open('/reports', { as: administrator });
    const reports = new Reports(desk);
    for (const title of ['Balance Sheet', 'Profit & Loss Statement', 'Trial Balance'] as const) {
      await pick(desk, 'Report', title);
      const answer = await held(desk);
      await button(desk, 'Run').click();
      await answer.come();
      await seen(desk.getByRole('article', { name: title }));
      await look(desk, `${title} at 1440 px`);
    }
    await reports.tab('Balance Sheet').click();
    await seen(desk.getByRole('article', { name: 'Balance Sheet' }));
    const entries = await held(desk);
    await reports.figure('Accounts Receivable').getByRole('button').click();
    await entries.come();
    await seen(desk.getByText('Entries in this amount'));
    await look(desk, 'tab and entries at 1440 px');

    const phone = await stage.open('/reports', { as: administrator, size: 'phone' });
    const first = await held(phone);
    await button(phone, 'Profit & Loss Statement').click();
    await first.come();
    await seen(phone.getByRole('article'));
    await look(phone, 'opened at 390 px');
    const again = await held(phone);
    await pick(phone, 'Period', 'Last 12 Months');
    await again.come();
    const paper = phone.getByRole('article').and(phone.locator('[aria-busy="false"]'));
    await seen(paper.getByText(`${formatLongDate(addDays(addMonths(today(), -12), 1))} – `));
    await look(phone, 'run again at 390 px');
    expect(found).toEqual([]);
  },
);

/** Checks that a phone and a tablet show a list without sideways scrolling and without truncated amounts. */
async function longNames(stage: Stage, person: Person): Promise<void> {
  const { api } = person;
  const name = 'Westmoreland Consolidated Groundworks and Irrigation Partners';
  const customerId = await addCustomer(api, name);
  const description = 'Planting and stonework at the northern terrace of the estate';
  for (const days of [200, 3]) {
    await addInvoice(api, { customerId, amount: '9,999,999.99', date: daysAgo(days), description });
  }
  const range = `8_${daysAgo(300)}_${daysAgo(0)}_0_0_0`;
  for (const [size, ids] of [
    ['phone', ['101', '102', '103', '111', '118', '7', '3', `105 ${customerId}`]],
    ['tablet', ['101', '102', '103', '7']],
  ] as const) {
    const page = await stage.open('/reports', { as: person, size });
    for (const wanted of ids) {
      const [id = '', customer] = wanted.split(' ');
      await visit(page, `/reports?report=${id}_${range}${customer === undefined ? '' : `__${customer}`}`);
      await seen(page.locator('article[aria-busy="false"]'));
      await fitted(page);
      const found = await page.evaluate(() => {
        const pane = document.querySelector('#report-pane');
        const paper = document.querySelector('article');
        const right = pane === null ? 0 : pane.getBoundingClientRect().left + pane.clientWidth;
        const amounts = [...(paper?.querySelectorAll('.ek-amount, td[data-right] *') ?? [])];
        return {
          over: pane === null ? -1 : pane.scrollWidth - pane.clientWidth,
          cut: amounts.filter((one) => one.getBoundingClientRect().right > right).length,
          amounts: amounts.length,
        };
      });
      expect({ id, size, over: found.over, cut: found.cut }).toEqual({ id, size, over: 0, cut: 0 });
      if (id !== '118') expect(found.amounts).toBeGreaterThan(1);
      if (id === '101') {
        // In such a list, an amount opens its transaction, as it does in columns.
        await page.getByRole('article').getByRole('button', { name: '9,999,999.99' }).first().click();
        await seen(page.getByRole('dialog').getByText('9,999,999.99').first());
        await page.keyboard.press('Escape');
        // The next page is opened only after the navigation back is complete, because closing a dialog also navigates
        // back.
        await gone(page.getByRole('dialog'));
      }
    }
    await checkLook(page, `lists of a ${size}`);
  }
}

/**
 * Checks that a phone shows two columns without account numbers, and that a new date runs the report again in its tab.
 */
async function twoColumns(page: Page): Promise<void> {
  await button(page, 'Run Report').click();
  const sheet = page.getByRole('dialog', { name: 'Run Report' });
  await button(sheet, 'Profit & Loss Statement').click();
  await gone(sheet);
  const paper = page.getByRole('article');
  await seen(paper);
  await button(page, 'More').click();
  await pick(page, 'Compare', 'By month');
  await seen(page.getByText(/^Columns \d+ and \d+ of \d+$/));
  await seen(paper.getByText('Total Income'));
  const heads = () => paper.getByRole('columnheader').allInnerTexts();
  await expect.poll(async () => (await heads()).length).toBe(3);
  expect((await heads()).at(-1)).toBe('Total');
  expect(await paper.locator('.rp-number').first().isVisible()).toBe(false);
  const over = await page.evaluate(() => {
    const pane = document.querySelector('#report-pane');
    return pane === null ? -1 : pane.scrollWidth - pane.clientWidth;
  });
  expect(over).toBe(0);
  await button(page, 'Earlier columns').click();
  await expect.poll(async () => (await heads()).at(-1)).not.toBe('Total');
  await checkLook(page, 'two columns of many');

  // Wider screens have no More button, so the menu is closed again.
  await button(page, 'More').click();
  await page.getByRole('switch', { name: 'Custom Dates' }).click();
  // Each new date may run the report. A range that starts last year does not exceed the maximum number of months.
  const year = new Date().getFullYear() - 1;
  await field(page, 'Start Date').fill(`2/1/${year}`);
  await field(page, 'Report Date').fill(`2/28/${year}`);
  await seen(paper.getByText(`February 1, ${year} – February 28, ${year}`));
  const menu = page.getByRole('button', { name: /^Open reports/ });
  await says(menu, /Profit & Loss Statement.*1 of 1/);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Close All Open Reports' }).click();
  await seen(page.getByText('No Reports to Display'));
}

journey('reports fit on phones and tablets without sideways scrolling, with two columns at a time', async (stage) => {
  const { administrator } = await stage.company('Pocket Reports');
  await longNames(stage, administrator);
  await administrator.api.call(settingsCalls.saveSettings, {
    body: { settingName: 'useAccountNumbers', settingValue: 'true' },
  });
  await sales(administrator, ['300.00', 0], ['100.00', 40]);
  await twoColumns(await stage.open('/reports', { as: administrator, size: 'phone' }));
});

journey('a user who can only view reports can open every amount and sees no forbidden actions', async (stage) => {
  const company = await stage.company('Reports Alone');
  await company.administrator.api.call(authCalls.createRole, {
    body: { roleName: 'Analyst', roleProperties: ['View Reports'] },
  });
  const analyst = await company.invite('Analyst');
  // The entry is dated today, because some of the reports cover the current year.
  await sales(company.administrator, ['300.00', 0]);
  const page = await stage.open('/reports', { as: analyst });
  const reports = new Reports(page);
  await reports.run('Balance Sheet');
  await reports.figure('Accounts Receivable').getByRole('button').click();
  const panel = page.getByRole('complementary');
  await seen(panel.getByRole('table', { name: /^Entries in/ }));
  expect(await button(panel, 'Open account ledger').count()).toBe(0);
  await panel
    .getByRole('table', { name: /^Entries in/ })
    .getByRole('button')
    .first()
    .click();
  await seen(page.getByRole('dialog').getByText('300.00').first());
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog'));
  for (const title of ['Customer Aging Report', 'Sales by Customer', 'General Ledger'] as const) {
    await pick(page, 'Report', title);
    await button(page, 'Run').click();
    await seen(page.getByRole('article', { name: title }));
    await reports.paper.locator('button.rp-figure').first().click();
    await seen(page.getByRole('dialog').or(panel).getByText('300.00').first());
    await page.keyboard.press('Escape');
    // If the dialog were still open, it could be mistaken for the next report's dialog.
    await gone(page.getByRole('dialog').or(panel));
  }
});
