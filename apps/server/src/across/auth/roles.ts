import { AREAS } from '@evenkeel/contract/areas';
import { authCalls, RoleRecord } from '@evenkeel/contract/auth';
import { conflict, notFound, refuse } from '@evenkeel/core/failure';
import { record, type Subject } from '../../platform/db/audit.ts';
import { pageOf } from '../../platform/db/page.ts';
import { ADMINISTRATOR, SUPERUSER } from '../../platform/http/session.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { type Input, route } from '../../platform/http/route.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import * as rows from './roles.sql.ts';
import { memberships } from '../../platform/http/session.ts';

const { roles } = rows;
const subject: Subject<typeof RoleRecord> = { name: 'role', schema: RoleRecord, idOf: (role) => role.id };

type RoleInput = Input<typeof authCalls.createRole>['body'];

/** Every permission, in the order of the areas. */
export const known = new Set<string>(AREAS.flatMap((area) => [`View ${area}`, `Manage ${area}`]));

/** Returns the name and permissions to store. Each permission appears once, and Manage includes View. */
function readRole({ roleName, ...given }: RoleInput, stored: readonly string[] = []) {
  const roleProperties = given.roleProperties ?? stored;
  if (roleName === null || roleName === undefined || roleName === '') {
    throw refuse('Please enter a role name', { roleName: 'Please enter a role name' });
  }
  const unknown = roleProperties.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw refuse(`The permission "${unknown}" does not exist`, { roleProperties: 'Unknown permission' });
  const held = new Set(roleProperties);
  for (const name of roleProperties) held.add(name.replace('Manage ', 'View '));
  return { roleName, roleProperties: [...known].filter((name) => held.has(name)) };
}

async function listRoles(ctx: Ctx, { query }: Input<typeof authCalls.listRoles>) {
  const [found, count] = await Promise.all([ctx.tx.rows(rows.listRoles(query)), ctx.tx.row(rows.countRoles(query))]);
  return pageOf(query, { rows: found, total: count?.total ?? 0 }, ({ sortKey: _, ...role }) => role);
}

async function getRole(ctx: Ctx, { params }: Input<typeof authCalls.getRole>) {
  const role = await ctx.tx.row(rows.findRole(params.id));
  if (role === undefined) throw notFound('Role');
  return role;
}

/** Stores a role. Throws 409 if another role has its name. */
async function stored<R>(write: Promise<R | undefined>): Promise<R> {
  const role = await write;
  if (role === undefined) throw notFound('Role');
  return role;
}

async function createRole(ctx: Ctx, { body }: Input<typeof authCalls.createRole>) {
  const wanted = { ...readRole(body), systemRole: false, rowVersion: 1 };
  const made = await stored(ctx.tx.row(roles.insert(wanted, ['id'])));
  return record(ctx, subject, { after: { ...wanted, ...made, userCount: 0 } });
}

async function changeable(ctx: Ctx, id: number): Promise<rows.CountedRole> {
  const [, [role]] = await ctx.tx.inOrder([roles.find({ id }, { lock: 'for update' }), rows.findRole(id)]);
  if (role === undefined) throw notFound('Role');
  if (role.systemRole) throw conflict("System roles can't be changed");
  return role;
}

async function updateRole(ctx: Ctx, { body }: { body: RoleInput }) {
  const before = await changeable(ctx, body.id ?? 0);
  const { roleName, roleProperties } = readRole(body, before.roleProperties);
  requireFresh(RoleRecord, before, body.rowVersion);
  const { id } = before;
  const changed = { roleName, roleProperties, rowVersion: before.rowVersion + 1 };
  const after = { ...before, ...changed };
  await stored(ctx.tx.row(roles.update({ id }, changed, ['id'])));
  // Updates the copies that sessions read, so that each member's next request has the new permissions.
  const copies = { roleName, permissions: roleProperties };
  const write = memberships.update({ companyId: ctx.tx.companyId, roleId: id }, copies);
  return record(ctx, subject, { before, after, write });
}

async function deleteRole(ctx: Ctx, { params }: Input<typeof authCalls.deleteRole>) {
  const before = await changeable(ctx, params.id);
  const { id } = before;
  const member = await ctx.tx.row(memberships.find({ companyId: ctx.tx.companyId, roleId: id }));
  if (member !== undefined)
    throw conflict("This role can't be deleted because users have it. Give those users another role first.");
  record(ctx, subject, { before, write: roles.delete({ id }) });
  return { ok: true as const };
}

/** Returns the role for an administrator or superuser, and one entry per permission for others. */
async function loginRoles({ tx, companyId, userId }: Ctx) {
  const membership = await tx.one(memberships.find({ companyId, userId }));
  const { roleId, roleName, systemRole, permissions } = membership;
  if (systemRole && (roleName === ADMINISTRATOR || roleName === SUPERUSER))
    return [{ id: roleId, roleName, systemRole }];
  return permissions.map((name) => ({ id: roleId, roleName: name, systemRole }));
}

export const roleRoutes = [
  route(authCalls.listRoles, listRoles),
  route(authCalls.getRole, getRole),
  route(authCalls.createRole, createRole, { save: updateRole }),
  route(authCalls.updateRole, updateRole),
  route(authCalls.deleteRole, deleteRole),
  route(authCalls.listAreas, async () => [...AREAS]),
  route(authCalls.loginRoles, loginRoles),
];
