// @vitest-environment jsdom
import '../../testing/setup.ts';
import { type CardKey, CARDS, cardKeys, wholeLayout } from '@evenkeel/core/cards';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { alerts } from '../../ui/alerts/store.ts';
import { remember } from './useLayout.ts';
import { cardOf, eachTest, failed, open, savedLayouts, shown } from './testing/board.tsx';

eachTest();

describe('the dashboard layout', () => {
  it('the layout stored on this device is rendered before the server responds', async () => {
    remember({
      layout: wholeLayout([{ key: 'revenue', visible: true, order: 1, settings: [] }]),
      firstSteps: [],
      waiting: [],
    });
    open({ 'GET /dashboard': [failed('No disk')] });
    expect(shown()[0]).toBe('revenue');
    expect(screen.getByRole('status').textContent).toBe('Loading...');
    expect(await screen.findAllByText('Error! No disk')).toHaveLength(9);
  });

  it('a closed card is hidden, its checkbox or Reset cards restores it, and each change is saved', async () => {
    const network = open();
    await cardOf('revenue');
    await userEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    expect(shown()).not.toContain('revenue');
    await waitFor(() => expect(savedLayouts(network).at(-1)?.[2]).toMatchObject({ key: 'revenue', visible: false }));
    await userEvent.click(screen.getByRole('button', { name: 'Cards' }));
    const list = within(await screen.findByRole('dialog', { name: 'Cards' }));
    expect(list.getAllByRole('checkbox')).toHaveLength(9);
    await userEvent.click(list.getByRole('checkbox', { name: 'Cash Positions' }));
    expect(shown()).not.toContain('cashPositions');
    await userEvent.click(list.getByRole('button', { name: 'Move Outgoing Money up' }));
    expect(shown()[0]).toBe('outgoingMoney');
    await userEvent.click(list.getByRole('button', { name: 'Reset cards' }));
    expect(shown()).toEqual(cardKeys);
    await waitFor(() => expect(savedLayouts(network).at(-1)).toEqual(wholeLayout([])));
  });

  it('arrow keys on a grip reorder cards, keep the focus there, and announce the position', async () => {
    const network = open();
    await cardOf('revenue');
    const grip = () => screen.getByRole('button', { name: 'Move Revenue' });
    grip().focus();
    await userEvent.keyboard('{ArrowLeft}');
    await waitFor(() => expect(shown().slice(0, 3)).toEqual(['incomingMoney', 'revenue', 'outgoingMoney']));
    expect(document.activeElement).toBe(grip());
    expect(screen.getByText('Revenue is now 2 of 9')).toBeTruthy();
    await userEvent.keyboard('{End}');
    await waitFor(() => expect(shown().at(-1)).toBe('revenue'));
    await waitFor(() => {
      const last = savedLayouts(network).at(-1);
      expect(last?.at(-1)).toMatchObject({ key: 'revenue', order: 9 });
    });
  });

  it('a tab applies layout changes from another tab immediately and adds its own changes to them', async () => {
    const network = open();
    await cardOf('revenue');
    const closed = (keys: CardKey[]) => wholeLayout([]).map((card) => ({ ...card, visible: !keys.includes(card.key) }));
    act(() => {
      remember({ layout: closed(['revenue']), firstSteps: [], waiting: [] });
      window.dispatchEvent(new StorageEvent('storage', { key: '3.7:dashboardCards' }));
    });
    expect(shown()).not.toContain('revenue');
    await userEvent.click(screen.getByRole('button', { name: 'Close Cash Positions' }));
    await waitFor(() => expect(savedLayouts(network).at(-1)).toEqual(closed(['revenue', 'cashPositions'])));
  });

  it("a layout that can't be saved stays on the screen and shows an error", async () => {
    open({ 'PUT /dashboardcards': [failed('No disk')] });
    await cardOf('revenue');
    await userEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    await waitFor(() => expect(alerts.state().shown.map(({ text }) => text)).toHaveLength(1));
    expect(shown()).not.toContain('revenue');
  });

  it('a rejected layout is reverted with one error and not sent again', async () => {
    vi.useFakeTimers();
    const refused = { status: 422, body: { code: 'rule', message: 'No such card', requestId: '1' } };
    const network = open({ 'PUT /dashboardcards': [refused] });
    await act(() => vi.advanceTimersByTimeAsync(500));
    fireEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    expect(shown()).not.toContain('revenue');
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(shown()).toContain('revenue');
    const told = 'Your cards could not be saved, so nothing changed: No such card';
    expect(alerts.state().past.map(({ text }) => text)).toEqual([told]);
    expect(localStorage.getItem('3.7:dashboardCards')).not.toContain('"visible":false');
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    expect(savedLayouts(network)).toHaveLength(1);
    expect(alerts.state().past).toHaveLength(1);
  });

  it("a layout that can't be sent while offline is saved after the connection is restored", async () => {
    const network = open({ 'PUT /dashboardcards': ['silence', { status: 200, body: [] }] });
    await cardOf('revenue');
    await userEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    await waitFor(() => expect(alerts.state().shown.map(({ text }) => text)).toHaveLength(1));
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(savedLayouts(network)).toHaveLength(2));
    expect(shown()).not.toContain('revenue');
  });

  it('a layout that could not be saved is sent again with each refresh, but the error is shown only once', async () => {
    vi.useFakeTimers();
    const network = open({ 'PUT /dashboardcards': [failed('No disk'), failed('No disk'), { status: 200, body: [] }] });
    await act(() => vi.advanceTimersByTimeAsync(500));
    fireEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(savedLayouts(network)).toHaveLength(1);
    expect(alerts.state().past).toHaveLength(1);
    for (const tries of [2, 3, 3]) {
      await act(() => vi.advanceTimersByTimeAsync(60_000));
      expect(savedLayouts(network)).toHaveLength(tries);
    }
    expect(savedLayouts(network).at(-1)?.[2]).toMatchObject({ key: 'revenue', visible: false });
    expect(shown()).not.toContain('revenue');
    expect(alerts.state().past).toHaveLength(1);
  });
});

