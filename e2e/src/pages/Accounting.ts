import type { Locator, Page } from 'playwright-core';
import { button, field, pick } from './fields.ts';

export interface TypedEntryLine {
  account: string;
  description: string;
  amount: string;
  side: 'Debit' | 'Credit';
}

/** The accounting page: the chart of accounts next to an account register. */
export class Accounting {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async addEntry(): Promise<JournalDialog> {
    await button(this.page, 'Add Journal Entry').first().click();
    return new JournalDialog(this.page);
  }

  /** Returns the account's row in the chart. */
  account(words: string): Locator {
    return this.page.getByRole('table', { name: 'Chart of accounts' }).getByRole('row').filter({ hasText: words });
  }

  /** Returns the register of the open account. */
  get ledger(): Locator {
    return this.page.getByRole('table', { name: 'Account entries' });
  }

  async more(label: string | RegExp): Promise<void> {
    await button(this.page, 'More').click();
    await this.page.getByRole('menuitem', { name: label }).click();
  }
}

/** The Journal Entry dialog. */
export class JournalDialog {
  readonly dialog: Locator;

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: 'Journal Entry' });
  }

  /** Types into the empty line. Enter adds another line. */
  async line({ account, description, amount, side }: TypedEntryLine): Promise<void> {
    const rows = this.dialog.locator('tr[data-line]');
    await rows.last().waitFor();
    const line = await rows.count();
    await pick(this.dialog, `GL Account, line ${line}`, account);
    await field(this.dialog, `Description, line ${line}`).fill(description);
    await field(this.dialog, `${side}, line ${line}`).fill(amount);
    await field(this.dialog, `${side}, line ${line}`).press('Enter');
  }

  async post(): Promise<void> {
    await button(this.dialog, 'Post Transaction').click();
  }

  async save(): Promise<void> {
    await button(this.dialog, 'Save Transaction').click();
  }
}
