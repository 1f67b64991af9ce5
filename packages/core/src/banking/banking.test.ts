import { describe, expect, test } from 'vitest';
import { checkBankingAccount, isRoutingNumber, maskNumber } from './banking.ts';

const good = { name: 'Checking', accountNumber: '000123456789', routingNumber: '021000021', glAccountID: 101 };

describe('bank account', () => {
  test('a bank account with a name, digits, and a GL account is valid', () => {
    expect(checkBankingAccount(good)).toEqual({});
    expect(checkBankingAccount({ ...good, routingNumber: '' })).toEqual({});
  });

  test('a bank account requires a name, a numeric account number and routing number, and a GL account', () => {
    expect(checkBankingAccount({ name: ' ', accountNumber: '', routingNumber: '12-3', glAccountID: 0 })).toEqual({
      name: 'Please enter a name',
      accountNumber: 'Please enter an Account number.',
      routingNumber: 'Please enter a Routing number.',
      glAccountID: 'Please Select an Account',
    });
    for (const accountNumber of ['12 34', '12a', '1'.repeat(35), '••••6789', null]) {
      const accountFault = checkBankingAccount({ ...good, accountNumber })['accountNumber'];
      expect(accountFault).toBe('Please enter an Account number.');
    }
  });

  test('a bank account accepts an empty number or its own masked number ••••6789, but not a different one', () => {
    expect(checkBankingAccount({ ...good, accountNumber: undefined })).toEqual({});
    expect(checkBankingAccount({ ...good, accountNumber: '••••6789' }, '••••6789')).toEqual({});
    expect(checkBankingAccount({ ...good, accountNumber: '••••6788' }, '••••6789')).toHaveProperty('accountNumber');
    expect(checkBankingAccount({ ...good, accountNumber: '' }, '')).toHaveProperty('accountNumber');
  });

  test('maskNumber shows the last four digits of 000123456789 and all of 4471', () => {
    expect(maskNumber('000123456789')).toBe('••••6789');
    expect(maskNumber('4471')).toBe('4471');
    expect(maskNumber('')).toBe('');
  });
});

describe('routing number', () => {
  // Routing numbers published by JPMorgan Chase (New York), Bank of America (Texas), and the Federal Reserve Bank of
  // Boston.
  test.each(['021000021', '111000025', '011000015'])('the routing number %s has a valid checksum', (routing) => {
    expect(isRoutingNumber(routing)).toBe(true);
  });

  test('a routing number is invalid if one digit changes or two adjacent digits are transposed', () => {
    const digits = [...'021000021'];
    for (const at of digits.keys()) {
      const other = digits.with(at, String((Number(digits[at]) + 1) % 10)).join('');
      expect(isRoutingNumber(other)).toBe(false);
    }
    expect(isRoutingNumber('201000021')).toBe(false);
    expect(isRoutingNumber('02100002')).toBe(false);
    expect(isRoutingNumber('')).toBe(false);
  });
});
