import { dashboardCalls } from '@evenkeel/contract/dashboard';
import type { BodyOf } from '@evenkeel/contract/endpoint';
import { decode } from '@evenkeel/contract/wire';
import type { CardKey } from '@evenkeel/core/cards';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer, addInvoice, daysAgo } from './books.ts';
import type { Person } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { checkLook, gone, seen } from './look.ts';
import { settled } from './settled.ts';

/** Returns the cards in the order of their appearance, from left to right and top to bottom. */
function order(page: Page): Promise<string[]> {
  return page.getByRole('region').evaluateAll((cards) =>
    cards
      .filter((card) => card.hasAttribute('data-card'))
      .map((card) => ({ box: card.getBoundingClientRect(), title: card.querySelector('h2')?.textContent ?? '' }))
      .toSorted((a, b) => a.box.top - b.box.top || a.box.left - b.box.left)
      .map(({ title }) => title),
  );
}

async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('the element is not visible');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

type Saved = BodyOf<typeof dashboardCalls.saveDashboardCards>;

/**
 * Waits until the server has stored a layout that meets `isSo` and the page has received the response. Layouts are
 * saved one at a time, and if several are waiting, only the last one is sent. The next response may belong to an
 * earlier change, and a user who leaves the page too early would see the previous layout.
 */
async function saved(page: Page, isSo: (cards: Saved) => boolean): Promise<void> {
  const answer = await page.waitForResponse((each) => {
    const asked = each.request();
    if (asked.method() !== 'PUT' || !each.url().endsWith('/api/dashboardcards')) return false;
    return isSo(decode(dashboardCalls.saveDashboardCards.body, asked.postDataJSON()));
  });
  await answer.finished();
}

const at = (place: number, key: CardKey) => (cards: Saved) =>
  cards.toSorted((one, other) => one.order - other.order).at(place)?.key === key;

/** Returns an object that simulates one finger on the page. */
async function fingerOn(page: Page) {
  const wire = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    wire.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  return {
    press: (x: number, y: number) => touch('touchStart', [{ x, y }]),
    move: (x: number, y: number) => touch('touchMove', [{ x, y }]),
    lift: () => touch('touchEnd', []),
  };
}

/**
 * Tests cards on a phone. Moving a finger over a card scrolls the page. If the finger presses and holds the card first,
 * the card is dragged. At the end, the cards are in their default order.
 */
async function byFinger(stage: Stage, person: Person): Promise<void> {
  const page = await stage.open('/', { as: person, size: 'phone' });
  // A page that has not drawn anything yet would also count as settled.
  const drawn = async () => {
    await seen(page.getByText('$360.00'));
    await settled(page);
  };
  await drawn();
  const finger = await fingerOn(page);
  const scrolled = () => page.locator('.ek-page-body').evaluate((body) => body.scrollTop);
  const dragged = page.locator('[data-dragged]');
  const middle = await middleOf(page.getByRole('region', { name: 'Outgoing Money' }).locator('.db-head'));
  // The position to the right of the title and its tooltip, which handle clicks themselves.
  const [x, y] = [middle.x + 60, middle.y];
  const first = await order(page);

  // All moves are sent together. If the finger rested for 200 ms, as it would on a busy machine, it would pick up the
  // card.
  const moves = [20, 60, 100, 140].map((by) => () => finger.move(x, y - by));
  await Promise.all([() => finger.press(x, y), ...moves, finger.lift].map((next) => next()));
  await expect.poll(scrolled).toBeGreaterThan(80);
  expect(await order(page)).toEqual(first);
  await page.reload();
  await drawn();

  await finger.press(x, y);
  await finger.lift();
  expect(await dragged.count()).toBe(0);

  await finger.press(x, y);
  await dragged.waitFor();
  await finger.move(x, y + 20);
  // If a finger holds a card at the edge, the page scrolls to its end, along with the card.
  const kept = saved(page, at(-1, 'outgoingMoney'));
  await finger.move(x, 836);
  await expect.poll(async () => (await order(page)).at(-1)).toBe('Outgoing Money');
  await finger.lift();
  await gone(dragged);
  await kept;
  await settled(page);
  await page.reload();
  await drawn();
  expect((await order(page)).at(-1)).toBe('Outgoing Money');
}

