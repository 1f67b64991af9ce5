import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Codes of authenticators (RFC 6238 with SHA-1, 30 seconds and 6 digits, which every authenticator knows). */

/** Seconds that a code is shown. */
export const STEP_SECONDS = 30;
const DIGITS = 6;
/** A code of one step before or after is taken too: the clock of a telephone is not quite right. */
export const STEPS_ASIDE = 1;
/** RFC 4226 asks for at least 128 bits and recommends 160. */
const SECRET_BYTES = 20;
/** RFC 4648, in which authenticators take secrets. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret as an authenticator takes it: 32 letters and digits. */
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

/** The step that a moment lies in; `seconds` since 1970. */
export function stepOf(seconds: number): number {
  return Math.floor(seconds / STEP_SECONDS);
}

/** The code of a step (RFC 4226, 5.3). */
export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** The step near the moment whose code this is; undefined for a wrong one. Each candidate is compared in full. */
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

/** The address that a QR code carries into an authenticator. */
export function totpAddress(secret: string, email: string): string {
  const label = `Evenkeel:${email}`;
  return `otpauth://totp/${encodeURIComponent(label)}?secret=${secret}&issuer=Evenkeel`;
}

const RECOVERY_CODES = 10;
/** Letters and digits that nobody takes for one another. */
const PLAIN = '23456789abcdefghjkmnpqrstvwxyz';
const HALF = 4;

/** Ten codes like `k4f9-2xqm`, all different. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  const half = () => Array.from({ length: HALF }, () => PLAIN[randomInt(PLAIN.length)]).join('');
  while (codes.size < RECOVERY_CODES) codes.add(`${half()}-${half()}`);
  return [...codes];
}

/** A code as it was typed: six digits of the authenticator, or a recovery code; spaces, case and dashes aside. */
export function readCode(typed: string): { totp: string } | { recovery: string } | undefined {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '');
  if (/^\d{6}$/.test(plain)) return { totp: plain };
  if (!/^[a-z\d]{8}$/.test(plain)) return undefined;
  return { recovery: `${plain.slice(0, HALF)}-${plain.slice(HALF)}` };
}
