import type { IsoDate } from '@evenkeel/core/dates';
import type * as z from 'zod';
import { accountCalls } from '@evenkeel/contract/account';
import { authCalls, UserRecord } from '@evenkeel/contract/auth';
import { conflict, Failure, notFound, refuse } from '@evenkeel/core/failure';
import { record, type Subject } from '../../platform/db/audit.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';
import { enqueue } from '../../platform/db/jobs.ts';
import { pageOf } from '../../platform/db/page.ts';
import { ADMINISTRATOR, isAdministrator, memberships, sessions, users } from '../../platform/http/session.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { exhausted, type Limit, take } from '../../platform/http/limits.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { type Input, route } from '../../platform/http/route.ts';
import { fromElsewhere } from './attempts.ts';
import { letter } from './letters.ts';
import { removeMember } from './members.sql.ts';
import { deletePasskeysOf } from './passkeys.sql.ts';
import { readAddress } from './register.ts';
import { deleteFactor } from './second-factor.sql.ts';
import * as rows from './users.sql.ts';

/** Limits the invitations that a company sends, because recipients have not asked for them. */
const INVITATIONS: Limit = { name: 'invitation', most: 200, seconds: 86_400 };

type User = z.output<typeof UserRecord>;
type UserInput = Input<typeof authCalls.createUser>['body'];

export const userSubject: Subject<typeof UserRecord> = { name: 'user', schema: UserRecord, idOf: (user) => user.id };

/** `locked` contains the email addresses that have no sign-in attempts left. */
function shown(ctx: Ctx, row: rows.UserRow, locked: ReadonlySet<string>): User {
  const { id, firstName, lastName, email, roleId, userRole, rowVersion } = row;
  return {
    id,
    firstName,
    lastName,
    email,
    roleId,
    displayName: `${firstName} ${lastName}`.trim(),
    userRole,
    baseURL: ctx.services.config.publicUrl,
    colonyBooksTermsAccepted: row.termsFlag || row.hasAccepted,
    status: row.hasEnded ? 'ended' : row.isInvited ? 'invited' : locked.has(email) ? 'locked' : 'active',
    endsOn: row.endsOn,
    invitedAt: row.isInvited ? row.invitedAt.toISOString() : null,
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
    secondFactor: row.secondFactor,
    rowVersion,
  };
}

async function listUsers(ctx: Ctx, { query }: { query: rows.ListRequest }) {
  const [found, count] = await Promise.all([ctx.tx.rows(rows.listUsers(query)), ctx.tx.row(rows.countUsers(query))]);
  const locked = await lockedOf(ctx, found);
  return pageOf(query, { rows: found, total: count?.total ?? 0 }, (row) => shown(ctx, row, locked));
}

const lockedOf = ({ services }: Ctx, found: readonly rows.UserRow[]): Promise<Set<string>> =>
  exhausted(
    services.pool,
    fromElsewhere,
    found.map(({ email }) => email),
  );

export async function getUser(ctx: Ctx, id: number): Promise<User> {
  const row = await ctx.tx.row(rows.findUser(id));
  if (row === undefined) throw notFound('User');
  return shown(ctx, row, await lockedOf(ctx, [row]));
}

function needText(value: string | null | undefined, field: string, message: string): string {
  if (value === null || value === undefined || value === '') throw refuse(message, { [field]: message });
  return value;
}

function readNames(body: UserInput) {
  return {
    firstName: needText(body.firstName, 'firstName', 'Please enter a first name'),
    lastName: needText(body.lastName, 'lastName', 'Please enter a last name'),
  };
}

function noRole(): Failure {
  return refuse('Please Select a User Role', { roleId: 'Please Select a User Role' });
}

const TAKEN = 'A user with this email address already exists';

/**
 * Sends an invitation. A new user sets a name and password and accepts the terms. A user with an account only accepts
 * the invitation. Throws 409 if the address already belongs to the company or to the demo company.
 */
