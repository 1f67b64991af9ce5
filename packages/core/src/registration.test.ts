import { describe, expect, it } from 'vitest';
import { checkEmail, checkRegistration, passwordStrength } from './registration.ts';

const good = {
  firstname: 'Mara',
  lastname: 'Vega',
  email: 'mara@cedarstone.example',
  companyName: undefined,
  password: 'harbor light',
  confirmPassword: 'harbor light',
  acceptedterms: true,
};

describe('registrations', () => {
  it("an empty registration reports all seven fields with the forms' messages", () => {
    const blank = { firstname: ' ', lastname: '', email: '', companyName: '', password: '', confirmPassword: '' };
    expect(checkRegistration({ ...blank, acceptedterms: false }, 6)).toEqual({
      firstname: 'First Name is required',
      lastname: 'Last Name is required',
      email: 'Email is required',
      companyName: 'Company Name is required',
      password: 'Password is required',
      confirmPassword: 'Confirm Password is required',
      acceptedterms: 'Accept Terms & Conditions is required',
    });
  });

  it('rejects a password of 5 characters if the minimum is 6, and a confirmation that differs', () => {
    expect(checkRegistration({ ...good, password: 'abcde', confirmPassword: 'abcdf' }, 6)).toEqual({
      password: 'Password must be at least 6 characters',
      confirmPassword: 'Passwords must match',
    });
  });

  it('the password message includes the minimum length that is set for the installation', () => {
    const fields = checkRegistration({ ...good, password: 'abcdefg', confirmPassword: 'abcdefg' }, 8);
    expect(fields).toEqual({ password: 'Password must be at least 8 characters' });
  });

  const easy = { password: 'This password is easy to guess. Choose another password, such as a few unrelated words.' };
  it.each([
    '123456',
    '1234567890',
    '654321',
    'Password1',
    'qwerty',
    'QWERTZ',
    'aaaaaa',
    'mara@cedarstone.example',
    'Cedar Stone',
  ])('rejects the password %j', (password) => {
    const form = { ...good, companyName: 'Cedar-Stone', password, confirmPassword: password };
    expect(checkRegistration(form, 6)).toEqual(easy);
  });

  it('rejects the local part of the email address as the password, even with spaces in it', () => {
    const form = { ...good, email: 'mara.vega@cedarstone.example', password: 'MaraVega', confirmPassword: 'MaraVega' };
    expect(checkRegistration(form, 6)).toEqual(easy);
  });

  it('a password of only punctuation is accepted, and so is a common word among other words', () => {
    for (const password of ['—★♥♦♣☺', 'password of harbors', '13579111315', 'marathon']) {
      expect(checkRegistration({ ...good, password, confirmPassword: password }, 6)).toEqual({});
    }
  });

  it('a complete registration has no messages', () => {
    expect(checkRegistration(good, 6)).toEqual({});
  });
});

it('an email address without a domain is invalid', () => {
  expect([checkEmail('mara@'), checkEmail('mara@cedarstone.example')]).toEqual([{ email: 'Email is invalid' }, {}]);
});

it('"secret" is rated as weak, "harbor 42" as fair, and four words as strong', () => {
  expect(['secret', 'harbor 42', 'four words in line'].map(passwordStrength)).toEqual(['Weak', 'Fair', 'Strong']);
});
