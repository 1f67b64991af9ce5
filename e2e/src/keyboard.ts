import type { Page } from 'playwright-core';

/** A person without a mouse: everything by keys, and every place reached by Tab. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Goes on with Tab until what has the focus is called this. */
  async to(name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const passed: string[] = [];
    for (let steps = 0; steps < 60; steps += 1) {
      const here = await this.here();
      if (typeof name === 'string' ? here === name : name.test(here)) return;
      passed.push(here);
      await this.press(key);
    }
    throw new Error(`Tab does not reach ${String(name)}: ${passed.join(' › ')}`);
  }

  /** Types into the field that is called this, over what it holds. */
  async fill(name: string, text: string): Promise<void> {
    await this.to(name);
    await this.press('Control+a');
    await this.type(text);
  }

  /** Chooses in a field by typing; Tab takes it. */
  async choose(name: string, text: string): Promise<void> {
    await this.fill(name, text);
    await this.page.getByRole('option').filter({ hasText: text }).first().waitFor();
    await this.press('Enter');
  }

  /** What has the focus, as it is called: label, aria-label or its words. */
  async here(): Promise<string> {
    return this.page.evaluate(() => {
      const at = document.activeElement;
      if (!(at instanceof HTMLElement)) return '';
      const labels = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement ? [...(at.labels ?? [])] : [];
      const label = labels.map((one) => one.textContent?.trim() ?? '').join(' ');
      return at.getAttribute('aria-label') ?? (label !== '' ? label : (at.innerText ?? '').trim());
    });
  }
}
