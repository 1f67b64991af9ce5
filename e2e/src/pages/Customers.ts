import type { Locator, Page } from 'playwright-core';
import { button, field } from './fields.ts';

/** The customers page. */
export class Customers {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  row(name: string): Locator {
    return this.page.getByRole('row').filter({ hasText: name });
  }

  /** Adds a business with a name and email using the mouse, and closes everything that was opened. */
  async add(name: string, email: string): Promise<void> {
    await button(this.page, 'Add Customer').first().click();
    const dialog = this.page.getByRole('dialog');
    await field(dialog, 'Customer Name').fill(name);
    await field(dialog, 'Email').fill(email);
    await button(dialog, 'Save').click();
    await button(dialog, 'Edit').waitFor();
    await button(dialog, 'Close').click();
    await dialog.waitFor({ state: 'hidden' });
  }
}
