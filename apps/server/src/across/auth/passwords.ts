import { hash, hashRaw, verify } from '@node-rs/argon2';
import { Failure, refuse } from '@evenkeel/core/failure';
import { checkNewPassword, EASY_TO_GUESS } from '@evenkeel/core/registration';
import type { Tuning } from '../../platform/http/context.ts';
import { requireNoTransaction } from '../../platform/waits.ts';

/** Argon2id, at most 4 hashes at once, 256 bytes at most. */
const MOST_AT_ONCE = 4;
const MOST_WAITING = 200;
const MOST_BYTES = 256;

type Cost = Tuning['passwordCost'];

let running = 0;
const waiting: (() => void)[] = [];

/** Hashing is dear in memory and time: a flood of sign-ins queues here, and beyond the queue is told to come back. */
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

/** The commonest passwords of leaks, in lower case; read when the first password is chosen, as they are many. */
function leakedPasswords(): Promise<ReadonlySet<string>> {
  return (leaked ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ));
}

/**
 * 422 with the sentence of the form unless the two match, are long enough and are neither a common password nor a
 * name in `about`. The list of ASVS 5.0, 6.2.4, is too long for the browser, so the server alone has it.
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

/** The hash of a recovery code: the same code and salt give the same bytes, so that it is found by them. */
export function hashCode(code: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return inTurn(() => hashRaw(code, { parallelism: 1, ...cost, salt }));
}

const decoys = new Map<number, Promise<string>>();

/** A hash that no password matches, of the same cost as a real one. */
function decoy(cost: Cost): Promise<string> {
  const known = decoys.get(cost.memoryCost);
  if (known !== undefined) return known;
  const made = hash(crypto.randomUUID(), { parallelism: 1, ...cost });
  decoys.set(cost.memoryCost, made);
  return made;
}

/** Makes the decoy before the first sign-in, so that not even that one differs in time. */
export async function warmPasswords(cost: Cost): Promise<void> {
  await decoy(cost);
}

/** True when the password matches. Without a stored hash (unknown address) it takes as long and is false. */
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
