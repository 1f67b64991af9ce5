import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { consentState, copyEnd, disclosures, DISCLOSURES_VERSION } from './copies.ts';

describe('copies of 1099 forms', () => {
  test.each([
    // October 15, 2027 is a Friday, 2028 a Sunday, and 2029 a Monday.
    [2026, 1, '2027-01-31', '2027-10-15'],
    [2027, 1, '2028-01-31', '2028-10-16'],
    [2028, 1, '2029-12-01', '2029-10-15'],
    [2026, 2, '2027-07-17', '2027-10-15'],
    [2026, 2, '2027-07-18', '2027-10-16'],
    [2026, 3, '2027-10-10', '2028-01-08'],
  ])('the copy for %d, version %d, posted on %s, is available through %s', (year, version, posted, end) => {
    expect(copyEnd({ year, version }, isoDate(posted))).toBe(end);
  });

  it('the disclosures are eight, and a change of their text requires another version', () => {
    const all = disclosures({ company: 'Cedar & Stone', contact: '(330) 555-0123' });
    expect(all).toHaveLength(8);
    const digest = createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
    expect([DISCLOSURES_VERSION, digest]).toEqual([1, 'b74a945fecc5ab26']);
    const without = disclosures({ company: 'Cedar & Stone', contact: '' }).map(({ text }) => text);
    expect(without.filter((text) => text.includes('()'))).toEqual([]);
  });

  it('a withdrawal counts more than the consent, and a consent more than the request', () => {
    const at = new Date();
    expect(consentState(undefined)).toBe('none');
    expect(consentState({ consentedAt: null, withdrawnAt: null })).toBe('requested');
    expect(consentState({ consentedAt: at, withdrawnAt: null })).toBe('consented');
    expect(consentState({ consentedAt: at, withdrawnAt: at })).toBe('withdrawn');
  });
});
