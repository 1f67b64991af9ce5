import { hash, hashRaw, verify } from '@node-rs/argon2';
import { Failure, refuse } from '@evenkeel/core/failure';
import { checkNewPassword, EASY_TO_GUESS } from '@evenkeel/core/registration';
import type { Tuning } from '../../platform/http/context.ts';
import { requireNoTransaction } from '../../platform/waits.ts';

/** Passwords are hashed with Argon2id: at most 4 at a time, each with at most 256 bytes. */
const MOST_AT_ONCE = 4;
const MOST_WAITING = 200;
const MOST_BYTES = 256;

type Cost = Tuning['passwordCost'];

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Hashing uses a lot of memory and time, so sign-ins wait in a queue. When the queue is full, further sign-ins are
 * rejected.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  requireNoTransaction('A password hash');
  if (running >= MOST_AT_ONCE) {
    if (waiting.length >= MOST_WAITING) {
      throw new Failure('unavailable', 'The server is busy. Try again in a moment.', undefined, {
        retryAfterSeconds: 2,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

export interface NewPassword {
  password: string;
  confirmPassword: string;
}

let leaked: Promise<ReadonlySet<string>> | undefined;

/** The most common leaked passwords in lowercase. The large list is loaded when the first password is chosen. */
function leakedPasswords(): Promise<ReadonlySet<string>> {
  return (leaked ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ));
}

/**
 * Throws 422 with the form's message unless the two passwords match, are long enough, and are neither common nor in
 * `about`. The list required by ASVS 5.0 (6.2.4) is too long for the browser, so only the server has it.
 */
export async function requireNewPassword(
  { password, confirmPassword }: NewPassword,
  least: number,
  about: readonly string[],
): Promise<void> {
  const fields = checkNewPassword(password, confirmPassword, least, about);
  if (fields['password'] === undefined && (await leakedPasswords()).has(password.toLowerCase())) {
    fields['password'] = EASY_TO_GUESS;
  }
  if (Buffer.byteLength(password) > MOST_BYTES) fields['password'] = `Password must be at most ${MOST_BYTES} bytes`;
  const [message] = Object.values(fields);
  if (message !== undefined) throw refuse(message, fields);
}

export function hashPassword(password: string, cost: Cost): Promise<string> {
  return inTurn(() => hash(password, { parallelism: 1, ...cost }));
}

/**
 * Returns the hash of a recovery code. A given code and salt always result in the same hash, so that a code can be
 * found by its hash.
 */
export function hashCode(code: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return inTurn(() => hashRaw(code, { parallelism: 1, ...cost, salt }));
}

const decoys = new Map<number, Promise<string>>();

/** Returns a hash that no password matches and that costs as much to check as a real hash. */
function decoy(cost: Cost): Promise<string> {
  const known = decoys.get(cost.memoryCost);
  if (known !== undefined) return known;
  const made = hash(crypto.randomUUID(), { parallelism: 1, ...cost });
  decoys.set(cost.memoryCost, made);
  return made;
}

/** Computes the decoy hash before the first sign-in, so that even the first sign-in takes the same time. */
export async function warmPasswords(cost: Cost): Promise<void> {
  await decoy(cost);
}

/**
 * Returns whether the password matches. Without a stored hash (for an unknown address), returns false after the same
 * amount of time.
 */
export async function matchesPassword(
  stored: string | null | undefined,
  password: string,
  cost: Cost,
): Promise<boolean> {
  const fits = Buffer.byteLength(password) <= MOST_BYTES;
  const against = stored ?? (await decoy(cost));
  const matches = await inTurn(() => verify(against, fits ? password : ''));
  return matches && fits && stored !== null && stored !== undefined;
}
