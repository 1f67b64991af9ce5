import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Done, Id, IdText, maybe, Moment } from './fields.ts';
import { MadePasskey, NewPasskey, Passkey, PasskeyAnswer } from './passkeys.ts';

/** The signed-in user's account, including two-step verification, and the company's two-step verification rule. */

/** The current password, which confirms a change to the account. */
export const CurrentPassword = z
  .string('Current Password is required')
  .min(1, 'Current Password is required')
  .max(1024, 'Password is too long');

/** A code as entered: six digits from the authenticator app, or a recovery code. */
export const FactorCode = z.string('Code is required').min(1, 'Code is required').max(40, 'Code is too long');

/**
 * The second step of sign-in for a user who has turned on two-step verification: a code as entered, or a passkey's
 * response.
 */
export const FactorProof = { code: maybe(z.string().max(40)), passkey: maybe(PasskeyAnswer) };

/** The users for whom a company requires two-step verification. */
export const FACTOR_RULES = ['nobody', 'administrators', 'everybody'] as const;
export type FactorRule = (typeof FACTOR_RULES)[number];

const RecoveryCodes = z.array(z.string());

/** The name by which the owner recognizes the passkey. */
export const PasskeyName = z.string('Name is required').trim().min(1, 'Name is required').max(100, 'Name is too long');

/**
 * The secret for the authenticator app, its URL for a QR code, and 10 recovery codes. All of these are shown only once.
 */
export const NewFactor = z.object({ secret: z.string(), address: z.string(), recoveryCodes: RecoveryCodes });

/** A user's session. */
export const AccountSession = z.object({
  id: Id,
  /** The name of the device, for example "Firefox on Mac", or "Unknown device" if nothing is known about the device. */
  device: z.string(),
  /** The IPv4 address, or only the network part of an IPv6 address. */
  network: z.string(),
  lastSeenAt: Moment,
  signedInAt: Moment,
  /** Whether this session made the request. */
  isThis: z.boolean(),
  /** Whether the sign-in came from both a new device and a new network. */
  isNewPlace: z.boolean(),
});
export type AccountSession = z.output<typeof AccountSession>;

export const Account = z.object({
  email: z.string(),
  /** A new email address that the user must confirm with the link sent to that address. */
  newEmail: z.string().nullable(),
  roleId: Id,
  userRole: z.string(),
  permissions: z.array(z.string()),
  passwordChangedAt: Moment.nullable(),
  secondFactor: z.object({
    isOn: z.boolean(),
    /** The time when two-step verification was turned on. */
    since: Moment.nullable(),
    /** The number of unused recovery codes. */
    codesLeft: z.number().int(),
    /** Whether the company requires two-step verification for this user. */
    isRequired: z.boolean(),
  }),
  /** Passkeys, newest last. */
  passkeys: z.array(Passkey),
  /** Sessions, most recently used first. */
  sessions: z.array(AccountSession),
});
export type Account = z.output<typeof Account>;

export const SignInRules = z.object({ secondFactor: z.enum(FACTOR_RULES) });

export const accountCalls = {
  getAccount: endpoint({
    method: 'GET',
    path: '/account',
    needs: 'signed-in',
    ofPerson: true,
    summary: "Returns the signed-in user's account: email address, role, sign-in methods, and sessions.",
    reply: Account,
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/account/email',
    noRehearsal: true,
    needs: 'signed-in',
    summary:
      'Requests a new email address. The change takes effect when the user opens the link sent to the new address.',
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
    noRehearsal: true,
    needs: 'signed-in',
    summary: 'Cancels a pending email address change.',
    reply: Done,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/account/sessions/{id}',
    noRehearsal: true,
    needs: 'signed-in',
    summary: "Ends one of the user's sessions. Returns 422 if the user signed in more than 15 minutes ago.",
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/account/signout',
    noRehearsal: true,
    needs: 'signed-in',
    summary: "Ends the user's other sessions. Returns 422 if the user signed in more than 15 minutes ago.",
    reply: Done,
  }),
  beginFactor: endpoint({
    method: 'POST',
    path: '/account/secondfactor',
    needs: 'session',
    summary:
      'Starts authenticator setup. Returns a secret and recovery codes, which take effect after setup is confirmed.',
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
    noRehearsal: true,
    needs: 'signed-in',
    summary:
      "Turns off the authenticator and ends all other sessions. Returns 409 if this is the user's last method and " +
      'the company requires one.',
    body: z.object({ password: CurrentPassword, ...FactorProof }),
    reply: Done,
  }),
  newRecoveryCodes: endpoint({
    method: 'POST',
    path: '/account/secondfactor/codes',
    noRehearsal: true,
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
      'Adds a passkey and ends all other sessions. The user can then sign in with only the ' +
      'passkey, which counts as two-step verification.',
    body: z.object({ name: PasskeyName, passkey: MadePasskey }),
    reply: Done,
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/account/passkeys/{id}/remove',
    noRehearsal: true,
    needs: 'signed-in',
    summary:
      "Removes a passkey and ends all other sessions. Returns 409 if this is the user's last method and the company " +
      'requires one.',
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
    summary: 'Returns which users must use two-step verification.',
    reply: SignInRules,
  }),
  saveSignInRules: endpoint({
    method: 'PUT',
    path: '/signinrules',
    needs: 'Administrator',
    summary:
      'Sets which users must use two-step verification. Users without it must set it up before they can continue.',
    body: SignInRules,
    reply: SignInRules,
  }),
};
