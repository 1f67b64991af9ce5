import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { sql } from 'kysely';
import type { Box, Place } from './box.ts';
import type { Pool } from './connect.ts';
import { installation } from './tx.ts';

/** The key pair that signs proofs of the books, so that an outsider can recognize the installation. */
export interface ProofKey {
  /** The 32 bytes of the public key in hexadecimal (RFC 8032). */
  publicKey: string;
  /** Returns the Ed25519 signature of a string in hexadecimal. */
  sign: (text: string) => string;
}

export interface ProofKeyRow {
  id: number;
  privateKeyBox: Buffer;
}

/** Selects all keys, newest first. */
export const selectProofKeys = () => sql<ProofKeyRow>`
  select id, private_key_box as "privateKeyBox" from proof_key order by id desc`;

/** The location of an encrypted private key. Keys don't belong to companies. */
export const proofKeyPlace = (id: number): Place => ({
  companyId: 0,
  table: 'proof_key',
  column: 'private_key_box',
  rowId: id,
});

const PRIVATE = { type: 'pkcs8', format: 'der' } as const;

/** The number of bytes in a public key, at the end of its DER encoding. */
const PUBLIC_BYTES = 32;

/**
 * Returns the installation's key for proofs. Creates it if there is none, or if this process can't decrypt the newest
 * key. If two processes create a key at the same time, both use the key that was saved first.
 */
export async function proofKey({ pool, box }: { pool: Pool; box: Box }): Promise<ProofKey> {
  for (;;) {
    const [newest] = await installation(pool, selectProofKeys());
    const text = newest && box.open(proofKeyPlace(newest.id), newest.privateKeyBox);
    if (text !== undefined) return signing(createPrivateKey({ key: Buffer.from(text, 'base64'), ...PRIVATE }));
    const id = (newest?.id ?? 0) + 1;
    const made = generateKeyPairSync('ed25519').privateKey.export(PRIVATE);
    const sealed = box.seal(proofKeyPlace(id), made.toString('base64'));
    await installation(
      pool,
      sql`
        insert into proof_key (id, private_key_box) values (${id}, ${sealed})
        on conflict (id) do nothing`,
    );
  }
}

function signing(key: KeyObject): ProofKey {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    publicKey: spki.subarray(-PUBLIC_BYTES).toString('hex'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
  };
}