/** Sends a pointer event, at the current time or at the given time. */
function pointer(type: string, { pointerId = 1, at = performance.now(), ...more }: PointerEventInit & { at?: number }) {
  const event = new PointerEvent(type, { bubbles: true, button: 0, isPrimary: pointerId === 1, pointerId, ...more });
  Object.defineProperty(event, 'timeStamp', { value: at });
  return event;
}
/** Moves the pointer over a card, which jsdom can't find by position. */
function over(key: CardKey | undefined, more: Parameters<typeof pointer>[1] = {}): void {
  const card = key === undefined ? null : document.querySelector(`[data-card="${key}"]`);
  document.elementFromPoint = () => card;
  act(() => void window.dispatchEvent(pointer('pointermove', { clientX: 5, clientY: 5, ...more })));
}
const headOf = (key: CardKey) => document.querySelector(`[data-card="${key}"] .db-head`) ?? document.body;
const pressOn = (key: CardKey, more: Parameters<typeof pointer>[1] = {}) => {
  act(() => void headOf(key).dispatchEvent(pointer('pointerdown', more)));
};
const release = (more: Parameters<typeof pointer>[1] = {}) =>
  act(() => void window.dispatchEvent(pointer('pointerup', more)));

describe('dragging a card', () => {
  beforeEach(async () => {
    vi.useFakeTimers();
    open();
    await act(() => vi.advanceTimersByTimeAsync(500));
  });

  it('a drag starts only after the press has been held for 200 ms', async () => {
    pressOn('revenue');
    await act(() => vi.advanceTimersByTimeAsync(199));
    over('incomingMoney');
    expect(shown()[0]).toBe('incomingMoney');
    release();
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });

  it('a drag reorders cards without moving elements in the DOM, and ends when the press is released', async () => {
    pressOn('revenue');
    await act(() => vi.advanceTimersByTimeAsync(200));
    const elements = [...document.querySelectorAll('[data-card]')];
    over('incomingMoney');
    expect(shown().slice(0, 3)).toEqual(['revenue', 'incomingMoney', 'outgoingMoney']);
    expect([...document.querySelectorAll('[data-card]')]).toEqual(elements);
    over('revenue');
    over('outgoingMoney');
    expect(shown().slice(0, 3)).toEqual(['incomingMoney', 'outgoingMoney', 'revenue']);
    release();
    over('returnOnAssets');
    expect(shown().slice(0, 3)).toEqual(['incomingMoney', 'outgoingMoney', 'revenue']);
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });

  it('Escape cancels a drag and restores the order', async () => {
    pressOn('revenue');
    await act(() => vi.advanceTimersByTimeAsync(200));
    over('returnOnAssets');
    expect(shown().at(-1)).toBe('revenue');
    fireEvent.keyDown(window, { key: 'Escape' });
    expect(shown()).toEqual(cardKeys);
  });

  it('the hold time before a drag is calculated from the event times, even if the page was busy', async () => {
    pressOn('revenue', { pointerType: 'touch', at: 1000 });
    over('incomingMoney', { pointerType: 'touch', clientY: 40, at: 1201 });
    expect(shown()[0]).toBe('revenue');
    release();
  });

  it("a drag doesn't start if the finger moves first, because the page scrolls instead", async () => {
    pressOn('revenue', { pointerType: 'touch', at: 1000 });
    over('incomingMoney', { pointerType: 'touch', clientY: 40, at: 1199 });
    await act(() => vi.advanceTimersByTimeAsync(500));
    over('outgoingMoney', { pointerType: 'touch', clientY: 90, at: 1600 });
    expect(shown()).toEqual(cardKeys);
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });

  it('a drag follows only the finger that started it', async () => {
    pressOn('revenue', { pointerType: 'touch' });
    await act(() => vi.advanceTimersByTimeAsync(200));
    over('incomingMoney', { pointerType: 'touch', pointerId: 2 });
    expect(shown()[0]).toBe('incomingMoney');
    release({ pointerType: 'touch', pointerId: 2 });
    over('outgoingMoney', { pointerType: 'touch' });
    expect(shown()[1]).toBe('revenue');
    release({ pointerType: 'touch' });
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });

  it("a drag doesn't start on a button", async () => {
    fireEvent.pointerDown(screen.getByRole('button', { name: 'Close Revenue' }), { button: 0, isPrimary: true });
    await act(() => vi.advanceTimersByTimeAsync(300));
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });
});

