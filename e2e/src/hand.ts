import type { Locator, Page } from 'playwright-core';
import { namesOf, REACHED } from './reached.ts';

/** Clicks and keys that a task took. */
export interface Steps {
  clicks: number;
  keys: number;
}

/** Somebody who signs in. */
export interface Login {
  email: string;
  password: string;
}

export interface Task {
  name: string;
  /** True where something is looked for: that takes at most four steps. */
  finds?: boolean;
  /** The page that it begins on: the dashboard, unless given. */
  from?: string;
  /** The steps that it took before lists, grids and the board of reports answered (docs/performance.md). */
  before: Steps;
  run: (hand: Hand, newcomer: Login) => Promise<void>;
}

/** A task that was done. */
export interface Done {
  task: Task;
  steps: Steps;
  seconds: number;
}

export const stepsOf = ({ clicks, keys }: Steps): number => clicks + keys;

/** Finding something takes at most so many steps. */
const MOST_TO_FIND = 4;

/** Whether it takes more steps than before, or than finding may take. */
export function isTooLong({ task, steps }: Done): boolean {
  const most = task.finds === true ? Math.min(MOST_TO_FIND, stepsOf(task.before)) : stepsOf(task.before);
  return stepsOf(steps) > most;
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

  /** Goes on with Tab until what has the focus is called this, once there is such a thing to reach. */
  async tabTo(name: string): Promise<void> {
    for (let tries = 0; !(await this.#names(REACHED)).includes(name); tries += 1) {
      if (tries === 200) throw new Error(`nothing that Tab reaches is called ${name}`);
      await this.page.waitForTimeout(50);
    }
    for (let steps = 0; steps < 40; steps += 1) {
      if ((await this.#names(':focus'))[0] === name) return;
      await this.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  }

  async #names(selector: string): Promise<string[]> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return this.page.locator(selector).evaluateAll(namesOf);
  }
}
