import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Done, IdText, Moment } from './fields.ts';

/** One's own account: the second factor, and whom the company asks for one. */

/** The current password, which confirms a change of the account. */
export const CurrentPassword = z
  .string('Current Password is required')
  .min(1, 'Current Password is required')
  .max(1024, 'Password is too long');

/** Six digits of the authenticator or a recovery code, as typed. */
export const FactorCode = z.string('Code is required').min(1, 'Code is required').max(40, 'Code is too long');

/** Whose second factor a company requires. */
export const FACTOR_RULES = ['nobody', 'administrators', 'everybody'] as const;
export type FactorRule = (typeof FACTOR_RULES)[number];

const RecoveryCodes = z.array(z.string());

/** Shown once: the secret for the authenticator, its address for a QR code, and ten recovery codes. */
export const NewFactor = z.object({ secret: z.string(), address: z.string(), recoveryCodes: RecoveryCodes });

export const Account = z.object({
  email: z.string(),
  secondFactor: z.object({
    isOn: z.boolean(),
    /** When it was turned on. */
    since: Moment.nullable(),
    /** Recovery codes that were not used yet. */
    codesLeft: z.number().int(),
    /** The company asks this person for one. */
    isRequired: z.boolean(),
  }),
});
export type Account = z.output<typeof Account>;

export const SignInRules = z.object({ secondFactor: z.enum(FACTOR_RULES) });

export const accountCalls = {
  getAccount: endpoint({
    method: 'GET',
    path: '/account',
    needs: 'signed-in',
    summary: "One's own account: the second factor",
    reply: Account,
  }),
  beginFactor: endpoint({
    method: 'POST',
    path: '/account/secondfactor',
    needs: 'session',
    summary: 'Begins to set a second factor up: a secret and recovery codes, which count once a code confirms them',
    body: z.object({ password: CurrentPassword }),
    reply: NewFactor,
  }),
  confirmFactor: endpoint({
    method: 'PUT',
    path: '/account/secondfactor',
    needs: 'session',
    summary: 'Turns the second factor on by a code of the authenticator, and ends all other sessions',
    body: z.object({ code: FactorCode }),
    reply: Done,
  }),
  removeFactor: endpoint({
    method: 'POST',
    path: '/account/secondfactor/remove',
    needs: 'signed-in',
    summary: 'Turns the second factor off, and ends all other sessions',
    body: z.object({ password: CurrentPassword, code: FactorCode }),
    reply: Done,
  }),
  newRecoveryCodes: endpoint({
    method: 'POST',
    path: '/account/secondfactor/codes',
    needs: 'signed-in',
    summary: 'Ten new recovery codes; the old ones are void',
    body: z.object({ password: CurrentPassword, code: FactorCode }),
    reply: z.object({ recoveryCodes: RecoveryCodes }),
  }),
  liftFactor: endpoint({
    method: 'POST',
    path: '/useradmin/{id}/liftfactor',
    needs: 'Administrator',
    summary: 'Removes the second factor of a colleague who lost it, and ends all sessions of that user',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  getSignInRules: endpoint({
    method: 'GET',
    path: '/signinrules',
    needs: 'Administrator',
    summary: 'Whom the company asks for a second factor',
    reply: SignInRules,
  }),
  saveSignInRules: endpoint({
    method: 'PUT',
    path: '/signinrules',
    needs: 'Administrator',
    summary: 'Says whom the company asks for a second factor; who has none sets one up before anything else',
    body: SignInRules,
    reply: SignInRules,
  }),
};
