import type { Locator, Page } from 'playwright-core';

/** The sign-in page. */
export class SignIn {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get heading(): Locator {
    return this.page.getByRole('heading', { name: 'Sign in' });
  }

  /** Returns the notice that explains why this page is shown. */
  notice(words: string): Locator {
    return this.page.getByRole('main').getByText(words);
  }

  async enter(email: string, password: string): Promise<void> {
    await this.page.getByLabel('Email', { exact: true }).fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
}
