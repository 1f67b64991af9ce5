import type { Locator, Page } from 'playwright-core';

/** Search over records, screens, reports and actions, from anywhere. */
export class Search {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Search', exact: true });
  }

  get text(): Locator {
    return this.dialog.getByRole('combobox');
  }

  /** Rows that hold these words. */
  rows(words: string | RegExp): Locator {
    return this.dialog.getByRole('option').filter({ hasText: words });
  }

  /** The row that Enter opens. */
  get chosen(): Locator {
    return this.dialog.getByRole('option', { selected: true });
  }

  /** Opens it by its key, and types. */
  async open(text = ''): Promise<void> {
    await this.page.keyboard.press('Control+k');
    await this.text.waitFor();
    await this.text.fill(text);
  }

  /** Waits until the server has answered the text. */
  async answered(): Promise<void> {
    await this.dialog.getByText('Searching …').waitFor({ state: 'hidden' });
  }
}
