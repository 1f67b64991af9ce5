import * as z from 'zod';
import { Id, maybe, Moment } from './fields.ts';

/**
 * Passkeys (WebAuthn, level 3): the server's requests to an authenticator and the authenticator's responses, in the
 * format that browsers use.
 */

const LONGEST = 20_000;
/** Bytes in base64url without padding, which the server validates. */
const Bytes = z.string('Passkey is required').min(1, 'Passkey is required').max(LONGEST, 'Passkey is too long');

const KeyType = z.literal('public-key');
const Descriptor = z.object({ id: z.string(), type: KeyType });

/** The request to create a passkey for this user. */
export const NewPasskey = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: KeyType, alg: z.number().int() })),
  /** The timeout in milliseconds. */
  timeout: z.number(),
  /** The user's existing passkeys. An authenticator that already has one of these passkeys does not create another. */
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});

/** The request for a response from any passkey that the authenticator has for this server. */
export const PasskeyChallenge = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** The timeout in milliseconds. */
  timeout: z.number(),
  userVerification: z.enum(['required', 'preferred']),
});

/** The purpose: signing in with only a passkey, or two-step verification after a password. */
export const PASSKEY_PURPOSES = ['sign in', 'prove'] as const;
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number];

/** A newly created passkey. */
export const MadePasskey = z.object({
  id: Bytes,
  rawId: Bytes,
  type: KeyType,
  response: z.object({ clientDataJSON: Bytes, attestationObject: Bytes }),
});

/** A passkey's response to a challenge. */
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
