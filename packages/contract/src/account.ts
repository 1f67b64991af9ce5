import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Done, Id, IdText, maybe, Moment } from './fields.ts';
import { MadePasskey, NewPasskey, Passkey, PasskeyAnswer } from './passkeys.ts';

/** One's own account: the second factor, and whom the company asks for one. */

/** The current password, which confirms a change of the account. */
export const CurrentPassword = z
  .string('Current Password is required')
  .min(1, 'Current Password is required')
  .max(1024, 'Password is too long');

/** Six digits of the authenticator or a recovery code, as typed. */
export const FactorCode = z.string('Code is required').min(1, 'Code is required').max(40, 'Code is too long');

/** Proves the second factor where the user has one: a code, as typed, or the answer of a passkey. */
export const FactorProof = { code: maybe(z.string().max(40)), passkey: maybe(PasskeyAnswer) };

/** The members of whom a company requires a second factor. */
export const FACTOR_RULES = ['nobody', 'administrators', 'everybody'] as const;
export type FactorRule = (typeof FACTOR_RULES)[number];

const RecoveryCodes = z.array(z.string());

/** A name that its owner knows it by. */
export const PasskeyName = z.string('Name is required').trim().min(1, 'Name is required').max(100, 'Name is too long');

/** Shown once: the secret for the authenticator, its address for a QR code, and ten recovery codes. */
export const NewFactor = z.object({ secret: z.string(), address: z.string(), recoveryCodes: RecoveryCodes });

/** A place where one is signed in. */
export const AccountSession = z.object({
  id: Id,
  /** "Firefox on Mac"; "Unknown device" where nothing is known of it. */
  device: z.string(),
  /** The address, of IPv6 its network. */
  network: z.string(),
  lastSeenAt: Moment,
  signedInAt: Moment,
  /** The session of this call. */
  isThis: z.boolean(),
  /** At that sign-in neither the device nor the network was known. */
  isNewPlace: z.boolean(),
});
export type AccountSession = z.output<typeof AccountSession>;

export const Account = z.object({
  email: z.string(),
  /** Another address that is to be confirmed by the link that was sent to it. */
  newEmail: z.string().nullable(),
  roleId: Id,
  userRole: z.string(),
  permissions: z.array(z.string()),
  passwordChangedAt: Moment.nullable(),
  secondFactor: z.object({
    isOn: z.boolean(),
    /** When it was turned on. */
    since: Moment.nullable(),
    /** Recovery codes that were not used yet. */
    codesLeft: z.number().int(),
    /** The company asks this person for one. */
    isRequired: z.boolean(),
  }),
  /** The newest comes last. */
  passkeys: z.array(Passkey),
  /** The one used last comes first. */
  sessions: z.array(AccountSession),
});
export type Account = z.output<typeof Account>;

export const SignInRules = z.object({ secondFactor: z.enum(FACTOR_RULES) });

export const accountCalls = {
  getAccount: endpoint({
    method: 'GET',
    path: '/account',
    needs: 'signed-in',
    summary: "Returns the signed-in user's account: email address, role, sign-in methods, and sessions.",
    reply: Account,
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/account/email',
    needs: 'signed-in',
    summary: 'Requests a new email address. The change takes effect when the user opens the link sent to it.',
    body: z.object({
      password: CurrentPassword,
      email: z.string('Email is required').min(1, 'Email is required').max(254, 'Email is invalid'),
      ...FactorProof,
    }),
    reply: Done,
  }),
  keepEmail: endpoint({
    method: 'DELETE',
    path: '/account/email',
    needs: 'signed-in',
    summary: 'Cancels a pending change of email address.',
    reply: Done,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/account/sessions/{id}',
    needs: 'signed-in',
    summary: "Ends one of the user's sessions. Returns 422 if the user signed in more than 15 minutes ago.",
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/account/signout',
    needs: 'signed-in',
    summary: "Ends the user's other sessions. Returns 422 if the user signed in more than 15 minutes ago.",
    reply: Done,
  }),
  beginFactor: endpoint({
    method: 'POST',
    path: '/account/secondfactor',
    needs: 'session',
    summary:
      'Starts authenticator setup: returns a secret and recovery codes, which take effect when ' +
      'confirmed with a code.',
    body: z.object({ password: CurrentPassword, ...FactorProof }),
    reply: NewFactor,
  }),
  confirmFactor: endpoint({
    method: 'PUT',
    path: '/account/secondfactor',
    needs: 'session',
    summary: 'Confirms authenticator setup with a code and ends all other sessions.',
    body: z.object({ code: FactorCode }),
    reply: Done,
  }),
  removeFactor: endpoint({
    method: 'POST',
    path: '/account/secondfactor/remove',
    needs: 'signed-in',
    summary:
      'Turns off the authenticator and ends all other sessions. Returns 409 if the company ' +
      'requires it and it is the last method.',
    body: z.object({ password: CurrentPassword, ...FactorProof }),
    reply: Done,
  }),
  newRecoveryCodes: endpoint({
    method: 'POST',
    path: '/account/secondfactor/codes',
    needs: 'signed-in',
    summary: 'Creates 10 new recovery codes, invalidates the old ones, and ends all other sessions.',
    body: z.object({ password: CurrentPassword, ...FactorProof }),
    reply: z.object({ recoveryCodes: RecoveryCodes }),
  }),
  beginPasskey: endpoint({
    method: 'POST',
    path: '/account/passkeys/begin',
    needs: 'session',
    summary: 'Starts passkey registration. `POST /account/passkeys` completes it.',
    body: z.object({ password: CurrentPassword, ...FactorProof }),
    reply: NewPasskey,
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/account/passkeys',
    needs: 'session',
    summary:
      'Adds a passkey and ends all other sessions. The passkey signs in alone and counts as ' +
      'two-step verification.',
    body: z.object({ name: PasskeyName, passkey: MadePasskey }),
    reply: Done,
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/account/passkeys/{id}/remove',
    needs: 'signed-in',
    summary:
      'Removes a passkey and ends all other sessions. Returns 409 if the company requires it and ' +
      'it is the last method.',
    params: z.object({ id: IdText }),
    body: z.object({ password: CurrentPassword, ...FactorProof }),
    reply: Done,
  }),
  liftFactor: endpoint({
    method: 'POST',
    path: '/useradmin/{id}/liftfactor',
    needs: 'Administrator',
    summary: "Removes another user's authenticator and passkeys and ends all of that user's sessions.",
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  getSignInRules: endpoint({
    method: 'GET',
    path: '/signinrules',
    needs: 'Administrator',
    summary: 'Returns who must use two-step verification.',
    reply: SignInRules,
  }),
  saveSignInRules: endpoint({
    method: 'PUT',
    path: '/signinrules',
    needs: 'Administrator',
    summary: 'Sets who must use two-step verification. Users without it must set it up before they can continue.',
    body: SignInRules,
    reply: SignInRules,
  }),
};