async function createUser(ctx: Ctx, { body }: Input<typeof authCalls.createUser>): Promise<User> {
  const names = readNames(body);
  const email = readAddress(body.email, 'Please enter a valid email address');
  if (!body.roleId) throw noRole();
  if (email === DEMO_EMAIL) throw conflict(TAKEN);
  const termsFlag = body.colonyBooksTermsAccepted ?? false;
  const { id } = await ctx.tx.one(rows.userOfAddress({ ...names, email, termsFlag }));
  if ((await ctx.tx.row(rows.isMember(id))) !== undefined) throw conflict(TAKEN);
  const member = { ...names, userId: id, roleId: body.roleId, endsOn: body.endsOn ?? null };
  if ((await ctx.tx.row(rows.inviteMember(member))) === undefined) throw noRole();
  const user = await getUser(ctx, id);
  requireLastDay(ctx, user, null);
  await take(ctx.services.pool, INVITATIONS, String(ctx.companyId));
  enqueue(ctx.tx, letter('invite', id, ctx.userId));
  return record(ctx, userSubject, { after: user });
}

/** Changes the name and role. The address in the request is ignored. */
async function saveUser(ctx: Ctx, id: number, body: UserInput): Promise<User> {
  const administrators = await ctx.tx.rows(rows.lockAdministrators());
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row === undefined) throw notFound('User');
  const before = shown(ctx, row, await lockedOf(ctx, [row]));
  const names = readNames(body);
  requireFresh(UserRecord, before, body.rowVersion);
  await changeRole(ctx, { row, roleId: body.roleId ?? row.roleId, others: othersIn(administrators, id) });
  await changeLastDay(ctx, row, body.endsOn);
  changeNames(ctx, row, names);
  const termsFlag = row.isElsewhere ? row.termsFlag : (body.colonyBooksTermsAccepted ?? row.termsFlag);
  ctx.tx.atEnd(users.update({ id }, { termsFlag, rowVersion: row.rowVersion + 1 }));
  const after = await getUser(ctx, id);
  requireLastDay(ctx, after, row.endsOn);
  return record(ctx, userSubject, { before, after });
}

const NOT_ONLY_OURS = 'This user also belongs to another company, so only that user can change their name';

/**
 * If the user also belongs to another company, only the user can change the name. Until the invitation is accepted,
 * however, the inviter can change it.
 */
function changeNames(ctx: Ctx, row: rows.UserRow, names: { firstName: string; lastName: string }): void {
  const { id: userId, isInvited, isElsewhere, firstName, lastName } = row;
  if (names.firstName === firstName && names.lastName === lastName) return;
  if (isInvited) return ctx.tx.atEnd(memberships.update({ companyId: ctx.companyId, userId }, names));
  if (isElsewhere && userId !== ctx.userId) throw conflict(NOT_ONLY_OURS);
  ctx.tx.atEnd(users.update({ id: userId }, names));
}

/** Returns how many administrators with access would remain without this user. */
const othersIn = (administrators: readonly { userId: number; isAccepted: boolean }[], id: number): number =>
  administrators.filter(({ userId, isAccepted }) => isAccepted && userId !== id).length;

async function changeLastDay(ctx: Ctx, row: rows.UserRow, endsOn: IsoDate | null | undefined): Promise<void> {
  if (endsOn === undefined || endsOn === row.endsOn) return;
  if (!isAdministrator(ctx)) throw new Failure('forbidden', "Only an administrator can set when a user's access ends");
  await ctx.tx.rows(memberships.update({ companyId: ctx.companyId, userId: row.id }, { endsOn }));
}

/** Throws 422 if an administrator would have a last day, or if a new last day is in the past. */
function requireLastDay(ctx: Ctx, { endsOn, userRole }: User, before: IsoDate | null): void {
  if (endsOn === null) return;
  if (userRole === ADMINISTRATOR) throw refuse(NO_LAST_DAY, { endsOn: NO_LAST_DAY });
  if (endsOn !== before && endsOn < ctx.today) throw refuse(OVER, { endsOn: OVER });
}

const NO_LAST_DAY = "An administrator's access can't have an end date";
const OVER = 'The date must be today or later';

async function changeRole(ctx: Ctx, change: { row: rows.UserRow; roleId: number; others: number }) {
  const { row, roleId, others } = change;
  if (roleId === row.roleId) return;
  if (!isAdministrator(ctx)) throw new Failure('forbidden', 'Only an administrator can change roles');
  if (row.id === ctx.userId) throw conflict("You can't change your own role");
  if (isAdministratorRow(row) && others === 0) throw lastAdministrator();
  const moved = await ctx.tx.row(rows.moveToRole(row.id, roleId));
  if (moved === undefined) throw noRole();
}

const isAdministratorRow = (row: rows.UserRow): boolean => row.systemRole && row.userRole === ADMINISTRATOR;

