import { billingCalls } from '@evenkeel/contract/billing';
import { bankingCalls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { cents, parseUsd } from '@evenkeel/core/money';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Api } from './api.ts';
import { addCustomer, addInvoice, addSalesTax, daysAgo, today } from './books.ts';
import { journey } from './journey.ts';
import { checkLook, gone, says, seen } from './look.ts';
import { button, pick } from './pages/fields.ts';
import { Reports } from './pages/Reports.ts';
import { anotherTab, inAnotherTab } from './tabs.ts';

/**
 * Creates a small company with capital, rent, and three invoices (one taxed), one of which is partially paid. No
 * payment is unapplied.
 */
async function smallBooks(api: Api): Promise<void> {
  await addSalesTax(api, 'State', '8.25');
  const customerId = await addCustomer(api, 'Orchard Row');
  const accounts = await api.call(ledgerCalls.chartOfAccounts, { query: {} });
  const account = (name: string): number => {
    const found = accounts.find((one) => one.displayAccountName.includes(name));
    if (found === undefined) throw new Error(`there is no account ${name}`);
    return found.customerAccountID;
  };
  const entry = (debit: string, credit: string, amount: number) =>
    api.call(ledgerCalls.postTransaction, {
      body: {
        postingDate: today(),
        generalLedgerEntries: [
          { accountID: account(debit), debit: true, amount: cents(amount), description: debit },
          { accountID: account(credit), debit: false, amount: cents(amount), description: debit },
        ],
      },
    });
  await entry('Checking', 'Owner', 500000);
  await entry('Rent', 'Checking', 120050);
  // The entry is dated today, so that it is in the current year's reports on every day of the year.
  const taxed = await addInvoice(api, { customerId, amount: '360.00', taxable: true });
  await addInvoice(api, { customerId, amount: '99.99', date: daysAgo(5) });
  await addInvoice(api, { customerId, amount: '40.00' });
  const [type] = await api.call(bankingCalls.listPaymentTypes, { query: {} });
  await api.call(billingCalls.createPayment, {
    body: {
      customerId,
      paymentDate: today(),
      paymentAmount: cents(20000),
      paymentTypeId: type?.id,
      paymentAccountId: account('Undeposited'),
      paymentApplications: [{ invoiceId: taxed.id, amount: cents(20000) }],
    },
  });
}

