import type { BankRule } from '@evenkeel/contract/bankRules';
import { cents, decimal } from '@evenkeel/core/money';
import { expect, test } from 'vitest';
import { movedRule, rehearsalInput, ruleFaults, ruleFormOf, ruleInput, ruleLine, withRuleLine } from './ruleForm.ts';

const line = (accountID: number, percent: string) => ({
  accountID,
  percent: decimal(percent),
  profitcenterid: null,
  locationid: 3,
});
const rule: BankRule = {
  id: 7,
  name: 'Fuel',
  position: 2,
  active: true,
  bankAccountId: null,
  direction: 'out',
  operator: 'begins',
  text: 'PORTAGE FUEL',
  from: null,
  to: cents(20_000),
  lines: [line(151, '33.33'), line(152, '66.67')],
  entityId: null,
  memo: '',
  posts: false,
  rowVersion: 4,
};

test('a saved rule with 33.33 and 66.67 percent is sent unchanged, even if its position changes', () => {
  expect(ruleFaults(ruleFormOf(rule))).toEqual({});
  const { id: _, position: _p, ...rest } = rule;
  expect(ruleInput(ruleFormOf(rule))).toEqual(rest);
  expect(movedRule(rule, 1)).toEqual({ ...rest, position: 1 });
});

test('a new rule requires a name, an account, and either text or an amount', () => {
  expect(Object.keys(ruleFaults(ruleFormOf(undefined)))).toEqual(['name', 'text', 'lines.0.accountID']);
  const starts = { name: 'Fuel', text: 'FUEL', lines: [ruleLine(1, { accountID: 151 })] };
  expect(ruleFaults(ruleFormOf(undefined, starts))).toEqual({});
  expect(rehearsalInput(ruleFormOf(undefined, starts))).toMatchObject({ text: 'FUEL', operator: 'contains' });
});

test('an added line takes the remaining 40 percent', () => {
  const form = ruleFormOf(undefined, { lines: [ruleLine(4, { percent: 60 })] });
  expect(withRuleLine(form).lines.map(({ id, percent }) => [id, percent])).toEqual([
    [4, 60],
    [5, 40],
  ]);
});
