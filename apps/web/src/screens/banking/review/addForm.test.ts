import { cents } from '@evenkeel/core/money';
import { expect, test } from 'vitest';
import { addFaults, addFormOf, addInput, remainingOf, withoutRow, withRest, withRow } from './addForm.ts';
import { aCandidate, aLine } from './testing.ts';

const line = aLine({ amount: cents(-11_842), text: 'HOME DEPOT' });

test('a single account gets the full 118.42, which is sent as a negative amount', () => {
  const form = addFormOf(line, false);
  expect([form.lines.length, remainingOf(form, line.amount)]).toEqual([1, 0]);
  expect(addFaults(form, line.amount)).toEqual({ 'lines.0.accountID': 'Please Select an Account' });
  const typed = { ...form, lines: form.lines.map((one) => ({ ...one, accountID: 151 })) };
  expect(addFaults(typed, line.amount)).toEqual({});
  expect(addInput(typed, line)).toMatchObject({
    action: 'add',
    memo: 'HOME DEPOT',
    lines: [{ accountID: 151, amount: -11_842 }],
  });
});

test('splitting 118.42 into 86.01 and 24.50 leaves 7.91, which can be added to the second row', () => {
  const split = addFormOf(line, true);
  const [first, second] = split.lines;
  expect([first?.amount, second?.amount, remainingOf(split, line.amount)]).toEqual([null, null, 11_842]);
  const amounts = [cents(8601), cents(2450)];
  const typed = {
    ...split,
    lines: split.lines.map((one, at) => ({ ...one, accountID: 1, amount: amounts[at] ?? null })),
  };
  expect(remainingOf(typed, line.amount)).toBe(791);
  expect(addFaults(typed, line.amount)).toEqual({ lines: '7.91 is not categorized yet' });
  const full = withRest(typed, 2, line.amount);
  expect(full.lines.map(({ amount }) => amount)).toEqual([8601, 3241]);
  expect(addFaults(full, line.amount)).toEqual({});
});

test('a third row starts empty, and the last remaining row takes the whole amount again', () => {
  const form = withRow(addFormOf(line, true));
  expect(form.lines.map(({ id }) => id)).toEqual([1, 2, 3]);
  const one = withoutRow(withoutRow(form, 1, line.amount), 3, line.amount);
  expect(one.lines).toMatchObject([{ id: 2, amount: 11_842 }]);
});

test('a suggested match of type Add fills in its account, vendor, and description', () => {
  const part = { description: 'Supplies', profitcenterid: 2, locationid: null, entityId: 8 };
  const lines = [{ accountID: 151, amount: cents(-11_842), ...part }];
  const candidate = aCandidate({ kind: 'history', action: 'add', entries: [], lines });
  const form = addFormOf({ ...line, candidate }, false);
  expect(form).toMatchObject({ entityId: 8, memo: 'Supplies', lines: [{ accountID: 151, profitcenterid: 2 }] });
});
