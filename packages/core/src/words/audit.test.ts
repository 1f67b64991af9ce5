import { describe, expect, it } from 'vitest';
import { settingNames } from '../settings.ts';
import { auditLabelOf, SETTING_LABELS } from './audit.ts';

describe('the names of records in the audit log', () => {
  it.each([
    ['payment', 500, 'Payment'],
    ['payment', -500, 'Refund'],
    ['payment', null, 'Payment'],
    ['expensepayment', 500, 'Bill payment'],
    ['expensepayment', -500, 'Refund'],
    ['expense', -500, 'Vendor credit'],
    ['invoice link', null, 'Private link to invoice'],
    ['setting', null, 'Setting'],
    ['unknown', -1, 'unknown'],
  ])('a record of the kind %s with the amount %j is called %s', (kind, amount, label) => {
    expect(auditLabelOf({ kind, amount })).toBe(label);
  });

  it('every setting has a label in natural words', () => {
    expect(settingNames.filter((name) => !/^[A-Z][a-z]+ \S/.test(SETTING_LABELS[name]))).toEqual([]);
  });
});
