import type { Locator, Page } from 'playwright-core';
import { button, field, pick } from './fields.ts';

export type ReportTitle = 'Balance Sheet' | 'Profit & Loss Statement' | 'Trial Balance';

/** The reports page. */
export class Reports {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Returns the printed page of the current report. */
  get paper(): Locator {
    return this.page.getByRole('article');
  }

  async run(title: ReportTitle): Promise<void> {
    await pick(this.page, 'Report', title);
    await button(this.page, 'Run').click();
    await this.page.getByRole('article', { name: title }).waitFor();
  }

  /** Runs the current report on the other basis, which opens a new tab. */
  async basis(name: 'Accrual' | 'Cash'): Promise<void> {
    await this.page.getByRole('group', { name: 'Report settings' }).getByText(name, { exact: true }).click();
    await button(this.page, 'Run').click();
    await this.paper
      .and(this.page.locator('[aria-busy="false"]'))
      .getByText(new RegExp(`${name} basis`, 'i'))
      .waitFor();
  }

  /** Returns an amount by the label of its row, for example `Accounts Receivable`. `column` 0 is the first amount. */
  figure(words: string | RegExp, column = 0): Locator {
    const head = this.page.getByRole('rowheader', { name: words });
    return this.paper.getByRole('row').filter({ has: head }).getByRole('cell').nth(column);
  }

  /** Selects a preset period. */
  async period(name: string): Promise<void> {
    await this.openPeriod();
    await button(this.page, name).click();
  }

  /** Opens the popover with the presets and dates. */
  async openPeriod(): Promise<void> {
    await button(this.page, /^Period /).click();
    await this.page.getByRole('switch', { name: 'Custom Dates' }).waitFor();
  }

  /** Enters custom dates. */
  async dates(from: string, to: string): Promise<void> {
    await this.openPeriod();
    await field(this.page, 'Start Date').fill(from);
    await field(this.page, 'Report Date').fill(to);
    await this.page.keyboard.press('Escape');
  }

  /** Opens the Export menu and returns one of its items. */
  async exportAs(name: string): Promise<Locator> {
    await button(this.page, 'Export').click();
    return this.page.getByRole('menuitem', { name, exact: true });
  }

  tab(words: string | RegExp): Locator {
    return this.page.getByRole('tab').filter({ hasText: words });
  }
}
