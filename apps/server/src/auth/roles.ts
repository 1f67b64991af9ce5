import { AREAS } from '@evenkeel/contract/areas';
import { authCalls } from '@evenkeel/contract/auth';
import { conflict, Failure, notFound, refuse } from '@evenkeel/core/failure';
import { audit } from '../db/audit.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { pageOf } from '../db/page.ts';
import { ADMINISTRATOR, SUPERUSER } from '../http/authorise.ts';
import type { Ctx } from '../http/context.ts';
import { type Input, route } from '../http/route.ts';
import * as rows from './roles.sql.ts';

type RoleInput = Input<typeof authCalls.createRole>['body'];

const known = new Set<string>(AREAS.flatMap((area) => [`View ${area}`, `Manage ${area}`]));

/** Name and permissions as they are stored: each once, and Manage with its View (Specification part 2 §4 "Roles"). */
function readRole({ roleName, ...given }: RoleInput, stored: readonly string[] = []) {
  const roleProperties = given.roleProperties ?? stored;
  if (roleName === null || roleName === undefined || roleName === '') {
    throw refuse('Please enter a role name', { roleName: 'Please enter a role name' });
  }
  const unknown = roleProperties.find((name) => !known.has(name));
  if (unknown !== undefined) throw refuse(`There is no permission "${unknown}"`, { roleProperties: 'is not known' });
  const held = new Set(roleProperties);
  for (const name of roleProperties) held.add(name.replace('Manage ', 'View '));
  return { roleName, roleProperties: [...known].filter((name) => held.has(name)) };
}

async function listRoles(ctx: Ctx, { query }: Input<typeof authCalls.listRoles>) {
  const [found, count] = await Promise.all([
    ctx.tx.rows(rows.listRoles(ctx.companyId, query)),
    ctx.tx.row(rows.countRoles(ctx.companyId, query)),
  ]);
  return pageOf(query, { rows: found, total: count?.total ?? 0 }, ({ sortKey: _, ...role }) => role);
}

async function getRole(ctx: Ctx, { params }: Input<typeof authCalls.getRole>) {
  const role = await ctx.tx.row(rows.findRole(ctx.companyId, params.id));
  if (role === undefined) throw notFound('Role');
  return role;
}

/** Runs a statement that may meet another role of the same name. */
async function unlessTaken(write: Promise<rows.RoleRow | undefined>): Promise<rows.RoleRow> {
  try {
    const role = await write;
    if (role === undefined) throw notFound('Role');
    return role;
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict('A role with this name already exists');
    throw error;
  }
}

async function createRole(ctx: Ctx, { body }: Input<typeof authCalls.createRole>) {
  const role = await unlessTaken(ctx.tx.row(rows.insertRole(ctx.companyId, readRole(body))));
  audit(ctx, { action: 'create', subjectType: 'role', subjectId: role.id, after: role });
  return role;
}

async function changeable(ctx: Ctx, id: number): Promise<rows.RoleRow> {
  const role = await ctx.tx.row(rows.lockRole(ctx.companyId, id));
  if (role === undefined) throw notFound('Role');
  if (role.systemRole) throw conflict('System roles cannot be changed');
  return role;
}

async function updateRole(ctx: Ctx, { body }: Input<typeof authCalls.updateRole>) {
  const before = await changeable(ctx, body.id ?? 0);
  const wanted = { id: before.id, ...readRole(body, before.roleProperties) };
  if (body.rowVersion !== undefined && body.rowVersion !== null && body.rowVersion !== before.rowVersion) {
    throw new Failure('stale', 'Somebody else has changed this role meanwhile', undefined, { current: before });
  }
  const after = await unlessTaken(ctx.tx.row(rows.updateRole(ctx.companyId, wanted)));
  ctx.tx.atEnd(rows.updateMembers(ctx.companyId, wanted));
  audit(ctx, { action: 'update', subjectType: 'role', subjectId: after.id, before, after });
  return after;
}

async function deleteRole(ctx: Ctx, { params }: Input<typeof authCalls.deleteRole>) {
  const before = await changeable(ctx, params.id);
  const members = await ctx.tx.row(rows.countMembers(ctx.companyId, before.id));
  if ((members?.count ?? 0) > 0) throw conflict('This role cannot be deleted: users have it');
  ctx.tx.atEnd(rows.deleteRole(ctx.companyId, before.id));
  audit(ctx, { action: 'delete', subjectType: 'role', subjectId: before.id, before });
  return { ok: true as const };
}

/** For Administrator and Superuser that role, for others one entry per permission (wire.md "Sign-in"). */
async function loginRoles({ user }: Ctx) {
  const { roleId, roleName, systemRole, permissions } = user;
  if (systemRole && (roleName === ADMINISTRATOR || roleName === SUPERUSER))
    return [{ id: roleId, roleName, systemRole }];
  return permissions.map((name) => ({ id: roleId, roleName: name, systemRole }));
}

export const roleRoutes = [
  route(authCalls.listRoles, listRoles),
  route(authCalls.getRole, getRole),
  route(authCalls.createRole, createRole),
  route(authCalls.updateRole, updateRole),
  route(authCalls.deleteRole, deleteRole),
  route(authCalls.listAreas, async () => [...AREAS]),
  route(authCalls.loginRoles, loginRoles),
];
