import type { Locator, Page } from 'playwright-core';
import { button, field, pick } from './fields.ts';

/** One line on an invoice as entered by the user. */
export interface TypedLine {
  product?: string;
  description?: string;
  account?: string;
  price?: string;
  quantity?: string;
  /** The account. Only lines on bills have one. */
  amount?: string;
  credit?: boolean;
}

/** The billing page with its lists. */
export class Billing {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Returns an invoice's row by its number or customer. */
  row(words: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: words });
  }

  /** Returns the panel for a record next to the list. */
  panel(title: string | RegExp): Locator {
    return this.page.getByRole('complementary').filter({ has: this.page.getByRole('heading', { name: title }) });
  }

  async add(): Promise<BillingEntry> {
    await button(this.page, 'Add Billing').first().click();
    return this.entry();
  }

  entry(): BillingEntry {
    return new BillingEntry(this.page);
  }

  /** Opens an invoice for editing from its row. */
  async edit(number: string): Promise<BillingEntry> {
    await this.row(number).getByRole('link', { name: number, exact: true }).click();
    await button(this.page, 'Open Billing Invoice').click();
    return this.entry();
  }

  async pay(words: string): Promise<PaymentDialog> {
    await this.row(words)
      .getByRole('button', { name: /^Post a payment for invoice/ })
      .click();
    return new PaymentDialog(this.page);
  }
}

/** The Billing Entry dialog, or another dialog of the same kind, by title. */
export class BillingEntry {
  readonly page: Page;
  readonly dialog: Locator;

  constructor(page: Page, title = 'Billing Entry') {
    this.page = page;
    this.dialog = page.getByRole('dialog', { name: title });
  }

  /** Returns the line that is being edited. */
  get work(): Locator {
    return this.dialog.locator('.ek-line-work');
  }

  async customer(name: string): Promise<void> {
    await pick(this.dialog, 'Customer', name);
  }

  /** Types into the line that is being edited and commits it. */
  async line(line: TypedLine): Promise<void> {
    await this.work.waitFor();
    await this.type(this.work, line);
    await button(this.dialog, 'Commit').click();
  }

  /** Types into a line, in the table or in the line's sheet. */
  async type(scope: Locator, line: TypedLine): Promise<void> {
    if (line.product !== undefined) await pick(scope, 'Product/Package/Discount', line.product);
    if (line.description !== undefined) await field(scope, 'Description').fill(line.description);
    if (line.account !== undefined) await pick(scope, 'Account', line.account);
    if (line.price !== undefined) await field(scope, 'Price').fill(line.price);
    if (line.quantity !== undefined) await field(scope, 'Quantity').fill(line.quantity);
    if (line.amount !== undefined) await field(scope, 'Amount').fill(line.amount);
    if (line.credit === true) await scope.getByRole('checkbox', { name: 'Credit Item' }).check();
  }

  async addLine(): Promise<void> {
    await button(this.dialog, /^Add (Billing|Expense) Line Item$/).click();
  }

  /** Returns a total below the lines by its label. */
  total(label: string): Locator {
    return this.dialog.locator(`dt:text-is("${label}") + dd`);
  }

  async save(): Promise<void> {
    await button(this.dialog, 'Save').click();
  }
}

/** The Add Billing Payment or Add Expense Payment dialog. */
export class PaymentDialog {
  readonly page: Page;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog', { name: /(Billing|Expense) Payment/ });
  }

  async amount(text: string): Promise<void> {
    await field(this.dialog, 'Amount').fill(text);
    await field(this.dialog, 'Amount').blur();
  }

  /** Returns the amount that is applied to the invoice or bill with this number. */
  apply(number: string): Locator {
    return this.dialog.getByRole('textbox', { name: new RegExp(`^Apply amount for (invoice|bill) ${number}$`) });
  }

  /** The unapplied amount in the footer. */
  get unapplied(): Locator {
    return this.dialog.locator('.dc-footing strong').last();
  }

  /** The primary button, whose label contains the amount. */
  get postButton(): Locator {
    return this.dialog.getByRole('button', { name: /^Post Payment/ });
  }

  async post(): Promise<void> {
    await this.postButton.click();
  }
}
