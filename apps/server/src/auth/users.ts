import type { IsoDate } from '@evenkeel/core/dates';
import type * as z from 'zod';
import { accountCalls } from '@evenkeel/contract/account';
import { authCalls, UserRecord } from '@evenkeel/contract/auth';
import { conflict, Failure, notFound, refuse } from '@evenkeel/core/failure';
import { record, type Subject } from '../db/audit.ts';
import { enqueue } from '../db/jobs.ts';
import { pageOf } from '../db/page.ts';
import { ADMINISTRATOR, isAdministrator, memberships, sessions, users } from '../http/session.ts';
import type { Ctx } from '../http/context.ts';
import { exhausted } from '../http/limits.ts';
import { requireFresh } from '../http/fresh.ts';
import { type Input, route, savingRoute } from '../http/route.ts';
import { letter } from './letters.ts';
import { deletePasskeysOf } from './passkeys.sql.ts';
import { readAddress } from './register.ts';
import { deleteFactor } from './second-factor.sql.ts';
import { fromElsewhere } from './signin.ts';
import * as rows from './users.sql.ts';

type User = z.output<typeof UserRecord>;
type NewUser = { email: string; firstName: string; lastName: string; termsFlag: boolean };
type UserInput = Input<typeof authCalls.createUser>['body'];

export const userSubject: Subject<typeof UserRecord> = { name: 'user', schema: UserRecord, idOf: (user) => user.id };

/** `locked` are the addresses that are out of attempts. */
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
    colonyBooksTermsAccepted: row.termsFlag,
    status: row.hasEnded ? 'ended' : locked.has(email) ? 'locked' : row.isInvited ? 'invited' : 'active',
    endsOn: row.endsOn,
    invitedAt: row.isInvited ? row.createdAt.toISOString() : null,
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

/** Adds the user and sends the invitation; who is invited sets name, password and acceptance. */
async function createUser(ctx: Ctx, { body }: Input<typeof authCalls.createUser>): Promise<User> {
  const names = readNames(body);
  const email = readAddress(body.email, 'Please enter a valid email address');
  if (!body.roleId) throw noRole();
  const id = await insert(ctx, { ...names, email, termsFlag: body.colonyBooksTermsAccepted ?? false });
  const endsOn = body.endsOn ?? null;
  const membership = await ctx.tx.row(rows.insertMembership(id, body.roleId, endsOn));
  if (membership === undefined) throw noRole();
  const user = await getUser(ctx, id);
  requireLastDay(ctx, user, null);
  enqueue(ctx.tx, letter('invite', id, ctx.userId));
  return record(ctx, userSubject, { after: user });
}

/** 409 for an address that has an account. */
async function insert(ctx: Ctx, user: NewUser): Promise<number> {
  return (await ctx.tx.one(users.insert(user, ['id']))).id;
}

/** Changes name and role; the address stays as it is, whatever is sent. */
async function saveUser(ctx: Ctx, id: number, body: UserInput): Promise<User> {
  const administrators = await ctx.tx.rows(rows.lockAdministrators());
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row === undefined) throw notFound('User');
  const before = shown(ctx, row, await lockedOf(ctx, [row]));
  const names = readNames(body);
  requireFresh(UserRecord, before, body.rowVersion);
  await changeRole(ctx, { row, roleId: body.roleId ?? row.roleId, administrators: administrators.length });
  await changeLastDay(ctx, row, body.endsOn);
  const termsFlag = body.colonyBooksTermsAccepted ?? row.termsFlag;
  ctx.tx.atEnd(users.update({ id }, { ...names, termsFlag, rowVersion: row.rowVersion + 1 }));
  const after = await getUser(ctx, id);
  requireLastDay(ctx, after, row.endsOn);
  return record(ctx, userSubject, { before, after });
}

async function changeLastDay(ctx: Ctx, row: rows.UserRow, endsOn: IsoDate | null | undefined): Promise<void> {
  if (endsOn === undefined || endsOn === row.endsOn) return;
  if (!isAdministrator(ctx)) throw new Failure('forbidden', 'Only an administrator says when an access ends');
  await ctx.tx.rows(memberships.update({ companyId: ctx.companyId, userId: row.id }, { endsOn }));
}