/** Converts '$1,200.50', '(40.00)', or '–' to cents. */
function amountIn(text: string): number {
  const plain = text.replace(/[$\s]/g, '');
  if (plain === '–' || plain === '') return 0;
  const negative = /^[(−-]/.test(plain);
  const amount = parseUsd(plain.replace(/[()−-]/g, ''));
  if (amount === undefined) throw new Error(`${text} is not an amount`);
  return negative ? -amount : amount;
}

/**
 * Returns the total of the entries in the panel. If there are several accounts, each one is opened by name. Expenses
 * are subtracted.
 */
async function entriesIn(panel: Locator): Promise<number> {
  const closed = panel.locator('details:not([open]) > summary');
  while ((await closed.count()) > 0) await closed.first().click();
  await gone(panel.getByText('Loading...'));
  const tables = await panel.getByRole('table').all();
  const sums = await Promise.all(
    tables.map(async (table) => {
      const amounts = await table.locator('tbody tr td:nth-child(3)').allInnerTexts();
      const isExpense = /Entries in .*Rent/.test((await table.getAttribute('aria-label')) ?? '');
      return { isExpense, total: amounts.reduce((sum, text) => sum + amountIn(text), 0) };
    }),
  );
  const isMixed = sums.some((one) => one.isExpense) && sums.some((one) => !one.isExpense);
  return sums.reduce((sum, { isExpense, total }) => sum + (isMixed && isExpense ? -total : total), 0);
}

/** Returns the sum of the rows that make up a total. Rent is subtracted from income, but not in a debit column. */
async function linesIn(panel: Locator, title: string): Promise<number> {
  const rows = await panel.locator('table.ek-mini tbody tr').all();
  const lines = await Promise.all(
    rows.map(async (row) => {
      const [label = '', amount = ''] = await row.locator('td').allInnerTexts();
      return { isExpense: /Rent/.test(label), amount: amountIn(amount) };
    }),
  );
  const isMixed = title !== 'Trial Balance' && lines.some((one) => !one.isExpense);
  return lines.reduce((sum, { isExpense, amount }) => sum + (isMixed && isExpense ? -amount : amount), 0);
}

/** Opens every amount on the current report, including totals. Returns the number of amounts. */
async function openEachFigure(page: Page, title: string): Promise<number> {
  const figures = page.getByRole('article', { name: title }).locator('button.rp-figure');
  const panel = page.getByRole('complementary');
  const count = await figures.count();
  for (let index = 0; index < count; index += 1) {
    const figure = figures.nth(index);
    const shown = amountIn(await figure.innerText());
    await figure.click();
    await seen(panel.getByText(/(Entries|Lines) in this amount/));
    const isTotal = (await panel.getByText('Lines in this amount').count()) > 0;
    const what = `${title}, figure ${index + 1}: ${shown} in ${await panel.getByRole('heading').first().innerText()}`;
    await expect.poll(() => (isTotal ? linesIn(panel, title) : entriesIn(panel)), { message: what }).toBe(shown);
    await button(panel, 'Close').click();
    await gone(panel);
  }
  return count;
}

journey('every amount on the three reports opens its entries on either basis', async (stage) => {
  const { administrator } = await stage.company('Figures Behind');
  await smallBooks(administrator.api);
  const page = await stage.open('/reports', { as: administrator });
  await seen(page.getByText('No Reports to Display'));
  const reports = new Reports(page);
  for (const title of ['Trial Balance', 'Profit & Loss Statement', 'Balance Sheet'] as const) {
    await reports.run(title);
    expect(await openEachFigure(page, title)).toBeGreaterThanOrEqual(2);
  }
  await reports.run('Profit & Loss Statement');
  await page.locator('button.rp-figure').first().click();
  await seen(page.getByText('Entries in this amount'));
  await reports.basis('Cash');
  expect(await openEachFigure(page, 'Profit & Loss Statement')).toBeGreaterThanOrEqual(1);
});

/**
 * Compares a report with the empty previous year, exports it in three formats, reloads it, and opens an amount's
 * document.
 */
async function compareAndExport(page: Page, reports: Reports): Promise<void> {
  await pick(page, 'Report', 'Balance Sheet');
  await pick(page, 'Compare', 'Previous year');
  await reports.basis('Accrual');
  await seen(reports.tab(/Balance Sheet.*, previous year/));
  const assets = await reports.figure('Total Assets').innerText();
  await says(reports.figure('Total Assets', 2), assets);
  await says(reports.figure('Total Assets', 3), '–');
  await checkLook(page, 'a compared report');
  for (const [name, file] of [
    ['PDF', 'Balance Sheet.pdf'],
    ['Excel', 'Balance Sheet.xlsx'],
    ['CSV', 'Balance Sheet.csv'],
  ] as const) {
    const item = await reports.exportAs(name);
    const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
    expect(download.suggestedFilename()).toBe(file);
  }
  await page.reload();
  await says(reports.figure('Total Assets', 2), assets);

  await pick(page, 'Report', 'General Ledger');
  await button(page, 'Run').click();
  await seen(page.getByRole('article', { name: 'General Ledger' }));
  await reports.paper
    .getByRole('row', { name: /Invoice 10001/ })
    .first()
    .locator('button.rp-figure')
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await seen(dialog.getByText('Invoice 10001').first());
  await page.keyboard.press('Escape');
  await gone(dialog);
}

/** Opens a customer's statement of account from the list of open balances and compares both amounts. */
async function statementOf(page: Page, reports: Reports): Promise<void> {
  await pick(page, 'Report', 'Customer Balances');
  await button(page, 'Run').click();
  await seen(page.getByRole('article', { name: 'Customer Balances' }));
  const owed = await reports.figure('Orchard Row').innerText();
  await reports.figure('Orchard Row').getByRole('button').click();
  await button(page.getByRole('complementary'), 'Statement of account').click();
  await seen(page.getByRole('article', { name: 'Statement of Account' }));
  await says(reports.figure('Balance'), `$${owed}`);
}

/**
 * Each run opens a tab. Open reports survive a reload, because they are in the URL. Closing a report shows the next
 * one.
 */
async function openTabs(page: Page): Promise<void> {
  const reports = new Reports(page);
  await reports.run('Trial Balance');
  await reports.run('Profit & Loss Statement');
  await reports.basis('Cash');
  await reports.run('Balance Sheet');
  expect(await page.getByRole('tab').count()).toBe(4);
  await reports.tab(/Profit & Loss Statement.*cash/).click();
  await seen(page.getByRole('article', { name: 'Profit & Loss Statement' }));
  const shown = await reports.paper.innerText();
  const address = page.url();
  await page.reload();
  await seen(page.getByRole('article', { name: 'Profit & Loss Statement' }));
  expect(page.url()).toBe(address);
  await says(reports.paper, shown.replace(/\s+/g, ' ').trim());
  expect(await page.getByRole('tab').count()).toBe(4);

  // A second run and a run for other dates also open tabs.
  await button(page, 'Run').click();
  await expect.poll(() => page.getByRole('tab').count()).toBe(5);
  await reports.dates('1/1/2020', '12/31/2020');
  await button(page, 'Run').click();
  await seen(reports.tab('Profit & Loss Statement, 2020, cash'));
  expect(await page.getByRole('tab').count()).toBe(6);
  await checkLook(page, 'six open reports');
  for (const name of ['1/1/2020 – 12/31/2020, cash', '12/31/\\d+, cash']) {
    await page
      .getByRole('button', { name: new RegExp(`^Close Profit & Loss Statement.*${name}`) })
      .last()
      .click();
  }
  await expect.poll(() => page.getByRole('tab').count()).toBe(4);
  await reports.tab(/Profit & Loss Statement.*cash/).click();

  await page.getByRole('button', { name: /^Close Profit & Loss Statement.*cash/ }).click();
  await seen(page.getByRole('article', { name: 'Balance Sheet' }));
  await page.getByRole('button', { name: /^Close Balance Sheet/ }).click();
  await seen(page.getByRole('article', { name: 'Profit & Loss Statement' }));
  await button(page, 'Close All Open Reports').click();
  await seen(page.getByText('No Reports to Display'));
}

/** Back first closes a transaction, then the entries, and then the report. A reload restores all of them. */
async function wayBack(page: Page): Promise<void> {
  const reports = new Reports(page);
  await reports.run('Balance Sheet');
  const panel = page.getByRole('complementary');
  const dialog = page.getByRole('dialog');
  await reports.figure('Accounts Receivable').getByRole('button').click();
  await panel
    .getByRole('table', { name: /^Entries in/ })
    .getByRole('button')
    .first()
    .click();
  await seen(dialog.getByRole('table', { name: 'Lines' }));
  await page.reload();
  await seen(dialog.getByRole('table', { name: 'Lines' }));
  await seen(page.locator('aside').getByText('Entries in this amount'));
  await page.goBack();
  await gone(dialog);
  await seen(panel.getByText('Entries in this amount'));
  await page.goBack();
  await gone(panel);
  await seen(reports.paper);
  expect(await page.getByRole('tab').count()).toBe(1);
  await page.goForward();
  await seen(panel.getByText('Entries in this amount'));
  await button(panel, 'Close').click();
  await gone(panel);
  await page.goBack();
  await seen(page.getByText('No Reports to Display'));
}

// Promise (browser): Back closes a transaction, then the entries of an amount, then the report. A reload shows all of
// them again. [3 steps]
journey(
  'Back closes a transaction, its entries, and the report, each run has a tab, and a comparison is exported',
  async (stage) => {
    const { administrator } = await stage.company('Open Reports');
    await smallBooks(administrator.api);
    const first = await stage.open('/reports', { as: administrator });
    await wayBack(first);
    // Another browser tab has no open reports and does not load the code again.
    await inAnotherTab(first, '/reports', openTabs);
    const page = await anotherTab(first, '/reports');
    await compareAndExport(page, new Reports(page));
    await statementOf(page, new Reports(page));
  },
);

/** Adds enough entries for a General Ledger of 1,200 lines. */
async function longBooks(api: Api): Promise<void> {
  const [account, other] = await api.call(ledgerCalls.listRevenueAccounts, { query: {} });
  if (account === undefined || other === undefined) throw new Error('there are fewer than two income accounts');
  for (let part = 1; part <= 2; part += 1) {
    const generalLedgerEntries = Array.from({ length: 600 }, (_, at) => ({
      accountID: (at % 2 === 0 ? account : other).customerAccountID,
      debit: at % 2 === 0,
      amount: cents(1000 + Math.floor(at / 2)),
      description: `Line ${at + 1} of ${part}`,
    }));
    await api.call(ledgerCalls.postTransaction, { body: { postingDate: today(), generalLedgerEntries } });
  }
}

journey(
  'a General Ledger of 1,200 lines draws only visible rows, keeps its heading, and prints completely',
  async (stage) => {
    const { administrator } = await stage.company('Long Ledger');
    await longBooks(administrator.api);
    const address = `/reports?report=101_8_${daysAgo(0)}_${daysAgo(0)}_0_0_0`;
    for (const size of ['desk', 'phone'] as const) {
      const page = await stage.open(address, { as: administrator, size });
      const paper = new Reports(page).paper;
      await seen(paper.getByText('Line 1 of 1', { exact: true }));
      const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
      console.log(`nodes: General Ledger of 1,200 lines, ${size}: ${await nodes()}`);
      expect(await nodes()).toBeLessThan(3000);

      // At the end, the total is visible, with the heading above it.
      const pane = page.locator('#report-pane');
      await expect
        .poll(async () => {
          await pane.evaluate((element) => element.scrollTo(0, element.scrollHeight));
          return paper.getByRole('row').last().innerText();
        })
        .toMatch(/^Total/);
      const top = (await pane.boundingBox())?.y ?? -1;
      const head = paper.getByRole('columnheader', { name: 'Debit' }).last();
      await expect.poll(async () => Math.abs(((await head.boundingBox())?.y ?? 999) - top)).toBeLessThan(40);
      expect(await nodes()).toBeLessThan(3000);

      // Tab also reaches amounts that have not been drawn yet.
      const figures = paper.locator('button.rp-figure');
      await pane.evaluate((element) => element.scrollTo(0, 0));
      await seen(paper.getByText('Line 1 of 1', { exact: true }));
      await figures.first().focus();
      for (let press = 0; press < 60; press += 1) await page.keyboard.press('Tab');
      const rowOf = () => page.evaluate(() => document.activeElement?.closest('tr')?.textContent ?? 'nowhere');
      expect(await rowOf()).toMatch(/Line (60|61|121|122) of 1/);

      const lines = () => paper.getByText(/^Line \d+ of \d$/).count();
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      expect(await lines()).toBe(1200);
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      await expect.poll(lines).toBeLessThan(200);
    }
  },
);
