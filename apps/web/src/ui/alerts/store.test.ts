import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type AlertStore, createAlertStore } from './store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const texts = (store: AlertStore) => store.state().shown.map((alert) => alert.text);

it('an alert with autoClose false stays until it is dismissed', () => {
  const store = createAlertStore();
  store.error('Failure Saving Invoice', { autoClose: false });
  vi.advanceTimersByTime(60_000);
  expect(texts(store)).toEqual(['Failure Saving Invoice']);
  store.dismiss(store.state().shown[0]?.id ?? 0);
  vi.advanceTimersByTime(250);
  expect(texts(store)).toEqual([]);
});

it('an alert begins to fade after 3000 ms and is gone 250 ms later', () => {
  const store = createAlertStore();
  store.success('Recon saved');
  vi.advanceTimersByTime(2999);
  expect(store.state().shown[0]?.leaving).toBe(false);
  vi.advanceTimersByTime(1);
  expect(store.state().shown[0]?.leaving).toBe(true);
  vi.advanceTimersByTime(249);
  expect(texts(store)).toEqual(['Recon saved']);
  vi.advanceTimersByTime(1);
  expect(texts(store)).toEqual([]);
});

it('a repeated alert of the same kind is shown once and restarts its timer', () => {
  const store = createAlertStore();
  store.error('Error Loading Accounts');
  vi.advanceTimersByTime(2000);
  store.error('Error Loading Accounts');
  store.info('Error Loading Accounts');
  expect(store.state().shown.map((alert) => alert.kind)).toEqual(['Error', 'Info']);
  vi.advanceTimersByTime(2000);
  expect(texts(store)).toHaveLength(2);
  vi.advanceTimersByTime(1300);
  expect(texts(store)).toEqual([]);
});

it("an alert doesn't close while it is paused", () => {
  const store = createAlertStore();
  store.info('Payment posted');
  store.pause();
  store.warning('Also this');
  vi.advanceTimersByTime(60_000);
  expect(texts(store)).toEqual(['Payment posted', 'Also this']);
  store.resume();
  vi.advanceTimersByTime(3250);
  expect(texts(store)).toEqual([]);
});

it('navigation removes alerts, but an alert with keepAfterRouteChange survives one navigation', () => {
  const store = createAlertStore();
  store.info('Please choose a customer');
  store.info('Please check your email', { keepAfterRouteChange: true, autoClose: false });
  store.routeChanged();
  expect(texts(store)).toEqual(['Please check your email']);
  store.routeChanged();
  expect(texts(store)).toEqual([]);
});

it('the last 30 past alerts are kept, newest first, without duplicates', () => {
  const store = createAlertStore();
  for (let index = 0; index < 35; index += 1) store.info(`note ${index}`);
  store.info('note 20');
  const past = store.state().past.map((alert) => alert.text);
  expect(past).toHaveLength(30);
  expect(past.slice(0, 2)).toEqual(['note 20', 'note 34']);
  store.clearPast();
  expect(store.state().past).toEqual([]);
});

it('a success alert stays on the next page after saving, unless it opts out', () => {
  const store = createAlertStore();
  store.success('Oak Hollow saved');
  store.success('Only here', { keepAfterRouteChange: false });
  store.routeChanged();
  expect(texts(store)).toEqual(['Oak Hollow saved']);
  store.routeChanged();
  expect(texts(store)).toEqual([]);
});
