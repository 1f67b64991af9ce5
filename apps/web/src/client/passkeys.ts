import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { authCalls } from '@evenkeel/contract/auth';
import type { NewPasskey, PasskeyAnswer, PasskeyPurpose } from '@evenkeel/contract/passkeys';
import type * as z from 'zod';
import { call } from './transport.ts';

/** Support for passkeys in the browser. The browser's errors are translated into messages. */

export const canUsePasskeys = browserSupportsWebAuthn;

const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: "The browser didn't return a passkey. Try again.",
  AbortError: "The browser didn't return a passkey. Try again.",
  InvalidStateError: 'This device already has a passkey for your account.',
};

async function inWords<T>(host: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const word = name === 'SecurityError' ? `Passkeys work only at ${host}.` : WORDS[name];
    throw word === undefined ? error : new Error(word, { cause: error });
  }
}

/** Returns the response from a passkey on this device. The browser asks the user for it. */
export async function answerPasskey(purpose: PasskeyPurpose): Promise<PasskeyAnswer> {
  const optionsJSON = await call(authCalls.passkeyChallenge, { body: { purpose } });
  return inWords(optionsJSON.rpId, async () => {
    const { id, rawId, response } = await startAuthentication({ optionsJSON });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return { id, rawId, type: 'public-key', response: { clientDataJSON, authenticatorData, signature, userHandle } };
  });
}

/** Creates the passkey that the server requested. */
export async function makePasskey(optionsJSON: z.output<typeof NewPasskey>) {
  return inWords(optionsJSON.rp.id, async () => {
    const { id, rawId, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject } = response;
    return { id, rawId, type: 'public-key' as const, response: { clientDataJSON, attestationObject } };
  });
}

/** The methods for the second step that a user has set up. */
export interface Has {
  code: boolean;
  passkey: boolean;
}

/**
 * Returns the password and second step for an API call. The second step is the code that the user entered. Without a
 * code, the browser asks for a passkey now.
 */
export async function proofOf({ passkey }: Has, { password, code }: { password: string; code: string }) {
  if (code.trim() !== '') return { password, code };
  return passkey ? { password, passkey: await answerPasskey('prove') } : { password };
}

/** Returns the required fields. A code is optional if the user also has a passkey. */
export const proofLabels = ({ code, passkey }: Has): Record<string, string> => ({
  password: 'Current Password',
  ...(code && !passkey && { code: 'Code' }),
});
