import type { Page } from 'playwright-core';
import { journey } from './journey.ts';
import { Keyboard } from './keyboard.ts';
import { checkLook, focused, gone, says, seen } from './look.ts';
import { quickbooksFiles } from './moveIn.ts';
import { button } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';

const TRANSACTIONS = 40;

const toConfirm = (page: Page) => page.getByRole('button', { name: /^To confirm/ });
const openMatches = (page: Page) => page.locator('[data-match]');

/** Returns the number of accounts that are still unconfirmed after all suggestions have been confirmed. */
async function left(page: Page): Promise<number> {
  await gone(page.getByRole('button', { name: /^Confirm \d+ Suggestions?$/ }));
  return Number(/\d+/.exec(await toConfirm(page).innerText())?.[0]);
}

/**
 * Confirms the suggestions, and creates a new account for each remaining account, because no file contains its type.
 */
async function matchByMouse(page: Page): Promise<void> {
  await seen(openMatches(page));
  await toConfirm(page).click();
  const all = page.getByRole('button', { name: /^Confirm \d+ Suggestions?$/ });
  if (await all.isVisible()) await all.click();
  for (let open = await left(page); open > 0; open -= 1) {
    await openMatches(page).first().click();
    await button(page, 'Create').click();
    const dialog = page.getByRole('dialog', { name: 'Create Account' });
    await dialog.getByRole('combobox', { name: 'Account Type' }).click();
    await page.getByRole('option', { name: 'Expense', exact: true }).click();
    await button(dialog, 'Create').click();
    await gone(dialog);
  }
}

async function matchByKeys(page: Page, keys: Keyboard): Promise<void> {
  await seen(openMatches(page));
  await keys.press('Control+Enter');
  await keys.to(/^To confirm/);
  await keys.press('Enter');
  for (let open = await left(page); open > 0; open -= 1) {
    await keys.to(/Choose an account/);
    await keys.press('c');
    const dialog = page.getByRole('dialog', { name: 'Create Account' });
    await seen(dialog);
    await focused(keys, 'Account Type');
    await keys.choose('Account Type', 'Expense');
    await keys.press('Control+Enter');
    await gone(dialog);
  }
}

journey('a new user imports a QuickBooks Online company by mouse, and then with only the keyboard', async (stage) => {
  const files = quickbooksFiles(TRANSACTIONS);
  const { administrator } = await stage.company('By Mouse');
  const page = await stage.open('/', { as: administrator });
  await new Frame(page).go('Settings');
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Move In' }).click();
  await page.getByRole('link', { name: 'Start' }).click();
  await button(page, 'Next: Files').click();
  await page.locator('input[type="file"]').first().setInputFiles(files);
  await page.getByRole('radio', { name: /^All transactions/ }).click();
  await button(page, 'Next: Match').click();
  await matchByMouse(page);
  await button(page, 'Next: Bank Accounts').click();
  await button(page, 'Next: Customers').click();
  await button(page, 'Next: Preview').click();
  await seen(page.getByRole('heading', { name: 'Every balance agrees' }));
  const proved = await page.getByRole('row').filter({ hasText: 'Trial balance' }).first().innerText();
  await button(page, `Import ${TRANSACTIONS} Transactions`).click();
  await seen(page.getByText('Completed'));
  await checkLook(page, 'report of an import');
  await page.getByRole('button', { name: 'Undo Import' }).click();
  await page.getByRole('group').getByRole('button', { name: 'Undo Import' }).click();
  await seen(page.getByText('Undone', { exact: true }));

  const other = (await stage.company('By Keys')).administrator;
  const second = await stage.open('/movein', { as: other });
  const keys = new Keyboard(second);
  await keys.to(/^QuickBooks Online/);
  await keys.press('Control+Enter');
  await keys.to('Choose Files');
  // The system's file dialog is outside the page.
  await second.locator('input[type="file"]').first().setInputFiles(files);
  await keys.to(/^All transactions/);
  await keys.press('Space');
  await keys.to('Next: Match');
  await keys.press('Enter');
  await matchByKeys(second, keys);
  await keys.to('Next: Bank Accounts');
  await keys.press('Enter');
  await keys.to('Next: Customers');
  await keys.press('Enter');
  await keys.to('Next: Preview');
  await keys.press('Enter');
  await seen(second.getByRole('heading', { name: 'Every balance agrees' }));
  await says(second.getByRole('row').filter({ hasText: 'Trial balance' }), proved.replace(/\s+/g, ' ').trim());
  await keys.to(`Import ${TRANSACTIONS} Transactions`);
  await keys.press('Enter');
  await seen(second.getByText('Completed'));
});
