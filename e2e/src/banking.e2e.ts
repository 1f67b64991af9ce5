import { bankingCalls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { formatDate } from '@evenkeel/core/dates';
import { fromDollars } from '@evenkeel/core/money';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Textbook, TEXTBOOKS } from '../../apps/server/src/testing/textbooks.ts';
import type { Api } from './api.ts';
import { daysAgo, incomeAccount, money } from './books.ts';
import { journey, type Stage } from './journey.ts';
import { checkLook, gone, says, seen } from './look.ts';
import { button, field, fromMenu } from './pages/fields.ts';
import { statementFile } from './statements.ts';

/** Adds an entry to Checking. Money in is positive. */
async function addEntry(api: Api, amount: string, words: string): Promise<void> {
  const isOut = amount.startsWith('-');
  const line = { amount: money(amount.replace('-', '')), description: words, postingDate: daysAgo(20) };
  const generalLedgerEntries = [
    { ...line, debit: !isOut, accountID: 101 },
    { ...line, debit: isOut, accountID: await incomeAccount(api) },
  ];
  await api.call(ledgerCalls.postTransaction, { body: { generalLedgerEntries } });
}

/** Bank transactions that are in the books: the first four, and 47 amounts that came in and went out again. */
const IN_BOOKS: readonly [text: string, amount: string][] = [
  ['OWNER PAYS IN', '500.00'],
  ['SALE AT THE COUNTER', '75.25'],
  ['RENT OF THE YARD', '-120.00'],
  ['FUEL', '-64.18'],
  ...Array.from({ length: 94 }, (_, index): [string, string] => {
    const [amount, isOut] = [`${1000 + Math.floor(index / 2)}.07`, index % 2 === 1];
    return isOut ? [`REFUND ${amount}`, `-${amount}`] : [`SALE ${amount}`, amount];
  }),
];
/** All 100 bank transactions. The last one is the charge that the reconciliation posts. */
const BANK: readonly [text: string, amount: string][] = [
  ...IN_BOOKS,
  ['HOME DEPOT #3817', '-18.42'],
  ['MONTHLY SERVICE FEE', '-15.00'],
];
const FILE = statementFile(BANK.map(([text, amount]) => ({ date: daysAgo(20), text, amount })));

/** Returns the text of the open bank transaction. */
const openLine = (page: Page) => page.locator('[data-open] .rv-text');

