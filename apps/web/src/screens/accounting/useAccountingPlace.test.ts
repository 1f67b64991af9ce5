import { expect, it } from 'vitest';
import { readAccountAsk, writeAccountAsk } from './useAccountingPlace.ts';

it.each(['', 'account='])("?%s doesn't open an account", (text) => {
  expect(readAccountAsk(new URLSearchParams(text))).toBeUndefined();
});

it.each(['account=0', 'account=abc', 'account=-5'])("?%s is read as an account that doesn't exist", (text) => {
  expect(readAccountAsk(new URLSearchParams(text))?.accountId).toBe(999_999_999_999_999);
});

it('an invalid date is ignored, and defaults are removed from the URL', () => {
  const ask = readAccountAsk(new URLSearchParams('account=138&from=2026-02-30&to=2026-03-01'));
  expect(ask).toEqual({
    accountId: 138,
    from: undefined,
    to: '2026-03-01',
    showReversed: false,
    find: '',
    cleared: undefined,
  });
  if (ask === undefined) return;
  expect(writeAccountAsk({ ...ask, to: undefined, showReversed: true, find: 'rent & fees', cleared: 'false' })).toEqual(
    {
      account: 138,
      from: undefined,
      to: undefined,
      reversed: '1',
      find: 'rent & fees',
      cleared: '0',
    },
  );
  expect(readAccountAsk(new URLSearchParams('account=138&cleared=1'))?.cleared).toBe('true');
});
