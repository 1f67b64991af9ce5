import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Authenticator codes (RFC 6238 with SHA-1, 30 seconds, and 6 digits, which every authenticator app supports). */

/** The number of seconds for which a code is shown. */
export const STEP_SECONDS = 30;
const DIGITS = 6;
/** Also accepts codes from one step before or after, because a phone's clock can be slightly off. */
export const STEPS_ASIDE = 1;
/** RFC 4226 requires at least 128 bits and recommends 160. */
const SECRET_BYTES = 20;
/** The alphabet from RFC 4648, which authenticator apps use for secrets. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns a new secret in the format for authenticator apps: 32 letters and digits. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

export function toBase32(bytes: Uint8Array): string {
  let [text, bits, held] = ['', 0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(held >>> (bits - 5)) & 31];
    held &= 31;
  }
  return bits === 0 ? text : text + (BASE32[(held << (5 - bits)) & 31] ?? '');
}

export function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of text) {
    held = (held << 5) | BASE32.indexOf(letter);
    bits += 5;
    if (bits >= 8) {
      bytes.push((held >>> (bits - 8)) & 255);
      bits -= 8;
    }
    held &= 255;
  }
  return Buffer.from(bytes);
}

/** Returns the time step for a time in seconds since 1970. */
export function stepOf(seconds: number): number {
  return Math.floor(seconds / STEP_SECONDS);
}

/** Returns the code for a time step (RFC 4226, 5.3). */
export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/**
 * Returns the nearby time step with this code, or undefined for a wrong code. Always compares the code with every
 * nearby step.
 */
export function matchingStep(secret: string, code: string, seconds: number): number | undefined {
  const now = stepOf(seconds);
  const given = Buffer.from(code);
  let found: number | undefined;
  for (let step = now - STEPS_ASIDE; step <= now + STEPS_ASIDE; step += 1) {
    const wanted = Buffer.from(totpCode(secret, step));
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) found = step;
  }
  return found;
}

/** Returns the URL for the QR code that sets up an authenticator app. */
export function totpAddress(secret: string, email: string): string {
  const label = `Evenkeel:${email}`;
  return `otpauth://totp/${encodeURIComponent(label)}?secret=${secret}&issuer=Evenkeel`;
}

const RECOVERY_CODES = 10;
/** Unambiguous letters and digits. */
const PLAIN = '23456789abcdefghjkmnpqrstvwxyz';
const HALF = 4;

/** Returns ten different codes such as `k4f9-2xqm`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  const half = () => Array.from({ length: HALF }, () => PLAIN[randomInt(PLAIN.length)]).join('');
  while (codes.size < RECOVERY_CODES) codes.add(`${half()}-${half()}`);
  return [...codes];
}

/** Parses an entered code: six authenticator digits or a recovery code. Ignores spaces, case, and dashes. */
export function readCode(typed: string): { totp: string } | { recovery: string } | undefined {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '');
  if (/^\d{6}$/.test(plain)) return { totp: plain };
  if (!/^[a-z\d]{8}$/.test(plain)) return undefined;
  return { recovery: `${plain.slice(0, HALF)}-${plain.slice(HALF)}` };
}
