import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { namesOf, REACHED } from './reached.ts';
import { nextFrame } from './settled.ts';

/** A user without a mouse who uses only keys and reaches every control with Tab. */
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

  /**
   * Presses Tab until the element with this name has the focus. Waits for the element first, because Tab would only
   * cycle through the existing elements while a list is still loading.
   */
  async to(name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const isIt = (called: string): boolean => (typeof name === 'string' ? called === name : name.test(called));
    await offered(this.page, isIt);
    const passed: string[] = [];
    for (let steps = 0; steps < 60; steps += 1) {
      const here = await this.here();
      if (isIt(here) && isIt(await this.#hereAfter())) return;
      passed.push(here);
      await this.press(key);
    }
    throw new Error(`Tab does not reach ${String(name)}: ${passed.join(' › ')}`);
  }

  /** Types into the field with this name and replaces its content. */
  async fill(name: string, text: string): Promise<void> {
    await this.to(name);
    await this.press('Control+a');
    await this.type(text);
  }

  /** Selects an option in a field by typing. Tab accepts the option. */
  async choose(name: string, text: string): Promise<void> {
    await this.fill(name, text);
    await this.page.getByRole('option').filter({ hasText: text }).first().waitFor();
    await this.press('Enter');
  }

  /** Returns the name of the focused element, or an empty string if there is none. */
  async here(): Promise<string> {
    const [called = ''] = await this.page.locator(':focus').evaluateAll(namesOf);
    return called;
  }

  /** Returns the focused element after the page has settled, because the focus may return a moment later. */
  async #hereAfter(): Promise<string> {
    await nextFrame(this.page);
    return this.here();
  }
}

/** Waits until an element with this name can be reached with Tab. */
async function offered(page: Page, isIt: (called: string) => boolean): Promise<void> {
  const names = () => page.locator(REACHED).evaluateAll(namesOf);
  await expect.poll(async () => (await names()).some(isIt), { message: 'an element that Tab can reach' }).toBe(true);
}
