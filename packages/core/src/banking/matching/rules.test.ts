import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from '../../money.ts';
import {
  checkRule,
  firstFitting,
  ruleFits,
  splitAsBefore,
  splitByRule,
  type RuleTest,
  usualCategorization,
} from './rules.ts';
import { bankText, hasNumber, nameFit, nameWords, payeeOf } from './words.ts';

const rule: RuleTest = {
  bankAccountId: null,
  direction: 'out',
  operator: 'contains',
  text: 'staples',
  from: null,
  to: null,
};
const line = { bankAccountId: 1, amount: cents(-4210), text: 'POS  STAPLES   #0123 DENVER' };

test('a bank rule matches by direction, amount, account, and text, and ignores case and repeated spaces', () => {
  expect(ruleFits(rule, line)).toBe(true);
  expect(ruleFits({ ...rule, text: 'pos staples' }, line)).toBe(true);
  expect(ruleFits({ ...rule, direction: 'in' }, line)).toBe(false);
  expect(ruleFits({ ...rule, operator: 'is' }, line)).toBe(false);
  expect(ruleFits({ ...rule, operator: 'begins', text: 'POS' }, line)).toBe(true);
  expect(ruleFits({ ...rule, from: cents(4210), to: cents(4210) }, line)).toBe(true);
  expect(ruleFits({ ...rule, from: cents(4211) }, line)).toBe(false);
  expect(ruleFits({ ...rule, to: cents(4209) }, line)).toBe(false);
  expect(ruleFits({ ...rule, bankAccountId: 2 }, line)).toBe(false);
  expect(ruleFits(rule, { ...line, amount: cents(0) })).toBe(false);
});

test('the first matching bank rule by position applies', () => {
  const rules = [
    { ...rule, id: 1, text: 'denver' },
    { ...rule, id: 2 },
  ];
  expect(firstFitting(rules, line)?.id).toBe(1);
});

test('splitting an amount by percentages gives parts that add up to the exact amount', () => {
  const dimensions = { profitCenterId: null, locationId: null };
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 8 }),
      fc.integer(),
      (weights, amount) => {
        const whole = weights.reduce((all, weight) => all + weight, 0);
        const parts = weights.map((weight) => Math.floor((weight * 10_000) / whole));
        parts[0] = (parts[0] ?? 0) + 10_000 - parts.reduce((all, part) => all + part, 0);
        const lines = parts.map((percentHundredths, at) => ({ accountId: at + 1, percentHundredths, ...dimensions }));
        const split = splitByRule(lines, cents(amount));
        expect(split.reduce((all, part) => all + part.amount, 0)).toBe(amount);
      },
    ),
  );
});

test("rejects a bank rule without a name, without a condition, or with shares that don't add up to 100 percent", () => {
  const given = { name: ' ', text: '', from: null, to: null, direction: 'both' as const };
  const lines = [{ accountId: 0, percentHundredths: 9999 }];
  expect(Object.keys(checkRule({ ...given, lines }))).toEqual(['name', 'text', 'lines.0.accountID', 'lines']);
  const whole = [{ accountId: 151, percentHundredths: 10_000 }];
  expect(checkRule({ ...given, name: 'Fees', text: 'FEE', lines: whole })).toEqual({});
});

const part = (accountId: number, amount: number) => {
  return { accountId, amount: cents(amount), profitCenterId: null, locationId: null, entityId: null };
};

test('an account is suggested for a payee after two identical choices, but not if only half the choices agree', () => {
  const at = (...accountIds: number[]) =>
    usualCategorization(accountIds.map((accountId, i) => [part(accountId, -100 - i)]));
  expect(at(160, 160)).toEqual({ parts: [part(160, -100)], count: 2 });
  expect(at(160)).toBeUndefined();
  expect(at(160, 161, 161, 160)).toBeUndefined();
  expect(at(161, 160, 160, 160)?.parts[0]?.accountId).toBe(160);
});

test('a split is suggested, accurate to the cent, after the same shares have been used twice', () => {
  const split = (...amounts: number[]) => amounts.map((amount, at) => part(160 + at, amount));
  const usual = usualCategorization([split(-333, -667), split(-200, -400).toReversed()]);
  expect(usual?.parts).toEqual(split(-333, -667));
  expect(splitAsBefore(split(-333, -667), cents(-100)).map(({ amount }) => amount)).toEqual([-33, -67]);
  expect(splitAsBefore(split(-6000, 1000), cents(-10_000)).map(({ amount }) => amount)).toEqual([-12_000, 2000]);
  expect(usualCategorization([split(-500, -500), split(-333, -667)])).toBeUndefined();
  expect(usualCategorization([split(-500, -500), [part(160, -1000)]])).toBeUndefined();
});

test.each([
  ['POS DEBIT 05/06 STAPLES #0123 DENVER', 'STAPLES DENVER'],
  ['STAPLES #0987  DENVER', 'STAPLES DENVER'],
  ['ACH CREDIT 0042', ''],
])('the payee in "%s" is "%s"', (text, payee) => {
  expect(payeeOf(text)).toBe(payee);
});

test("truncated or joined names in the bank's text are found, and the first word counts as a partial name", () => {
  const fit = (name: string, text: string) => nameFit(nameWords(name), bankText(text));
  expect(fit('Green Leaf Landscaping, LLC', 'ACH GREEN LEAF LANDSC')).toBe('full');
  expect(fit('Green Leaf', 'GREENLEAF 0042')).toBe('full');
  expect(fit('Café Olé', 'CAFE OLE')).toBe('full');
  expect(fit('Northwind Trade', 'NORTHWIND')).toBe('part');
  expect(fit('Al', 'AL')).toBe('none');
  expect(fit('Birch', 'BIRD')).toBe('none');
});

test('a document number with a prefix or leading zeros is found, but years and short numbers are ignored', () => {
  const has = (number: string, text: string) => hasNumber(bankText(text), number);
  expect(has('10042', 'INV10042 ACME')).toBe(true);
  expect(has('1042', 'CHECK 0001042')).toBe(true);
  expect(has('AB-77', 'REF AB-77')).toBe(true);
  expect(has('10042', 'INV 100421')).toBe(false);
  expect(has('2026', 'MAY 2026')).toBe(false);
  expect(has('12', 'ITEM 12')).toBe(false);
});
