import type { Locator, Page } from 'playwright-core';

/** The search for records, screens, reports, and actions, which is available on every screen. */
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

  /** Returns the rows with these words. */
  rows(words: string | RegExp): Locator {
    return this.dialog.getByRole('option').filter({ hasText: words });
  }

  /** Returns the row that Enter opens. */
  get chosen(): Locator {
    return this.dialog.getByRole('option', { selected: true });
  }

  /** Opens the search with its shortcut and types text. */
  async open(text = ''): Promise<void> {
    await this.page.keyboard.press('Control+k');
    await this.text.waitFor();
    await this.text.fill(text);
  }

  /** Waits until the server has responded to the text. */
  async answered(): Promise<void> {
    await this.dialog.getByText('Searching …').waitFor({ state: 'hidden' });
  }
}
