import { isCommonPassword } from './common-passwords.ts';
import { isEmailAddress } from './email.ts';
import type { FieldMessages } from './failure.ts';

/** Rules for the sign-in forms, which the browser shows and the server enforces. */

export interface CheckableRegistration {
  firstname: string;
  lastname: string;
  email: string;
  /** The company name. Undefined if the link already determines the company. */
  companyName: string | undefined;
  password: string;
  confirmPassword: string;
  acceptedterms: boolean;
}

/** Returns the validation messages for a registration by field, or an empty object if it is valid. */
export function checkRegistration(form: CheckableRegistration, passwordMin: number): FieldMessages {
  return {
    ...(form.firstname.trim() === '' ? { firstname: 'First Name is required' } : {}),
    ...(form.lastname.trim() === '' ? { lastname: 'Last Name is required' } : {}),
    ...checkEmail(form.email),
    ...(form.companyName?.trim() === '' ? { companyName: 'Company Name is required' } : {}),
    ...checkNewPassword(form.password, form.confirmPassword, passwordMin, [form.email, form.companyName ?? '']),
    ...(form.acceptedterms ? {} : { acceptedterms: 'Accept Terms & Conditions is required' }),
  };
}

/** Returns the validation messages for a required email address, or an empty object if the address is valid. */
export function checkEmail(email: string): FieldMessages {
  if (email.trim() === '') return { email: 'Email is required' };
  return isEmailAddress(email.trim()) ? {} : { email: 'Email is invalid' };
}

/**
 * Validates a new password and its confirmation. `passwordMin` is the installation's minimum length (PASSWORD_MIN, at
 * least 6). The password must not be one that attackers try first, and must not equal a name in `about` (the email
 * address, the company's name). The server checks against a longer list of common passwords.
 */
export function checkNewPassword(
  password: string,
  confirmPassword: string,
  passwordMin: number,
  about: readonly string[] = [],
): FieldMessages {
  const fault = passwordFault(password, passwordMin, about);
  return { ...(fault === undefined ? {} : { password: fault }), ...confirmFault(password, confirmPassword) };
}

/** The error for a password that attackers try first. */
export const EASY_TO_GUESS = 'This password is easy to guess. Choose another password, such as a few unrelated words.';

function passwordFault(password: string, passwordMin: number, about: readonly string[]): string | undefined {
  if (password === '') return 'Password is required';
  if ([...password].length < passwordMin) return `Password must be at least ${passwordMin} characters`;
  if (!isCommonPassword(password, about)) return undefined;
  return EASY_TO_GUESS;
}

function confirmFault(password: string, confirmPassword: string): FieldMessages {
  if (confirmPassword === '') return { confirmPassword: 'Confirm Password is required' };
  return password === confirmPassword ? {} : { confirmPassword: 'Passwords must match' };
}

export type Strength = 'Weak' | 'Fair' | 'Strong';

/**
 * Returns a hint about a password's strength, which depends mostly on its length and also on its variety. The hint is
 * not a rule.
 */
export function passwordStrength(password: string): Strength {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length;
  const distinct = new Set(password).size;
  if (password.length >= 14 && distinct >= 8) return 'Strong';
  if (password.length >= 10 && kinds >= 3 && distinct >= 6) return 'Strong';
  return password.length >= 8 && distinct >= 5 && (kinds >= 2 || password.length >= 11) ? 'Fair' : 'Weak';
}
