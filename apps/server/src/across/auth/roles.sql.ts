import { sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { pageClauses, searchClause, type PageRequest, type SortColumn } from '../../platform/db/page.ts';

export const roles = table('role', {
  id: 'id',
  roleName: 'role_name',
  systemRole: 'system_role',
  roleProperties: 'permissions',
  rowVersion: 'row_version',
}).typed<{ roleProperties: string[] }>();

/** The role's columns, with the number of users who have the role. `r` is the role. */
const withUsers = sql`${roles.columns('r')}, (
  select count(*)::int from (select role_id from membership where company_id = ${COMPANY} offset 0) m
  where m.role_id = r.id) as "userCount"`;

export type RoleRow = RowOf<typeof roles>;
export type CountedRole = RoleRow & { userCount: number };

export const findRole = (id: number) => sql<CountedRole>`
  select ${withUsers} from role r where r.company_id = ${COMPANY} and r.id = ${id}`;

/** System roles come first in order of creation, followed by the company's own roles by name. */
const systemFirst: SortColumn = {
  expression: sql`(case when system_role then '0' || lpad(id::text, 19, '0') else '1' || lower(role_name) end)`,
  type: 'text',
};

export type ListRequest = PageRequest & { q?: string | undefined };

const filtered = ({ q }: ListRequest) => sql`
  role r where r.company_id = ${COMPANY} ${searchClause(q, { texts: [sql`role_name`] })}`;

export function listRoles(request: ListRequest) {
  const sorts = { roleName: { expression: sql`lower(role_name)`, type: 'text' } satisfies SortColumn };
  const page = pageClauses(request, sorts, { id: sql`id`, initial: systemFirst });
  return sql<CountedRole & { sortKey: string }>`
    select ${withUsers}, ${page.key} from ${filtered(request)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export const countRoles = (request: ListRequest) => sql<{ total: number }>`
  select count(*)::int as total from ${filtered(request)}`;
