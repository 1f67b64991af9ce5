import type { BankLine, Candidate } from '@evenkeel/contract/statements';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';

/** Bank transactions and suggested matches for tests. */

/** Returns a suggested match. By default, the match is one entry of 28.46. */
export const aCandidate = (more: Partial<Candidate>): Candidate => ({
  key: 'entry:9',
  kind: 'entry',
  action: 'match',
  score: 0.9,
  reason: 'same amount',
  sure: false,
  entries: [
    {
      glid: 9,
      transactionID: 9,
      postingDate: isoDate('2026-06-12'),
      description: 'Mulch',
      amount: cents(2846),
      entityId: null,
      entityName: '',
      sourceType: 'journal',
      sourceId: 9,
      number: '9',
      bankAccountId: 1,
    },
  ],
  lineIds: [],
  documents: [],
  entityId: null,
  entityName: '',
  bankAccountId: null,
  lines: [],
  ruleId: null,
  ...more,
});

/** Returns a bank transaction of 28.46 in Checking, which is for review. */
export const aLine = (more: Partial<BankLine>): BankLine => ({
  id: 1,
  bankAccountId: 1,
  statementId: 1,
  date: isoDate('2026-06-12'),
  amount: cents(2846),
  text: 'MOBILE DEPOSIT',
  bankId: '',
  checkNumber: '',
  state: 'review',
  doubtful: false,
  reconciled: false,
  act: null,
  candidate: null,
  choices: 1,
  rowVersion: 1,
  ...more,
});
