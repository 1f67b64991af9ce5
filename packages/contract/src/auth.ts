import { isEmailAddress } from '@evenkeel/core/email';
import * as z from 'zod';
import { FactorProof } from './account.ts';
import { PASSKEY_PURPOSES, PasskeyAnswer, PasskeyChallenge } from './passkeys.ts';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { chosenId, DateField, Done, Id, IdText, LineId, maybe, Moment, RowVersion, text } from './fields.ts';
import { alias } from './wire.ts';

/** Sign-in, users, and roles. */

/** A valid email address in lowercase, so that one person has only one account. */
const Email = z
  .string('Email is required')
  .trim()
  .min(1, 'Email is required')
  .max(254, 'Email is invalid')
  .refine(isEmailAddress, 'Email is invalid')
  .overwrite((value) => value.toLowerCase());

/** A password as entered. The server checks the minimum length, because the operator sets it (PASSWORD_MIN). */
const Password = z.string('Password is required').max(1024, 'Password is too long');
const SecretText = z.string('The link is incomplete').max(200);

/** The link from an invitation to another company. The user accepts the invitation by signing in. */
const JoinLink = maybe(z.string().max(200));

/** The response to a sign-in. `permissions` determine the menu and the buttons. */
export const LoginReply = z.object({
  id: Id,
  token: z.string(),
  termsAccepted: z.boolean(),
  initials: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  displayName: z.string(),
  companyId: Id,
  /**
   * The time when the company was created, with microseconds. This time distinguishes installations, because IDs start
   * over in each installation.
   */
  companySince: z.string().optional(),
  roleId: Id,
  userRole: z.string(),
  permissions: z.array(z.string()),
  setupCompleted: z.boolean(),
  /** Whether the company requires two-step verification and this user must set it up first. */
  secondFactorMissing: z.boolean().optional(),
});

/** A company that the user belongs to or is invited to. */
const CompanyOfUser = z.object({
  companyId: Id,
  companyName: z.string(),
  userRole: z.string(),
  /** The last day on which a guest user can sign in. */
  endsOn: DateField.nullable(),
});

/** The companies that the user can open, sorted by name, and the pending invitations. */
export const OwnCompanies = z.object({
  companies: z.array(
    z.object({ ...CompanyOfUser.shape, /** Whether this session belongs to the company. */ isThis: z.boolean() }),
  ),
  invitations: z.array(CompanyOfUser),
  /** Whether the user may create another company. */
  mayAdd: z.boolean(),
});
export type OwnCompanies = z.output<typeof OwnCompanies>;

export const UserRecord = z.object({
  id: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  roleId: Id,
  displayName: z.string(),
  userRole: z.string(),
  baseURL: z.string(),
  colonyBooksTermsAccepted: z.boolean(),
  /**
   * The status of a user. 'invited' means that the user has not registered yet. 'locked' means that the user has no
   * sign-in attempts left from unknown devices and networks, for at most an hour. 'ended' means that the last day of
   * access has passed.
   */
  status: z.enum(['active', 'invited', 'locked', 'ended']),
  /** The last day on which a guest user can sign in. Null for permanent users. */
  endsOn: DateField.nullable(),
  /** Timestamps are in UTC. */
  invitedAt: Moment.nullable(),
  lastSignInAt: Moment.nullable(),
  /** Whether two-step verification is required at sign-in. */
  secondFactor: z.boolean(),
  rowVersion: RowVersion,
});

/** `baseURL` is accepted and ignored, because links only use PUBLIC_URL. */
const UserBody = z.object({
  /** An empty string or 0 means a new user. */
  id: maybe(z.union([LineId, z.literal('')])),
  firstName: maybe(text(100)),
  lastName: maybe(text(100)),
  email: maybe(z.string().max(254)),
  roleId: maybe(chosenId('Please Select a User Role')),
  baseURL: maybe(z.string().max(2000)),
  colonyBooksTermsAccepted: maybe(z.boolean()),
  /** If missing, the last day does not change. Administrators have no last day. */
  endsOn: maybe(DateField),
  rowVersion: maybe(RowVersion),
});