async function importFile(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Review' }).click();
  await seen(page.getByRole('heading', { name: 'No bank transactions' }));
  await checkLook(page, 'review, nothing imported');
  await button(page, 'Import Statement').first().click();
  const dialog = page.getByRole('dialog', { name: 'Import Statement' });
  const file = { name: 'checking.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) };
  await dialog.locator('input[type="file"]').setInputFiles(file);
  await seen(button(dialog, 'Import 100 Transactions'));
  await checkLook(page, 'import, what the file holds');
  await button(dialog, 'Import 100 Transactions').click();
  // These checks run together, because on a slow machine, the alert may disappear before the dialog closes.
  await Promise.all([gone(dialog), seen(page.getByText('100 transactions imported'))]);
}

/**
 * Reviews everything with the keyboard: accepts 98 matches, adds one transaction, and excludes and restores another.
 */
async function reviewByKeys(page: Page): Promise<void> {
  const { keyboard } = page;
  await says(openLine(page), 'OWNER PAYS IN');
  await seen(page.locator('[data-open]').getByText('Sure'));
  await checkLook(page, 'review');
  for (const [text] of IN_BOOKS) {
    await says(openLine(page), text);
    await keyboard.press('Enter');
    await seen(page.getByText(`Matched: ${text}`));
  }
  await says(openLine(page), 'HOME DEPOT #3817');
  await keyboard.press('Enter');
  await seen(page.getByRole('combobox', { name: 'Account', exact: true }));
  await keyboard.type('Office Supplies');
  await keyboard.press('Enter');
  await checkLook(page, 'review, an editor');
  await keyboard.press('Control+Enter');
  await seen(page.getByText('Added: HOME DEPOT #3817'));
  await says(openLine(page), 'MONTHLY SERVICE FEE');
  await keyboard.press('x');
  await seen(page.getByRole('heading', { name: 'All bank transactions have been reviewed' }));
  await checkLook(page, 'review, all done');
  await keyboard.press('u');
  await says(openLine(page), 'MONTHLY SERVICE FEE');
  await seen(page.getByRole('tab', { name: 'Review (1)' }));
}

/** Selects the entries on the statement from a textbook, in separate books, until the difference is zero. */
async function reconcileTextbook(stage: Stage, book: Textbook): Promise<void> {
  const { administrator } = await stage.company(book.source);
  const { api } = administrator;
  const proved = [book.opening, ...book.cleared, ...book.notices];
  for (const [at, amount] of proved.entries()) await addEntry(api, String(amount), `Proved ${at}`);
  for (const amount of book.outstanding) await addEntry(api, String(amount), 'Outstanding');
  const page = await stage.open('/banking', { as: administrator });
  await button(page, 'Add Reconciliation').first().click();
  await field(page, 'Statement Date').fill(formatDate(daysAgo(18)));
  await field(page, 'Statement Balance').fill(String(book.statement));
  if (book.charge !== 0) await field(page, 'Bank Charge').fill(String(book.charge));
  if (book.interest !== 0) await field(page, 'Interest').fill(String(book.interest));
  for (const [tab, sign] of [
    [/^Receivables/, 1],
    [/^Payables/, -1],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    for (const [at, amount] of proved.entries()) {
      if (Math.sign(amount) !== sign) continue;
      await page
        .getByRole('row')
        .filter({ hasText: `Proved ${at}` })
        .focus();
      await page.keyboard.press('Space');
    }
  }
  await seen(page.getByRole('complementary', { name: 'Reconciled balance' }).getByText('In Balance'));
  await button(page, 'Save').click();
  await seen(page.getByText('Recon saved'));
  const [account] = await api.call(bankingCalls.reconciledAccounts, {});
  expect([account?.currentBalance, account?.lastReconciledBalance]).toEqual(
    [book.adjusted, book.statement].map((dollars) => fromDollars(dollars)),
  );
  await page.context().close();
}

journey(
  '100 bank transactions are imported, reviewed, reconciled twice, and printed, and 6 textbook examples balance',
  async (stage) => {
    const { administrator } = await stage.company('Reconciling Works');
    const { api } = administrator;
    for (const [text, amount] of IN_BOOKS) await addEntry(api, amount, text[0] + text.slice(1).toLowerCase());
    const page = await stage.open('/banking', { as: administrator });
    await seen(page.getByText('No reconciliations'));
    await checkLook(page, 'reconciliations, none yet');
    await importFile(page);
    await reviewByKeys(page);

    // Entries that are matched to bank transactions are already selected.
    await page.getByRole('tab', { name: 'Reconciliations' }).click();
    await button(page, 'Add Reconciliation').first().click();
    await seen(page.getByRole('heading', { name: 'Reconcile Checking' }));
    await field(page, 'Statement Date').fill(formatDate(daysAgo(18)));
    await field(page, 'Statement Balance').fill('357.65');
    await field(page, 'Bank Charge').fill('15');
    const side = page.getByRole('complementary', { name: 'Reconciled balance' });
    await seen(side.getByText('In Balance'));
    await seen(page.getByText('Receivables, 49 selected'));
    await checkLook(page, 'statement info');

    // Space selects a row, and Ctrl+A selects all rows.
    await page.getByRole('tab', { name: /^Payables/ }).click();
    await page.getByRole('row').filter({ hasText: 'Rent of the yard' }).focus();
    await page.keyboard.press('Space');
    await seen(side.getByText('$120.00'));
    await seen(side.getByText('MONTHLY SERVICE FEE'));
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await checkLook(page, 'a difference, with what could explain it');

    // The reconciliation is saved on the server, reopened, and corrected with the help of the hint.
    await button(page, 'Save in progress').click();
    await seen(page.getByText(/in progress, saved by you/));
    await checkLook(page, 'a reconciliation in progress');
    await button(page, 'Continue').click();
    await seen(side.getByText('$120.00'));
    await button(side, 'Select').click();
    await seen(side.getByText('In Balance'));
    await button(page, 'Save').click();
    await seen(page.getByText('Recon saved'));
    await seen(page.getByText(/Last reconciled/));

    // The bank's fee is the charge that was just posted. A reconciled match cannot be undone.
    await page.getByRole('tab', { name: 'Review (1)' }).click();
    await says(openLine(page), 'MONTHLY SERVICE FEE');
    await seen(button(page.locator('[data-open]'), /^Match /));
    await page.keyboard.press('Enter');
    await seen(page.getByText('Matched: MONTHLY SERVICE FEE'));
    await button(page, /^Matched 100/).click();
    await seen(page.getByText('Reconciled', { exact: true }));
    expect(
      await button(page, /^Undo /)
        .first()
        .isDisabled(),
    ).toBe(true);

    await page.getByRole('tab', { name: 'Reconciliations' }).click();
    await page.getByRole('link', { name: 'View Report' }).click();
    await seen(page.getByRole('article'));
    await seen(page.getByText('Rent of the yard'));
    await button(page, 'Export').click();
    await page.getByRole('menuitem', { name: 'Print' }).click();
    const paper = page
      .getByRole('dialog')
      .or(page.getByRole('complementary'))
      .filter({ hasText: /Reconciliation \d+/ });
    await seen(paper.first());
    await page.keyboard.press('Escape');

    await fromMenu(page, 'Delete');
    await button(page, 'Confirm Delete').click();
    await seen(page.getByText('Recon deleted'));
    await seen(page.getByText('No reconciliations'));

    // The reconciliation is in progress again: entries are selected, the charge is entered, and the fee has no entry.
    await seen(page.getByRole('tab', { name: 'Review (1)' }));
    await button(page, 'Continue').click();
    await seen(side.getByText('In Balance'));
    await button(page, 'Save').click();
    await seen(page.getByText('Recon saved'));
    await gone(page.getByRole('heading', { name: 'Reconcile Checking' }));
    for (const book of TEXTBOOKS) await reconcileTextbook(stage, book);
  },
  { keepsFocus: true },
);
