import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { namesOf, REACHED } from './reached.ts';

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

  /**
   * Goes on with Tab until what has the focus is called this. Whoever presses Tab has seen where it leads: before that
   * a list may still be read, and all steps go round what is there.
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

  /** The name of the focused element; empty when there is none. */
  async here(): Promise<string> {
    const [called = ''] = await this.page.locator(':focus').evaluateAll(namesOf);
    return called;
  }

  /** The focused element once the page has come to rest: focus is given back a moment later. */
  async #hereAfter(): Promise<string> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return this.here();
  }
}

/** Waits until there is something to reach that is called so. */
async function offered(page: Page, isIt: (called: string) => boolean): Promise<void> {
  const names = () => page.locator(REACHED).evaluateAll(namesOf);
  await expect.poll(async () => (await names()).some(isIt), { message: 'something to reach by Tab' }).toBe(true);
}