export const RoleRecord = z.object({
  id: Id,
  roleName: z.string(),
  systemRole: z.boolean(),
  roleProperties: z.array(z.string()),
  userCount: z.number(),
  rowVersion: RowVersion,
});

const RoleBody = z.object({
  id: maybe(LineId),
  roleName: maybe(text(100)),
  /** If missing, a new role has no permissions, and a saved role keeps its permissions. */
  roleProperties: maybe(z.array(z.string().max(100)).max(100)),
  rowVersion: maybe(RowVersion),
});

const ById = z.object({ id: IdText });

const Registration = alias(
  z.object({
    email: maybe(z.string().max(254)),
    password: Password,
    confirmPassword: z.string('Confirm Password is required').max(1024),
    firstname: maybe(text(100)),
    lastname: maybe(text(100)),
    acceptedterms: maybe(z.boolean()),
    token: maybe(SecretText),
    companyName: maybe(text(200)),
    timeZone: maybe(z.string().max(100)),
  }),
  { acceptTerms: 'acceptedterms' },
);

export const authCalls = {
  login: endpoint({
    method: 'POST',
    path: '/login',
    needs: 'public',
    summary: 'Signs in with email and password. Returns 401 `code_required` if two-step verification is on.',
    body: z.object({
      email: Email,
      password: z.string('Password is required').min(1, 'Password is required').max(1024),
      ...FactorProof,
      join: JoinLink,
    }),
    reply: LoginReply,
  }),
  passkeyChallenge: endpoint({
    method: 'POST',
    path: '/login/challenge',
    needs: 'public',
    summary: 'Creates a passkey challenge, which can be used once, within five minutes.',
    body: z.object({ purpose: z.enum(PASSKEY_PURPOSES) }),
    reply: PasskeyChallenge,
  }),
  passkeyLogin: endpoint({
    method: 'POST',
    path: '/login/passkey',
    needs: 'public',
    summary: 'Signs in with a passkey that verifies the user.',
    body: z.object({ passkey: PasskeyAnswer, join: JoinLink }),
    reply: LoginReply,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/logout',
    needs: 'session',
    summary: "Signs out. Also ends the user's sessions in other companies that were opened from this one.",
    /** With `only=this`, the user stays signed in to other companies. */
    query: z.object({ only: z.enum(['this']).optional() }),
    reply: Done,
  }),
  listCompanies: endpoint({
    method: 'GET',
    path: '/account/companies',
    needs: 'session',
    summary: "Lists the signed-in user's companies and pending invitations.",
    reply: OwnCompanies,
  }),
  enterCompany: endpoint({
    method: 'POST',
    path: '/account/companies',
    needs: 'session',
    summary: "Creates a session in another of the user's companies. The current session stays active.",
    body: z.object({ companyId: Id }),
    reply: LoginReply,
  }),
  addCompany: endpoint({
    method: 'POST',
    path: '/account/companies/new',
    noRehearsal: true,
    needs: 'signed-in',
    summary:
      'Creates a company with the signed-in user as administrator (requires SIGN_UP=open). `POST /account/companies` ' +
      'switches to it.',
    body: z.object({ companyName: maybe(text(200)), timeZone: maybe(z.string().max(100)) }),
    reply: z.object({ companyId: Id }),
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/account/invitations/{companyId}',
    noRehearsal: true,
    needs: 'signed-in',
    summary: 'Accepts an invitation to another company.',
    params: z.object({ companyId: IdText }),
    reply: Done,
  }),
  declineInvitation: endpoint({
    method: 'DELETE',
    path: '/account/invitations/{companyId}',
    noRehearsal: true,
    needs: 'signed-in',
    summary: 'Declines an invitation to another company.',
    params: z.object({ companyId: IdText }),
    reply: Done,
  }),
  register: endpoint({
    method: 'POST',
    path: '/register',
    needs: 'public',
    summary:
      'Registers a user: with an invitation, as the first administrator, or, if SIGN_UP=open, with a new company.',
    body: Registration,
    reply: z.object({ message: z.string() }),
  }),
  invitation: endpoint({
    method: 'POST',
    path: '/register/invitation',
    needs: 'public',
    summary: 'Returns the name, email address, and company of an invitation.',
    body: z.object({ token: SecretText }),
    reply: z.object({ email: z.string(), firstName: z.string(), lastName: z.string(), companyName: z.string() }),
    reads: true,
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/verify-email',
    needs: 'public',
    summary: 'Confirms an email address with the emailed token.',
    body: z.object({ token: SecretText }),
    reply: z.object({ message: z.string() }),
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/register/forgotpassword',
    needs: 'public',
    summary: 'Emails a password reset link. The response is the same whether or not the address exists.',
    body: z.object({ Email, Baseurl: maybe(z.string().max(2000)) }),
    reply: z.object({ message: z.string() }),
  }),
  validateResetToken: endpoint({
    method: 'POST',
    path: '/validate-reset-token',
    needs: 'public',
    summary: 'Checks whether a password reset link is still valid.',
    body: z.object({ token: SecretText, email: maybe(z.string().max(254)) }),
    reply: z.object({ message: z.string() }),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/register/reset-password',
    needs: 'public',
    summary: "Sets a new password with the emailed token and ends all of the user's sessions.",
    body: z.object({
      token: SecretText,
      email: maybe(z.string().max(254)),
      password: Password,
      confirmPassword: z.string('Confirm Password is required').max(1024),
      ...FactorProof,
    }),
    reply: z.object({ message: z.string() }),
  }),
  updateUserTerms: endpoint({
    method: 'PUT',
    path: '/UserAdmin/UpdateUserTerms',
    needs: 'session',
    summary: 'Accepts the current terms. Returns a new session token.',
    body: z.object({ termsAccepted: z.literal(true, 'Accept Terms & Conditions is required') }),
    reply: z.string(),
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/UserAdmin/ChangePassword',
    noRehearsal: true,
    needs: 'signed-in',
    summary: "Changes the signed-in user's password and ends all other sessions.",
    body: z.object({
      currentPassword: z.string('Current Password is required').min(1, 'Current Password is required').max(1024),
      password: Password,
      confirmPassword: z.string('Confirm Password is required').max(1024),
    }),
    reply: Done,
  }),
  termsOfService: endpoint({
    method: 'GET',
    path: '/GlobalDocument/TermsOfService',
    needs: 'public',
    summary: 'Returns the terms of service as a PDF.',
    reply: 'application/pdf',
  }),
  privacyPolicy: endpoint({
    method: 'GET',
    path: '/GlobalDocument/privacyPolicy',
    needs: 'public',
    summary: 'Returns the privacy policy as a PDF.',
    reply: 'application/pdf',
  }),
  installation: endpoint({
    method: 'GET',
    path: '/installation',
    needs: 'public',
    summary: 'Returns public settings: whether a company exists, who may register, and the minimum password length.',
    reply: z.object({
      /** Whether there is no company except the demo company. */
      empty: z.boolean(),
      /** Whether there is a demo company. */
      demo: z.boolean(),
      signUp: z.enum(['invite', 'open']),
      passwordMin: z.number(),
      chatWidgetUrl: z.string().nullable(),
      maxUploadMb: z.number(),
    }),
  }),
  lookAround: endpoint({
    method: 'POST',
    path: '/installation/demo',
    needs: 'public',
    summary: "Signs in to the demo company with the first-start token. Creates the demo company if it doesn't exist.",
    body: z.object({ token: SecretText }),
    reply: LoginReply,
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/useradmin',
    needs: 'Administrator',
    summary: "Lists the company's users.",
    query: PageQuery,
    reply: listOf(UserRecord),
  }),
  getUser: endpoint({
    method: 'GET',
    path: '/useradmin/{id}',
    needs: 'Administrator',
    summary: 'Returns a user.',
    params: ById,
    reply: UserRecord,
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/useradmin',
    noRehearsal: true,
    needs: 'Administrator',
    summary: 'Invites a user (id 0), or updates the user with this ID.',
    body: UserBody,
    names: 'id',
    reply: UserRecord,
  }),
  updateUser: endpoint({
    method: 'PUT',
    path: '/useradmin',
    noRehearsal: true,
    needs: 'Administrator',
    summary: "Updates a user's name or role. The email address can't be changed.",
    body: UserBody,
    reply: UserRecord,
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/useradmin/{id}',
    needs: 'Administrator',
    summary: "Removes a user and ends the user's sessions. The last administrator can't be removed.",
    params: ById,
    reply: Done,
  }),
  inviteAgain: endpoint({
    method: 'POST',
    path: '/useradmin/{id}/invite',
    noRehearsal: true,
    needs: 'Administrator',
    summary: 'Resends an invitation with a new link. Returns 409 if the user has already registered.',
    params: ById,
    reply: Done,
  }),
  signOutEverywhere: endpoint({
    method: 'POST',
    path: '/useradmin/{id}/signout',
    needs: 'Administrator',
    summary: "Ends all of a user's sessions.",
    params: ById,
    reply: Done,
  }),
  listOwnUsers: endpoint({
    method: 'GET',
    path: '/users',
    needs: 'Administrator',
    summary: "Lists the company's users. Same as `GET /useradmin`.",
    query: PageQuery,
    reply: listOf(UserRecord),
  }),
  getOwnUser: endpoint({
    method: 'GET',
    path: '/user/{id}',
    needs: 'signed-in',
    ofPerson: true,
    summary: 'Returns a user: yourself, or any user if you are an administrator.',
    params: ById,
    reply: UserRecord,
  }),
  updateOwnUser: endpoint({
    method: 'PUT',
    path: '/user/{id}',
    noRehearsal: true,
    needs: 'signed-in',
    summary: 'Updates a user: your own name, or any user if you are an administrator.',
    params: ById,
    body: UserBody,
    reply: UserRecord,
  }),
  deleteOwnUser: endpoint({
    method: 'DELETE',
    path: '/user/{id}',
    needs: 'signed-in',
    summary: 'Removes a user: your own account, or any user if you are an administrator.',
    params: ById,
    reply: Done,
  }),
  listRoles: endpoint({
    method: 'GET',
    path: '/userroles',
    needs: 'Administrator',
    summary: "Lists the company's roles, system roles first.",
    query: PageQuery,
    reply: listOf(RoleRecord),
  }),
  getRole: endpoint({
    method: 'GET',
    path: '/userroles/{id}',
    needs: 'Administrator',
    summary: 'Returns a role.',
    params: ById,
    reply: RoleRecord,
  }),
  createRole: endpoint({
    method: 'POST',
    path: '/userroles',
    needs: 'Administrator',
    summary: 'Creates a role (id 0), or updates the role with this ID.',
    body: RoleBody,
    names: 'id',
    reply: RoleRecord,
  }),
  updateRole: endpoint({
    method: 'PUT',
    path: '/userroles',
    needs: 'Administrator',
    summary: 'Updates a role. The change applies to its users starting with their next request.',
    body: RoleBody,
    reply: RoleRecord,
  }),
  deleteRole: endpoint({
    method: 'DELETE',
    path: '/userroles/{id}',
    needs: 'Administrator',
    summary: "Deletes a role that isn't assigned to any user.",
    params: ById,
    reply: Done,
  }),
  listAreas: endpoint({
    method: 'GET',
    path: '/roles',
    needs: 'signed-in',
    summary: 'Lists the areas that a role can grant View or Manage permission for.',
    reply: z.array(z.string()),
  }),
  loginRoles: endpoint({
    method: 'GET',
    path: '/loginroles',
    needs: 'signed-in',
    summary: "Returns the signed-in user's role names, which determine the menu items.",
    reply: z.array(z.object({ id: Id, roleName: z.string(), systemRole: z.boolean() })),
  }),
};
