import { randomBytes } from 'node:crypto';
import { accountCalls } from '@evenkeel/contract/account';
import { conflict, notFound, refuse } from '@evenkeel/core/failure';
import { record } from '../../platform/db/audit.ts';
import { enqueue } from '../../platform/db/jobs.ts';
import { inCompany, installation, type Tx } from '../../platform/db/tx.ts';
import type { SessionUser } from '../../platform/http/context.ts';
import { type Input, openRoute, type OpenCtx } from '../../platform/http/route.ts';
import { actorOf } from '../../platform/http/session.ts';
import { letter } from './letters.ts';
import { confirmed, signedInUser } from './own-password.ts';
import { newChallenge, passkeySubject } from './passkey-proof.ts';
import * as rows from './passkeys.sql.ts';
import { requireFactor, requireSameProofs, requireStillEnough } from './second-factor.ts';
import { deleteOtherSessionsOf } from './signin.sql.ts';
import { ALGORITHMS, challengeOf, partyOf, readMade, toBytes, toText } from './webauthn.ts';

/** The user's own passkeys. Each change requires confirmation, sends an email, is audited, and ends other sessions. */

const MOST_PASSKEYS = 20;
const HANDLE_BYTES = 32;
const TOO_MANY = `You can have at most ${MOST_PASSKEYS} passkeys. Remove one first.`;
const NOT_MADE = 'This passkey could not be added. Start again.';

/** Requests a discoverable passkey with user verification, which is sufficient to sign in. */
async function begin(ctx: OpenCtx, { body }: Input<typeof accountCalls.beginPasskey>) {
  const { services, address } = ctx;
  const { user, owner } = await confirmed(ctx, body.password);
  await requireFactor(services, owner, { ...body, address });
  const { userId, email } = user;
  const kept = await installation(services.pool, rows.passkeysOf(userId));
  if (kept.length >= MOST_PASSKEYS) throw conflict(TOO_MANY);
  const userHandle = kept[0]?.userHandle ?? randomBytes(HANDLE_BYTES);
  const asked = await newChallenge(services, 'create', { userId, userHandle, proofs: owner.proofs });
  const type = 'public-key' as const;
  return {
    ...asked,
    rp: { id: partyOf(services.config).id, name: 'Evenkeel' },
    user: { id: toText(userHandle), name: email, displayName: `${user.firstName} ${user.lastName}`.trim() || email },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type, alg })),
    excludeCredentials: kept.map(({ credentialId }) => ({ type, id: toText(credentialId) })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  };
}

/** Adds the passkey that this account requested. If the first response was lost, repeating the request succeeds. */
async function add(ctx: OpenCtx, { body }: Input<typeof accountCalls.addPasskey>) {
  const { services } = ctx;
  const user = signedInUser(ctx);
  const { userId } = user;
  const [known] = await installation(services.pool, rows.findByCredential(toBytes(body.passkey.id)));
  if (known?.userId === userId) return { ok: true as const };
  const challenge = challengeOf(body.passkey.response.clientDataJSON);
  const [begun] =
    challenge === undefined ? [] : await installation(services.pool, rows.useChallenge(challenge, 'create'));
  if (challenge === undefined || begun?.userId !== userId) throw refuse(NOT_MADE);
  const { userHandle, proofs } = begun;
  const made = await readMade(services.config, body.passkey, challenge);
  if (made === undefined || userHandle === null || proofs === null) throw refuse(NOT_MADE);
  await change(ctx, user, async (tx) => {
    await requireSameProofs(tx, { userId, proofs });
    const added = await tx.row(rows.addPasskey({ ...made, userId, userHandle, name: body.name }));
    if (added === undefined) throw refuse(NOT_MADE);
    const { signCount } = made;
    record({ ...actorOf(user), tx }, passkeySubject, { after: { id: added.id, name: body.name, signCount } });
    enqueue(tx, letter('passkeyOn', userId));
  });
  return { ok: true as const };
}

/** Makes a change and ends other sessions, because they were opened under the account's earlier security settings. */
function change({ services }: OpenCtx, user: SessionUser, write: (tx: Tx) => Promise<void>): Promise<void> {
  return inCompany(services.pool, user.companyId, async (tx) => {
    await write(tx);
    tx.atEnd(deleteOtherSessionsOf(user.userId, user.tokenHash));
  });
}

/**
 * Throws 404 if the passkey is missing or belongs to another user, and 409 if a user who must use two-step verification
 * would remove the last method.
 */
async function remove(ctx: OpenCtx, { params, body }: Input<typeof accountCalls.removePasskey>) {
  const { services, address } = ctx;
  const { userId } = signedInUser(ctx);
  const where = { id: params.id, userId };
  const [kept] = await installation(services.pool, rows.passkeys.find(where));
  if (kept === undefined) throw notFound('Passkey');
  const { user, owner } = await confirmed(ctx, body.password);
  await requireFactor(services, owner, { ...body, address });
  await change(ctx, user, async (tx) => {
    await requireSameProofs(tx, owner);
    const [removed] = await tx.rows(rows.removePasskey(userId, params.id));
    if (removed === undefined) throw notFound('Passkey');
    await requireStillEnough(tx, userId);
    const { id, name, signCount } = kept;
    record({ ...actorOf(user), tx }, passkeySubject, { before: { id, name, signCount } });
    enqueue(tx, letter('passkeyOff', userId));
  });
  return { ok: true as const };
}

export const ownPasskeyRoutes = [
  openRoute(accountCalls.beginPasskey, begin),
  openRoute(accountCalls.addPasskey, add),
  openRoute(accountCalls.removePasskey, remove),
];
