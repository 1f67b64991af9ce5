import { stepOf, totpCode } from '../across/auth/totp.ts';

/**
 * Returns an authenticator app's code for this device's time, or for `aside` steps of 30 s before or after that time.
 */
export function authenticatorCode(secret: string, aside = 0): string {
  return totpCode(secret.replace(/\s/g, ''), stepOf(Date.now() / 1000) + aside);
}