function lastAdministrator(): Failure {
  return conflict("You can't remove or demote the last administrator");
}

async function deleteUser(ctx: Ctx, id: number) {
  const administrators = await ctx.tx.rows(rows.lockAdministrators());
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row === undefined) throw notFound('User');
  if (isAdministratorRow(row) && othersIn(administrators, id) === 0) throw lastAdministrator();
  record(ctx, userSubject, { before: shown(ctx, row, new Set()), write: removeMember(id, ctx.companyId) });
  return { ok: true as const };
}

/**
 * Sends the invitation again. Throws 404 if the user does not exist, and 409 if the user has registered or accepted.
 */
async function inviteAgain(ctx: Ctx, id: number) {
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row === undefined) throw notFound('User');
  if (!row.isInvited) throw conflict('This user has already registered');
  await take(ctx.services.pool, INVITATIONS, String(ctx.companyId));
  enqueue(ctx.tx, letter('invite', id, ctx.userId));
  return { ok: true as const };
}

/**
 * Ends all of a user's sessions in all companies, because each of them could be used to enter this company again.
 * Throws 404 if the user does not exist.
 */
async function signOutEverywhere(ctx: Ctx, id: number) {
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row === undefined) throw notFound('User');
  // A company can't end the sessions of a user who has not accepted its invitation yet.
  if (!row.isInvited) ctx.tx.atEnd(sessions.delete({ userId: id }));
  return { ok: true as const };
}

const GUARDS_OTHERS =
  'This user also belongs to another company that requires two-step verification. Ask ' +
  'the operator of this installation to remove it.';

/**
 * Removes the authenticator and passkeys of a user who lost them. Throws 404 if the user does not exist. Throws 409 if
 * the user has no method, or also belongs to another company, whose administrators have not agreed.
 */
async function liftFactor(ctx: Ctx, id: number) {
  if (id === ctx.userId) throw conflict('Turn off your own two-step verification on your account page');
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row?.isElsewhere === true && row.secondFactor) throw conflict(GUARDS_OTHERS);
  return removeFactorOf(ctx, id);
}

/**
 * Does the same as `liftFactor`, for any user. The operator uses it to help the last administrator who lost all
 * methods.
 */
export async function removeFactorOf(ctx: Ctx, id: number) {
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row === undefined) throw notFound('User');
  if (!row.secondFactor) throw conflict("This user doesn't have two-step verification");
  const before = shown(ctx, row, new Set());
  const write = [deleteFactor(id), deletePasskeysOf(id), sessions.delete({ userId: id })];
  record(ctx, userSubject, { before, after: { ...before, secondFactor: false }, write });
  enqueue(ctx.tx, letter('factorLifted', id, ctx.userId));
  return { ok: true as const };
}

/** Throws 404 unless the user is an administrator or requests their own record. */
function onlyOneself(ctx: Ctx, id: number): void {
  if (id !== ctx.userId && !isAdministrator(ctx)) throw notFound('User');
}

export const userRoutes = [
  route(authCalls.listUsers, listUsers),
  route(authCalls.getUser, (ctx, { params }) => getUser(ctx, params.id)),
  route(authCalls.createUser, createUser, { save: (ctx, { body }, id) => saveUser(ctx, id, body) }),
  route(authCalls.updateUser, (ctx, { body }) => saveUser(ctx, body.id || 0, body)),
  route(authCalls.deleteUser, (ctx, { params }) => deleteUser(ctx, params.id)),
  route(authCalls.inviteAgain, (ctx, { params }) => inviteAgain(ctx, params.id)),
  route(authCalls.signOutEverywhere, (ctx, { params }) => signOutEverywhere(ctx, params.id)),
  route(accountCalls.liftFactor, (ctx, { params }) => liftFactor(ctx, params.id)),
  route(authCalls.listOwnUsers, listUsers),
  route(authCalls.getOwnUser, async (ctx, { params }) => {
    onlyOneself(ctx, params.id);
    return getUser(ctx, params.id);
  }),
  route(authCalls.updateOwnUser, async (ctx, { params, body }) => {
    onlyOneself(ctx, params.id);
    return saveUser(ctx, params.id, body);
  }),
  route(authCalls.deleteOwnUser, async (ctx, { params }) => {
    onlyOneself(ctx, params.id);
    return deleteUser(ctx, params.id);
  }),
];