/** 422 for a last day of an administrator, who would be missed, and for a new one that is over already. */
function requireLastDay(ctx: Ctx, { endsOn, userRole }: User, before: IsoDate | null): void {
  if (endsOn === null) return;
  if (userRole === ADMINISTRATOR) throw refuse(NO_LAST_DAY, { endsOn: NO_LAST_DAY });
  if (endsOn !== before && endsOn < ctx.today) throw refuse(OVER, { endsOn: OVER });
}

const NO_LAST_DAY = 'The access of an administrator has no last day';
const OVER = 'The last day is today or later';

async function changeRole(ctx: Ctx, change: { row: rows.UserRow; roleId: number; administrators: number }) {
  const { row, roleId, administrators } = change;
  if (roleId === row.roleId) return;
  if (!isAdministrator(ctx)) throw new Failure('forbidden', 'Only an administrator changes roles');
  if (row.id === ctx.userId) throw conflict('Nobody can change the own role');
  if (isAdministratorRow(row) && administrators <= 1) throw lastAdministrator();
  const moved = await ctx.tx.row(rows.moveToRole(row.id, roleId));
  if (moved === undefined) throw noRole();
}

const isAdministratorRow = (row: rows.UserRow): boolean => row.systemRole && row.userRole === ADMINISTRATOR;

function lastAdministrator(): Failure {
  return conflict('The last administrator can be neither removed nor demoted');
}

async function deleteUser(ctx: Ctx, id: number) {
  const administrators = await ctx.tx.rows(rows.lockAdministrators());
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row === undefined) throw notFound('User');
  if (isAdministratorRow(row) && administrators.length <= 1) throw lastAdministrator();
  record(ctx, userSubject, { before: shown(ctx, row, new Set()), write: rows.deleteUser(id) });
  return { ok: true as const };
}

/** A new link, which voids the older one. 404 when there is no such user, 409 for one who has registered. */
async function inviteAgain(ctx: Ctx, id: number) {
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row === undefined) throw notFound('User');
  if (!row.isInvited) throw conflict('This user has registered already');
  enqueue(ctx.tx, letter('invite', id, ctx.userId));
  return { ok: true as const };
}

/** Ends every session of a user of the company. 404 when there is no such user. */
async function signOutEverywhere(ctx: Ctx, id: number) {
  const row = await ctx.tx.row(rows.findUser(id));
  if (row === undefined) throw notFound('User');
  ctx.tx.atEnd(sessions.delete({ userId: id }));
  return { ok: true as const };
}

/** Removes authenticator and passkeys of a colleague who lost them. 404 when there is no such user, 409 without any. */
async function liftFactor(ctx: Ctx, id: number) {
  if (id === ctx.userId) throw conflict('Your own second factor is turned off on your account page');
  return removeFactorOf(ctx, id);
}

/** As `liftFactor`, for anybody: the operator helps the last administrator who lost factor and recovery codes. */
export async function removeFactorOf(ctx: Ctx, id: number) {
  const row = await ctx.tx.row(rows.lockUser(id));
  if (row === undefined) throw notFound('User');
  if (!row.secondFactor) throw conflict('This user has no second factor');
  const before = shown(ctx, row, new Set());
  const write = [deleteFactor(id), deletePasskeysOf(id), sessions.delete({ userId: id })];
  record(ctx, userSubject, { before, after: { ...before, secondFactor: false }, write });
  enqueue(ctx.tx, letter('factorLifted', id, ctx.userId));
  return { ok: true as const };
}

/** Besides administrators a user reads and updates oneself; another's record does not exist for them. */
function onlyOneself(ctx: Ctx, id: number): void {
  if (id !== ctx.userId && !isAdministrator(ctx)) throw notFound('User');
}

export const userRoutes = [
  route(authCalls.listUsers, listUsers),
  route(authCalls.getUser, (ctx, { params }) => getUser(ctx, params.id)),
  savingRoute(authCalls.createUser, createUser, (ctx, { body }, id) => saveUser(ctx, id, body)),
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
  route(authCalls.deleteOwnUser, (ctx, { params }) => deleteUser(ctx, params.id)),
];
