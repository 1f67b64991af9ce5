import type { Limit } from '../../platform/http/limits.ts';

/**
 * All that is tried for one account from networks where it never signed in, so that many addresses guess no more than a
 * few. Networks that are known, and the link to reset the password, are not held up by it.
 */
export const fromElsewhere: Limit = {
  name: 'login-elsewhere',
  most: 30,
  seconds: 3600,
  message:
    'Too many attempts on this account. Wait, use "Forgot Password?", or sign in from a device ' +
    'and network that you have used before.',
};
