import { stepOf, totpCode } from '../across/auth/totp.ts';

/** The code that an authenticator shows at this device's time, or so many steps of 30 s aside. */
export function authenticatorCode(secret: string, aside = 0): string {
  return totpCode(secret.replace(/\s/g, ''), stepOf(Date.now() / 1000) + aside);
}
