import type { Limit } from '../../platform/http/limits.ts';

/**
 * Limits all attempts for one account from networks without an earlier sign-in, so that guesses from many addresses
 * share one limit. Known networks and password reset links are not affected.
 */
export const fromElsewhere: Limit = {
  name: 'login-elsewhere',
  most: 30,
  seconds: 3600,
  message:
    'Too many attempts on this account. Wait, use "Forgot Password?", or sign in from a device ' +
    'and network that you have used before.',
};
