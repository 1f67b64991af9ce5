import { stepOf, totpCode } from '../across/auth/totp.ts';

/** Returns the code of an authenticator app at this device's time, or `aside` steps of 30 s away from it. */
export function authenticatorCode(secret: string, aside = 0): string {
  return totpCode(secret.replace(/\s/g, ''), stepOf(Date.now() / 1000) + aside);
}
