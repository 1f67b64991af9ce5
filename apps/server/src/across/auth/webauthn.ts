import type { MadePasskey, PasskeyAnswer } from '@evenkeel/contract/passkeys';
import type * as z from 'zod';
import type { Config } from '../../platform/config.ts';

/** The passkey protocol. A library checks responses. A response that causes an error in the library is rejected. */

/** The accepted signatures: Ed25519, ES256, and RS256. Every authenticator supports one of them. */
export const ALGORITHMS = [-8, -7, -257];

/**
 * Loads the library when a passkey is used for the first time, because its certificate parsers would be a fifth of the
 * code loaded at startup.
 */
const judge = () => import('@simplewebauthn/server');

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Returns the host that passkeys belong to and the pages that can request them, based only on the public address.
 * Browsers don't bind passkeys to an IP address, so an installation at the loopback address uses the name `localhost`.
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

/** Returns the challenge that a response contains, or undefined if the response is invalid. */
export function challengeOf(clientDataJSON: string): Buffer | undefined {
  try {
    const data: unknown = JSON.parse(toBytes(clientDataJSON).toString('utf8'));
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return undefined;
    return typeof data.challenge === 'string' ? toBytes(data.challenge) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a verified user's new passkey, or undefined for any other response. */
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
  /** The authenticator must have verified the user's identity, not only the presence of a user. */
  isUserVerified: boolean;
}

/** Returns the passkey's use count if the response is from this passkey and this page, or else undefined. */
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
      // The count is checked when it is written, so that two server processes can't both accept the same response.
      credential: { id: answer.id, publicKey: new Uint8Array(judged.publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
