import type { AuditEntry } from '@evenkeel/contract/audit';
import { cents } from '@evenkeel/core/money';
import { describe, expect, it } from 'vitest';
import { phoneSummaryOf, recordName, summaryOf } from './audit.ts';

const entry = (part: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  at: '2026-11-27T12:00:00Z',
  userId: 1,
  person: 'Ada Admin',
  action: 'update',
  kind: 'invoice',
  recordId: 1,
  title: '1042',
  amount: cents(9_999_999_999),
  reason: null,
  byKind: 'session',
  byName: 'Chrome on Linux',
  canUndo: false,
  changes: [],
  ...part,
});

describe('the line of an audit log entry', () => {
  it("on phones, a created record's amount is shown outside the summary line", () => {
    const created = entry({ action: 'create', reason: 'Late bill' });
    expect(summaryOf(created)).toEqual(['99,999,999.99', ', Reason: Late bill']);
    expect(phoneSummaryOf(created)).toEqual(['Ada Admin', ' · Reason: Late bill']);
  });

  it('the old and new amounts are one piece of text, which is shown in full or not at all', () => {
    const changes = [
      { field: 'Amount', before: '10,574,999.99', after: '99,999,999.99' },
      { field: 'Memo', before: null, after: 'Corrected' },
    ];
    const parts = ['Amount', ' 10,574,999.99 → 99,999,999.99', ', 1 more'];
    expect(summaryOf(entry({ changes }))).toEqual(parts);
    expect(phoneSummaryOf(entry({ changes }))).toEqual(['Ada Admin', ' · Amount', ...parts.slice(1)]);
  });

  it('long text can be truncated with an ellipsis', () => {
    const changes = [{ field: 'Memo', before: null, after: 'Spring cleanup' }];
    expect(summaryOf(entry({ changes }))).toEqual(['Memo Spring cleanup']);
  });
});

describe('the name of a record in the audit log', () => {
  it('a negative payment is a refund', () => {
    const payment = entry({ kind: 'payment', title: '4' });
    expect(recordName(payment)).toBe('Payment 4');
    expect(recordName({ ...payment, amount: cents(-2500) })).toBe('Refund 4');
  });
});
