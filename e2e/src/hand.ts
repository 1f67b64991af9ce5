import type { Locator, Page } from 'playwright-core';

/** Clicks and keys that a task took. */
export interface Steps {
  clicks: number;
  keys: number;
}

/**
 * Somebody at a desk, whose clicks and keys are counted. A click is one; so is a key, also with Ctrl or Shift; a text
 * typed in one go; what is pasted; and a file that is chosen in the system's dialog.
 */
export class Hand {
  readonly page: Page;
  readonly steps: Steps = { clicks: 0, keys: 0 };

  constructor(page: Page) {
    this.page = page;
  }

  async click(...places: Locator[]): Promise<void> {
    for (const place of places) {
      await place.first().click();
      this.steps.clicks += 1;
    }
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      this.steps.keys += 1;
    }
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.steps.keys += 1;
  }

  /** Types over what a field holds, and goes on by Tab. */
  async next(text: string): Promise<void> {
    await this.type(text);
    await this.press('Tab');
  }

  /** Chooses in the field that has the focus: types, and takes the first that is offered. */
  async choose(text: string): Promise<void> {
    await this.type(text);
    await this.page.getByRole('option').filter({ hasText: text }).first().waitFor();
    await this.press('Enter');
  }

  async paste(text: string): Promise<void> {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.page.evaluate((words) => navigator.clipboard.writeText(words), text);
    await this.press('Control+v');
  }

  /** Clicks what asks for a file, and chooses one. */
  async attach(place: Locator, name: string): Promise<void> {
    const asked = this.page.waitForEvent('filechooser');
    await this.click(place);
    const file = { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 receipt') };
    await (await asked).setFiles([file]);
    this.steps.clicks += 1;
  }

  /** Goes on with Tab until what has the focus is called this. */
  async tabTo(name: string | RegExp): Promise<void> {
    for (let steps = 0; steps < 40; steps += 1) {
      const here = await this.#here();
      if (typeof name === 'string' ? here === name : name.test(here)) return;
      await this.press('Tab');
    }
    throw new Error(`Tab does not reach ${String(name)}`);
  }

  async #here(): Promise<string> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return this.page.evaluate(() => {
      const at = document.activeElement;
      if (!(at instanceof HTMLElement)) return '';
      const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : [];
      const label = labels.map((each) => each.textContent.trim()).join(' ');
      return at.getAttribute('aria-label') ?? (label === '' ? at.innerText.trim() : label);
    });
  }
}
