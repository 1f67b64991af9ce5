import { sql } from 'kysely';
import { table } from '../db/table.ts';
import { containsPattern, pageClauses, type PageRequest, type SortColumn } from '../db/page.ts';

export const roles = table('role', {
  id: 'id',
  roleName: 'role_name',
  systemRole: 'system_role',
  roleProperties: 'permissions',
  rowVersion: 'row_version',
});

export interface RoleRow {
  id: number;
  roleName: string;
  systemRole: boolean;
  roleProperties: string[];
  rowVersion: number;
}

const columns = sql`
  id, role_name as "roleName", system_role as "systemRole", permissions as "roleProperties",
  row_version as "rowVersion"`;

/** System roles first, in the order in which they were made; then the company's own by name. */
const systemFirst: SortColumn = {
  expression: sql`(case when system_role then '0' || lpad(id::text, 19, '0') else '1' || lower(role_name) end)`,
  type: 'text',
};

export type ListRequest = PageRequest & { q?: string | undefined };

const filtered = (companyId: number, { q = '' }: ListRequest) => sql`
  role where company_id = ${companyId} and role_name ilike ${containsPattern(q)}`;

export function listRoles(companyId: number, request: ListRequest) {
  const sorts = { roleName: { expression: sql`lower(role_name)`, type: 'text' } satisfies SortColumn };
  const page = pageClauses(request, sorts, { id: sql`id`, initial: systemFirst });
  return sql<RoleRow & { sortKey: string }>`
    select ${columns}, ${page.key} from ${filtered(companyId, request)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export const countRoles = (companyId: number, request: ListRequest) => sql<{ total: number }>`
  select count(*)::int as total from ${filtered(companyId, request)}`;

export const findRole = (companyId: number, id: number) => sql<RoleRow>`
  select ${columns} from role where company_id = ${companyId} and id = ${id}`;

export const lockRole = (companyId: number, id: number) => sql<RoleRow>`
  select ${columns} from role where company_id = ${companyId} and id = ${id} for update`;

export const insertRole = (companyId: number, role: { roleName: string; roleProperties: string[] }) => sql<RoleRow>`
  insert into role (company_id, role_name, permissions)
  values (${companyId}, ${role.roleName}, ${role.roleProperties}) returning ${columns}`;

export const updateRole = (companyId: number, role: { id: number; roleName: string; roleProperties: string[] }) =>
  sql<RoleRow>`
  update role set role_name = ${role.roleName}, permissions = ${role.roleProperties}, row_version = row_version + 1
  where company_id = ${companyId} and id = ${role.id} returning ${columns}`;

/** The copies that sessions read: the next call of each member has the new rights. */
export const updateMembers = (companyId: number, role: { id: number; roleName: string; roleProperties: string[] }) =>
  sql`
  update membership set role_name = ${role.roleName}, permissions = ${role.roleProperties}
  where company_id = ${companyId} and role_id = ${role.id}`;

export const countMembers = (companyId: number, id: number) => sql<{ count: number }>`
  select count(*)::int as count from membership where company_id = ${companyId} and role_id = ${id}`;

export const deleteRole = (companyId: number, id: number) => sql`
  delete from role where company_id = ${companyId} and id = ${id}`;
