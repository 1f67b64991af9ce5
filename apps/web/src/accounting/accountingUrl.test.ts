import { isoDate } from '@evenkeel/core/dates';
import { expect, it } from 'vitest';
import { readAccountAsk, writeAccountAsk } from './accountingUrl.ts';

it.each(['', 'account=', 'account=0', 'account=abc', 'account=-5'])('?%s opens no account', (text) => {
  expect(readAccountAsk(new URLSearchParams(text))).toBeUndefined();
});

it('a date that does not exist is left out', () => {
  const ask = readAccountAsk(new URLSearchParams('account=138&from=2026-02-30&to=2026-03-01'));
  expect(ask).toEqual({ accountId: 138, from: undefined, to: '2026-03-01', showReversed: false });
});

it('account 138 from March with reversed entries is the same after a reload', () => {
  const ask = { accountId: 138, from: isoDate('2026-03-01'), to: undefined, showReversed: true };
  const query = writeAccountAsk(ask);
  expect(query.toString()).toBe('account=138&from=2026-03-01&reversed=1');
  expect(readAccountAsk(query)).toEqual(ask);
  expect(writeAccountAsk(undefined).toString()).toBe('');
});
