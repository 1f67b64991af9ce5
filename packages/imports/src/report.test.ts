import { describe, expect, it } from 'vitest';
import { factsIn, headingOf, periodIn } from './report.ts';

describe('periodIn', () => {
  it.each([
    ['January 1 - December 31, 2025', '2025-01-01', '2025-12-31'],
    ['January 1, 2020 - December 31, 2025', '2020-01-01', '2025-12-31'],
    ['January 1-September 2, 2026', '2026-01-01', '2026-09-02'],
    ['January-December 2025', '2025-01-01', '2025-12-31'],
    ['May 1-31, 2026', '2026-05-01', '2026-05-31'],
    ['As of December 31, 2025', undefined, '2025-12-31'],
    ['As at 31 December 2025', undefined, '2025-12-31'],
    ['For the period 1 July 2024 to 30 June 2025', '2024-07-01', '2025-06-30'],
    ['January 2020 through December 2025', '2020-01-01', '2025-12-31'],
  ])('the period is read from "%s"', (line, from, to) => {
    expect(periodIn(line)).toEqual({ ...(from === undefined ? {} : { from }), to });
  });

  it.each(['All Dates', 'Blue Inc', 'Smith-Jones Ltd', 'Journal', 'Accrual Basis', '12-34 Main Street'])(
    '%s is not a period',
    (line) => {
      expect(periodIn(line)).toBeUndefined();
    },
  );
});

describe('factsIn', () => {
  it('the basis is read from the footer, and a renamed report may have two company names', () => {
    const title = ['My journal', 'Blue Inc', 'All Dates'];
    expect(factsIn({ title, footer: ['Cash Basis Friday, March 6, 2026 10:15 AM GMT-05:00'] })).toEqual({
      company: 'My journal',
      titles: ['My journal', 'Blue Inc'],
      basis: 'cash',
    });
  });

  it('headings are compared regardless of case, punctuation, and spaces', () => {
    expect(['*Memo/Description ', 'TRANS  #', 'No.', 'Debit (USD)', 'Credit USD'].map(headingOf)).toEqual([
      'memo/description',
      'trans #',
      'no',
      'debit',
      'credit',
    ]);
  });
});
