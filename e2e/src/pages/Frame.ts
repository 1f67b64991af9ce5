import type { Locator, Page } from 'playwright-core';

/** The frame of every signed-in page: menu, top bar, and alerts. */
export class Frame {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get menu(): Locator {
    return this.page.getByRole('navigation');
  }

  title(name: string): Locator {
    return this.page.getByRole('heading', { level: 1, name, exact: true });
  }

  /** Opens a screen from the side menu. */
  async go(label: string): Promise<void> {
    const toggle = this.page.getByRole('button', { name: 'Toggle menu' });
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    await this.menu.getByRole('link', { name: label, exact: true }).click();
    await this.title(label).waitFor();
  }

  /** Returns an alert with these words. */
  alert(words: string | RegExp): Locator {
    return this.page.getByRole('region', { name: 'Alerts' }).getByText(words);
  }

  /** Switches to another company that the user belongs to. */
  async switchTo(company: string): Promise<void> {
    const left = this.page.waitForResponse(/\/api\/logout\b/);
    await this.page.getByRole('button', { name: /^Account Settings/ }).click();
    await this.page.getByRole('group', { name: 'Companies' }).getByRole('button', { name: company }).click();
    await (await left).finished();
  }

  /** Signs out in the browser and on the server. */
  async logout(): Promise<void> {
    const ended = this.page.waitForResponse('**/api/logout');
    await this.page.getByRole('button', { name: /^Account Settings/ }).click();
    await this.page.getByRole('button', { name: 'Logout' }).click();
    // If the user left the page too early, the call would get no response.
    await (await ended).finished();
    // If the user left the page before it received the response, the browser would still have the session.
    await this.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }
}