journey(
  'cards can be moved by mouse, keyboard, and touch, closed, and given a period, and each device keeps its layout',
  async (stage) => {
    const { administrator } = await stage.company('Nine Cards');
    const customerId = await addCustomer(administrator.api, 'Oak Hollow');
    await addInvoice(administrator.api, { customerId, amount: '360.00' });
    await addInvoice(administrator.api, { customerId, amount: '99.99', date: daysAgo(60) });
    // On a phone, the first steps of a new company are above the cards.
    await administrator.api.call(dashboardCalls.dismissFirstSteps, { body: { dismissed: true } });
    const page = await stage.open('/', { as: administrator });
    const card = (title: string) => page.getByRole('region', { name: title, exact: true });
    await seen(card('Incoming Money').getByText('$459.99'));
    expect(await order(page)).toHaveLength(9);

    const from = await middleOf(card('Revenue').getByRole('heading'));
    const to = await middleOf(card('Incoming Money'));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.locator('[data-dragged]').waitFor();
    const dropped = saved(page, at(0, 'revenue'));
    await page.mouse.move(to.x, to.y, { steps: 6 });
    await dropped;
    await page.mouse.up();
    expect((await order(page)).slice(0, 3)).toEqual(['Revenue', 'Incoming Money', 'Outgoing Money']);

    await page.getByRole('button', { name: 'Move Cash Positions' }).focus();
    const moved = saved(page, at(0, 'cashPositions'));
    await page.keyboard.press('ArrowUp');
    await moved;
    await seen(page.getByText('Cash Positions is now 1 of 9'));
    const closed = saved(page, (cards) => cards.some(({ key, visible }) => key === 'outgoingMoney' && !visible));
    await page.getByRole('button', { name: 'Close Outgoing Money' }).click();
    await closed;

    const chosen = saved(page, (cards) => {
      const settings = cards.find(({ key }) => key === 'revenue')?.settings ?? [];
      return settings.some(({ settingName, settingValue }) => settingName === 'periodType' && settingValue === '3');
    });
    await page.getByRole('combobox', { name: 'Period for Revenue', exact: true }).selectOption('Last 12 Months');
    await chosen;
    // The amount may come from the card's own call or from the whole dashboard's response.
    await seen(card('Revenue').getByText('$459.99'));

    const kept = ['Cash Positions', 'Revenue', 'Incoming Money', 'Expense Breakdown'];
    await page.reload();
    const other = await stage.open('/', { as: administrator, size: 'tablet' });
    for (const each of [page, other]) {
      await seen(each.getByRole('region', { name: 'Revenue', exact: true }).getByText('$459.99'));
      expect((await order(each)).slice(0, 4)).toEqual(kept);
      expect(await each.getByRole('combobox', { name: 'Period for Revenue', exact: true }).inputValue()).toBe('3');
    }

    await page.getByRole('button', { name: 'Cards' }).last().click();
    const list = page.getByRole('dialog', { name: 'Cards' });
    await seen(list.getByRole('checkbox', { name: 'Outgoing Money' }));
    await checkLook(page, 'the card list');
    const reset = saved(page, at(0, 'incomingMoney'));
    await list.getByRole('button', { name: 'Reset cards' }).click();
    await reset;
    await page.keyboard.press('Escape');
    await gone(list);
    expect((await order(page)).slice(0, 3)).toEqual(['Incoming Money', 'Outgoing Money', 'Revenue']);

    await card('Revenue').getByRole('button', { name: '$360.00' }).click();
    const behind = page.getByRole('dialog', { name: 'Revenue' });
    await seen(behind.getByRole('row', { name: 'Total 360.00' }));
    await page.goBack();
    await gone(behind);
    await card('Incoming Money').getByRole('button', { name: '$459.99' }).click();
    const owing = page.getByRole('dialog', { name: 'Incoming Money' });
    await seen(owing.getByRole('row').filter({ hasText: 'Oak Hollow' }));
    await checkLook(page, 'who owes');
    await owing.getByRole('button', { name: 'Statement for Oak Hollow' }).click();
    const statement = page.getByRole('dialog', { name: 'Statement for Oak Hollow' });
    await seen(statement);
    await page.keyboard.press('Escape');
    await gone(statement);
    await seen(owing);
    await page.keyboard.press('Escape');
    await gone(owing);
    await card('Incoming Money').getByRole('button', { name: '99.99', exact: true }).click();
    await page
      .getByRole('dialog', { name: /^Incoming Money, / })
      .getByRole('link', { name: /^Invoice / })
      .click();
    await seen(page.getByText('$99.99').first());
    await page.goBack();
    await page.goBack();
    await card('Revenue').getByRole('link', { name: 'Revenue', exact: true }).click();
    await seen(page.getByRole('heading', { name: 'Profit & Loss Statement' }));
    await seen(page.getByText('360.00').first());
    await page.goBack();
    await card('Incoming Money').getByRole('link', { name: 'Customer Aging Report' }).click();
    await seen(page.getByRole('row').filter({ hasText: 'Oak Hollow' }));
    await settled(page);
    await byFinger(stage, administrator);
  },
);
