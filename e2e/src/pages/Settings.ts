import type { Page } from 'playwright-core';
import { button, field, pick } from './fields.ts';

/** The settings page. */
export class Settings {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Adds an item with this percentage to the company's sales tax. */
  async salesTax(label: string, percentage: string): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link', { name: 'Taxes', exact: true })
      .click();
    await button(this.page, 'Edit Sales Tax').click();
    const dialog = this.page.getByRole('dialog', { name: 'Sales Tax' });
    await pick(dialog, 'GL Account', 'Sales Tax');
    await pick(dialog, 'Filing Frequency', 'Quarterly');
    if ((await field(dialog, 'Percentage').count()) === 0) await button(dialog, 'Add Sales Tax Item').click();
    await pick(dialog, 'Type', 'State');
    await field(dialog, 'Label').fill(label);
    await field(dialog, 'Percentage').fill(percentage);
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'hidden' });
  }
}
