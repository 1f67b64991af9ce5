import type { Locator, Page } from 'playwright-core';
import { button, field, pick, picker } from './fields.ts';

export interface TypedProduct {
  name: string;
  account: string;
  price: string;
  taxable: boolean;
  category: string;
}

/** The products page. */
export class Products {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  row(name: string): Locator {
    return this.page.getByRole('row').filter({ hasText: name });
  }

  /** Adds a product and, in the same form, its category. */
  async add({ name, account, price, taxable, category }: TypedProduct): Promise<void> {
    await button(this.page, 'Add Product / Service').first().click();
    const dialog = this.page.getByRole('dialog', { name: 'Add Product / Service' });
    await field(dialog, 'Name').fill(name);
    await button(dialog, 'Add Category').click();
    await field(dialog, 'New Category').fill(category);
    await button(dialog, 'Save').first().click();
    await picker(dialog, 'Category').waitFor();
    await field(dialog, 'Description').fill(name);
    await pick(dialog, 'Revenue Account', account);
    await field(dialog, 'Price').fill(price);
    await dialog.getByRole('checkbox', { name: 'Taxable' }).setChecked(taxable);
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'hidden' });
  }
}
