import type { Locator, Page } from 'playwright-core';
import { namesOf, REACHED } from './reached.ts';
import { nextFrame } from './settled.ts';

/** The numbers of clicks and keys that a task took. */
export interface Steps {
  clicks: number;
  keys: number;
}

/** A user to sign in. */
export interface Login {
  email: string;
  password: string;
}

export interface Task {
  name: string;
  /** Whether the task is a search, which may take at most four steps. */
  finds?: boolean;
  /** The page where the task starts. Defaults to the dashboard. */
  from?: string;
  /** The steps that the task took in an earlier version of Evenkeel. See docs/performance.md. */
  before: Steps;
  run: (hand: Hand, newcomer: Login) => Promise<void>;
}

/** A completed task. */
export interface Done {
  task: Task;
  steps: Steps;
  seconds: number;
}

export const stepsOf = ({ clicks, keys }: Steps): number => clicks + keys;

/** The maximum number of steps in a search. */
const MOST_TO_FIND = 4;

/** Returns whether a task takes more steps than it did before, or more than a search may take. */
export function isTooLong({ task, steps }: Done): boolean {
  const most = task.finds === true ? Math.min(MOST_TO_FIND, stepsOf(task.before)) : stepsOf(task.before);
  return stepsOf(steps) > most;
}

/**
 * A desktop user whose clicks and keys are counted. Each of these actions counts as one step: a click, a key (even with
 * Ctrl or Shift), text typed without a pause, a paste, and a file selected in the system's dialog.
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

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.steps.keys += 1;
  }

  /** Replaces a field's content and presses Tab. */
  async next(text: string): Promise<void> {
    await this.type(text);
    await this.press('Tab');
  }

  /** Selects an option in the focused field by typing text and taking the first option. */
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

  /** Clicks a control that opens a file dialog and selects a file. */
  async attach(place: Locator, name: string): Promise<void> {
    const asked = this.page.waitForEvent('filechooser');
    await this.click(place);
    const file = { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 receipt') };
    await (await asked).setFiles([file]);
    this.steps.clicks += 1;
  }

  /** Presses Tab until the element with this name has the focus. Waits until the element exists. */
  async tabTo(name: string): Promise<void> {
    for (let tries = 0; !(await this.#names(REACHED)).includes(name); tries += 1) {
      if (tries === 200) throw new Error(`no element that Tab reaches is named ${name}`);
      await this.page.waitForTimeout(50);
    }
    for (let steps = 0; steps < 40; steps += 1) {
      if ((await this.#names(':focus'))[0] === name) return;
      await this.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  }

  async #names(selector: string): Promise<string[]> {
    await nextFrame(this.page);
    return this.page.locator(selector).evaluateAll(namesOf);
  }
}