it('closing the card list returns the focus to its button, and the list can be opened again', async () => {
  open();
  await cardOf('revenue');
  for (const _ of [1, 2]) {
    await userEvent.click(screen.getByRole('button', { name: 'Cards' }));
    expect(await screen.findByRole('dialog', { name: 'Cards' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cards'));
  }
});

it('closing a card is announced, and the focus moves to the next card', async () => {
  open();
  await cardOf('revenue');
  await userEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
  expect(screen.getByText('Revenue card closed')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close Cash Positions' }));
  await userEvent.click(screen.getByRole('button', { name: 'Close Return on Assets' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close Current Ratio/Quick Ratio' }));
});

it('resetting the cards is announced from the page, from the list, and after all cards are closed', async () => {
  open();
  await cardOf('revenue');
  const said = 'All cards are back in their default order';
  await userEvent.click(screen.getByRole('button', { name: 'Reset cards' }));
  expect(screen.getByText(said).getAttribute('aria-live')).toBe('polite');
  for (const key of cardKeys) await userEvent.click(screen.getByRole('button', { name: `Close ${CARDS[key].title}` }));
  expect(screen.getByText(/ card closed$/).getAttribute('aria-live')).toBe('polite');
  await userEvent.click(screen.getAllByRole('button', { name: 'Reset cards' }).at(-1) ?? document.body);
  expect(screen.getByText(said)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cards' }));
  const list = within(await screen.findByRole('dialog', { name: 'Cards' }));
  await userEvent.click(list.getByRole('button', { name: 'Move Outgoing Money up' }));
  expect(screen.getByText('Outgoing Money is now 1 of 9')).toBeTruthy();
  await userEvent.click(list.getByRole('button', { name: 'Reset cards' }));
  expect(screen.getByText(said)).toBeTruthy();
});
