import type { CDPSession, Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { boxesIn } from './boxes.ts';
import { journey, type Stage } from './journey.ts';
import { seen } from './look.ts';
import { addOneOfEach, type Saved } from './oneOfEach.ts';
import { Search } from './pages/Search.ts';
import { newForms, PAGE_FORMS, SCREENS } from './places.ts';
import { settled } from './settled.ts';
import { visit } from './visit.ts';
import { OTHERS, SALES } from './walk.ts';

/** The time in ms between two keystrokes of a fast typist, on a device that is six times slower than this one. */
const KEY_MS = 15;
const SLOWER = 6;

/**
 * The text that is typed into text boxes. If the page is still drawing a letter when the next one is typed, a letter
 * may be lost.
 */
const WORD = 'Accr7';

/** The boxes that have been tested, so that a box that appears in two forms is tested only once. */
const known = new Set<string>();

interface Typed {
  device: CDPSession;
  lost: string[];
}

/** The screens or forms to type into, by their URLs, and whether each of them opens a dialog. */
interface Places {
  of: (saved: Saved) => readonly string[];
  areForms: boolean;
}

/**
 * Sends a key every 15 ms on a slow device, even if the page has not processed the previous key, because typists don't
 * wait.
 */
async function typeFast(device: CDPSession, word: string): Promise<void> {
  await device.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const taken: Promise<unknown>[] = [];
  for (const key of word) {
    taken.push(device.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key }));
    taken.push(device.send('Input.dispatchKeyEvent', { type: 'keyUp', key }));
    await new Promise((next) => setTimeout(next, KEY_MS));
  }
  await Promise.all(taken);
  await device.send('Emulation.setCPUThrottlingRate', { rate: 1 });
}

/** Replaces the content of each new box and reads it back immediately. */
async function typeIntoAll(page: Page, place: string, { device, lost }: Typed): Promise<void> {
  const dialog = page.getByRole('dialog');
  const scope = (await dialog.count()) > 0 ? dialog.last() : page.locator('body');
  const boxes = (await boxesIn(scope, WORD)).filter(({ name, isRepeated }) => !isRepeated && !known.has(name));
  for (const { mark, name, word } of boxes) {
    if (known.has(name)) continue;
    known.add(name);
    const box = scope.locator(`[data-box="${mark}"]`);
    await box.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await typeFast(device, word);
    const held = await box.inputValue();
    if (held !== word) lost.push(`${place}: ${name} holds “${held}” of “${word}”`);
    // An open list of options covers the next text box.
    if ((await box.getAttribute('aria-expanded')) === 'true') await page.keyboard.press('Escape');
  }
}

/** Adds a line or an item of each kind and types into its boxes. Closes dialogs that open above the dialog. */
async function typeIntoAdded(page: Page, dialog: Locator, type: () => Promise<void>): Promise<void> {
  const dialogs = page.getByRole('dialog');
  for (const add of await dialog.getByRole('button', { name: /^Add / }).all()) {
    if (!(await add.isVisible()) || !(await add.isEnabled())) continue;
    await add.click();
    await settled(page);
    if ((await dialogs.count()) === 1) continue;
    await type();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialogs.count()).toBe(1);
  }
  await type();
}

/** Types into all boxes of these places. Returns the page and the boxes that lost a letter. */
async function typeEverywhere(stage: Stage, { of, areForms }: Places): Promise<{ page: Page; typed: Typed }> {
  const { administrator, addCard } = await stage.company('Fast Fingers');
  await addCard();
  const places = of(await addOneOfEach(administrator.api));
  const page = await stage.open('/', { as: administrator });
  const typed: Typed = { device: await page.context().newCDPSession(page), lost: [] };
  for (const path of places) {
    const type = () => typeIntoAll(page, path, typed);
    await visit(page, path);
    if (areForms) await seen(page.getByRole('dialog'));
    await settled(page);
    await type();
    const dialog = page.getByRole('dialog').first();
    for (const tab of await dialog.getByRole('tab').all()) {
      await tab.click();
      await typeIntoAdded(page, dialog, type);
    }
    if ((await dialog.getByRole('tab').count()) === 0) await typeIntoAdded(page, dialog, type);
  }
  return { page, typed };
}

/** Returns the addresses of the forms on screens with a matching path. */
const formsOn = (screens: RegExp) => (saved: Saved) =>
  newForms(saved)
    .map(({ address }) => address)
    .filter((address) => screens.test(address));

// Promise (browser): No text box loses a character when a user types at 15 ms per key on a slow device. [90 boxes]
describe('no text box loses a letter when a user types at 15 ms per key on a slow device', () => {
  journey('on the screens, in the settings, and in the search', async (stage) => {
    const of = () => [...SCREENS.map(([screen]) => screen), ...PAGE_FORMS];
    const { page, typed } = await typeEverywhere(stage, { of, areForms: false });
    await visit(page, '/');
    await new Search(page).open();
    await typeIntoAll(page, 'search', typed);
    expect(typed.lost).toEqual([]);
  });

  journey('in the forms in billing and customers', async (stage) => {
    const { typed } = await typeEverywhere(stage, { of: formsOn(SALES), areForms: true });
    expect(typed.lost).toEqual([]);
  });

  journey('in the forms on the other screens', async (stage) => {
    const { typed } = await typeEverywhere(stage, { of: formsOn(OTHERS), areForms: true });
    expect(typed.lost).toEqual([]);
    console.log(`typed into ${known.size} boxes: ${[...known].join('; ')}`);
    expect(known.size).toBeGreaterThan(80);
  });
});
