import type { MadePasskey, PasskeyAnswer } from '@evenkeel/contract/passkeys';
import type * as z from 'zod';
import type { Config } from '../../platform/config.ts';

/** The protocol of passkeys: answers are judged by the library, and whatever is wrong is a refusal. */

/** The signatures that are taken: Ed25519, ES256 and RS256, which all authenticators know one of. */
export const ALGORITHMS = [-8, -7, -257];

/** The library, loaded with the first passkey: its parsers of certificates are a fifth of what a start loads. */
const judge = () => import('@simplewebauthn/server');

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The host that passkeys are bound to, and the pages that may ask for them; both from the public address alone. No
 * browser binds one to the number of a host, so at the loopback address passkeys work under the name `localhost`.
 */
export function partyOf({ publicUrl }: Pick<Config, 'publicUrl'>): { id: string; origins: string[] } {
  const url = new URL(publicUrl);
  const own = { id: url.hostname, origins: [url.origin] };
  if (!LOOPBACK.test(url.hostname)) return own;
  url.hostname = 'localhost';
  return { id: 'localhost', origins: [url.origin] };
}

export const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
export const toBytes = (text: string): Buffer => Buffer.from(text, 'base64url');

/** The challenge that an answer says it answers; undefined for what is no answer. */
export function challengeOf(clientDataJSON: string): Buffer | undefined {
  try {
    const data: unknown = JSON.parse(toBytes(clientDataJSON).toString('utf8'));
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return undefined;
    return typeof data.challenge === 'string' ? toBytes(data.challenge) : undefined;
  } catch {
    return undefined;
  }
}

/** The passkey that was made by a user who was verified; undefined for any other answer. */
export async function readMade(config: Config, made: z.output<typeof MadePasskey>, challenge: Buffer) {
  const { id, origins } = partyOf(config);
  const { verifyRegistrationResponse } = await judge();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...made, clientExtensionResults: {} },
      expectedChallenge: toText(challenge),
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return undefined;
    const { credential } = registrationInfo;
    return {
      credentialId: toBytes(credential.id),
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
    };
  } catch {
    return undefined;
  }
}

interface Judged {
  challenge: Buffer;
  publicKey: Buffer;
  /** The user was recognised by the authenticator, not only there. */
  isUserVerified: boolean;
}

/** The uses that the passkey has counted, when the answer is one of this key for this page; else undefined. */
export async function readAnswer(config: Config, answer: PasskeyAnswer, judged: Judged): Promise<number | undefined> {
  const { id, origins } = partyOf(config);
  const { userHandle, ...response } = answer.response;
  const { verifyAuthenticationResponse } = await judge();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...answer,
        response: typeof userHandle === 'string' ? { ...response, userHandle } : response,
        clientExtensionResults: {},
      },
      expectedChallenge: toText(judged.challenge),
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification: judged.isUserVerified,
      // The count is judged where it is written, so that two server processes cannot both take it.
      credential: { id: answer.id, publicKey: new Uint8Array(judged.publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
