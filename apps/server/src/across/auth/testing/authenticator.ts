import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** An authenticator in software (ES256, no attestation), for responses that a browser's authenticator can't produce. */

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** The ways in which a response differs from a correct one. */
export interface Odd {
  origin?: string;
  rpId?: string;
  /** The user was not verified. */
  isUnverified?: boolean;
  signCount?: number;
  /** The signature is from a different key. */
  isForged?: boolean;
}

export class SoftKey {
  readonly #key: KeyObject;
  readonly #point: Buffer;
  readonly id = randomBytes(16);
  readonly origin: string;
  readonly rpId: string;
  signCount: number;
  #userHandle: string | undefined;

  /** `counts` is false for an authenticator without a use counter, such as a synced passkey. */
  constructor({ origin, counts = true }: { origin: string; counts?: boolean }) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#point = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    this.origin = origin;
    this.rpId = new URL(origin).hostname;
    this.signCount = counts ? 1 : 0;
  }

  /** Creates the requested passkey. */
  make({ challenge, user }: { challenge: string; user: { id: string } }, odd: Odd = {}) {
    this.#userHandle = user.id;
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, this.#point]);
    const data = Buffer.concat([this.#data(odd, ATTESTED), attested]);
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59, data.length >> 8, data.length & 255]),
      data,
    ]);
    const clientDataJSON = base64(this.#client('webauthn.create', challenge, odd));
    return this.#answer({ clientDataJSON, attestationObject: base64(attestationObject) });
  }

  /** Returns the response to a challenge and increases the use count. */
  answer({ challenge }: { challenge: string }, odd: Odd = {}) {
    if (this.signCount > 0) this.signCount += 1;
    const data = this.#data(odd);
    const client = Buffer.from(this.#client('webauthn.get', challenge, odd));
    const key = odd.isForged === true ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : this.#key;
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), key);
    const userHandle = this.#userHandle;
    const parts = { clientDataJSON: client, authenticatorData: data, signature };
    const written = Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, base64(bytes)]));
    return this.#answer({ ...written, userHandle });
  }

  #answer<R extends object>(response: R) {
    const id = base64(this.id);
    return { id, rawId: id, type: 'public-key' as const, response };
  }

  #client(type: string, challenge: string, { origin = this.origin }: Odd): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false });
  }

  #data({ rpId = this.rpId, isUnverified = false, signCount = this.signCount }: Odd, more = 0): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    const flags = PRESENT | (isUnverified ? 0 : VERIFIED) | more;
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }
}
