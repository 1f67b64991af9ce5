import { ledgerCalls } from '@evenkeel/contract/ledger';
import { formatDate } from '@evenkeel/core/dates';
import { expect } from 'vitest';
import type { Api } from './api.ts';
import { daysAgo, incomeAccount, money } from './books.ts';
import { journey } from './journey.ts';
import { checkLook, gone, seen } from './look.ts';
import { button, field } from './pages/fields.ts';

/** An entry on Checking: money in above zero. */
async function addEntry(api: Api, amount: string, words: string): Promise<void> {
  const isOut = amount.startsWith('-');
  const line = { amount: money(amount.replace('-', '')), description: words, postingDate: daysAgo(20) };
  const generalLedgerEntries = [
    { ...line, debit: !isOut, accountID: 101 },
    { ...line, debit: isOut, accountID: await incomeAccount(api) },
  ];
  await api.call(ledgerCalls.postTransaction, { body: { generalLedgerEntries } });
}

journey(
  'a statement is reconciled with its charge by keyboard, printed, taken back and reconciled again',
  async (stage) => {
    const { administrator } = await stage.company('Reconciling Works');
    const { api } = administrator;
    await addEntry(api, '500.00', 'Owner pays in');
    await addEntry(api, '75.25', 'Sale at the counter');
    await addEntry(api, '-120.00', 'Rent of the yard');
    await addEntry(api, '-64.18', 'Fuel');
    const page = await stage.open('/banking', { as: administrator });
    await seen(page.getByText('No reconciliations'));
    await checkLook(page, 'reconciliations, none yet');
    await button(page, 'Add Reconciliation').first().click();
    await seen(page.getByRole('heading', { name: 'Reconcile Checking' }));
    await field(page, 'Statement Date').fill(formatDate(daysAgo(10)));
    await field(page, 'Statement Balance').fill('440.25');
    await field(page, 'Bank Charge').fill('15');
    await checkLook(page, 'statement info');

    // Space ticks a row, Ctrl+A all of them.
    await page.getByRole('tab', { name: /^Receivables/ }).click();
    await page.getByRole('row').filter({ hasText: 'Owner pays in' }).focus();
    await page.keyboard.press('Control+a');
    await seen(page.getByText('Receivables, 2 selected'));
    await page.getByRole('tab', { name: /^Payables/ }).click();
    const side = page.getByRole('complementary', { name: 'Reconciled balance' });
    await seen(side.getByText('$120.00'));
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await checkLook(page, 'a difference, with what could explain it');

    // Kept on the server, found again, and put right by the hint.
    await button(page, 'Save in progress').click();
    await seen(page.getByText(/in progress, saved by you/));
    await checkLook(page, 'a reconciliation in progress');
    await button(page, 'Continue').click();
    await seen(side.getByText('$120.00'));
    await button(side, 'Select it').click();
    await seen(side.getByText('In Balance'));
    await button(page, 'Save').click();
    await seen(page.getByText('Recon saved'));
    await seen(page.getByText(/Last reconciled/));
    await page.getByRole('link', { name: 'View Report' }).click();
    await seen(page.getByRole('article'));
    await seen(page.getByText('Rent of the yard'));
    await checkLook(page, 'reconciliation report');
    await button(page, 'Print').click();
    const paper = page
      .getByRole('dialog')
      .or(page.getByRole('complementary'))
      .filter({ hasText: /Reconciliation \d+/ });
    await seen(paper.first());
    await page.keyboard.press('Escape');

    await button(page, 'Delete').click();
    await button(page, 'Confirm Delete').click();
    await seen(page.getByText('Recon deleted'));
    await seen(page.getByText('No reconciliations'));

    // All of it is in progress again: ticked, with its charge.
    await button(page, 'Continue').click();
    await seen(side.getByText('In Balance'));
    await button(page, 'Save').click();
    await seen(page.getByText('Recon saved'));
    await gone(page.getByRole('heading', { name: 'Reconcile Checking' }));
  },
);
