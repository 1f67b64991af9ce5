import * as z from 'zod';
import { Id, maybe, Moment } from './fields.ts';

/** Passkeys (WebAuthn, level 3): what the server asks of an authenticator, and its answers, as browsers write them. */

const LONGEST = 20_000;
/** Bytes in base64url without padding, which the server reads with care. */
const Bytes = z.string('Passkey is required').min(1, 'Passkey is required').max(LONGEST, 'Passkey is too long');

const KeyType = z.literal('public-key');
const Descriptor = z.object({ id: z.string(), type: KeyType });

/** Asks an authenticator to make a passkey of this user here. */
export const NewPasskey = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: KeyType, alg: z.number().int() })),
  /** Milliseconds. */
  timeout: z.number(),
  /** The user's passkeys: an authenticator that has one makes no second. */
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});

/** Asks for the answer of a passkey that the authenticator finds by itself. */
export const PasskeyChallenge = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** Milliseconds. */
  timeout: z.number(),
  userVerification: z.enum(['required', 'preferred']),
});

/** Sign-in by the passkey alone, or the second factor behind a password. */
export const PASSKEY_PURPOSES = ['sign in', 'prove'] as const;
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number];

/** A passkey that was made. */
export const MadePasskey = z.object({
  id: Bytes,
  rawId: Bytes,
  type: KeyType,
  response: z.object({ clientDataJSON: Bytes, attestationObject: Bytes }),
});

/** The answer of a passkey to a challenge. */
export const PasskeyAnswer = z.object({
  id: Bytes,
  rawId: Bytes,
  type: KeyType,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: maybe(z.string().max(200)),
  }),
});
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>;

/** A passkey as its owner sees it. */
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  createdAt: Moment,
  lastUsedAt: Moment.nullable(),
});
export type Passkey = z.output<typeof Passkey>;
