import { sql } from 'kysely';
import { COMPANY } from '../db/query.ts';
import { type RowOf, table } from '../db/table.ts';
import { pageClauses, searchClause, type PageRequest, type SortColumn } from '../db/page.ts';

export const roles = table('role', {
  id: 'id',
  roleName: 'role_name',
  systemRole: 'system_role',
  roleProperties: 'permissions',
  rowVersion: 'row_version',
}).typed<{ roleProperties: string[] }>();

export type RoleRow = RowOf<typeof roles>;

/** System roles first, in the order in which they were made; then the company's own by name. */
const systemFirst: SortColumn = {
  expression: sql`(case when system_role then '0' || lpad(id::text, 19, '0') else '1' || lower(role_name) end)`,
  type: 'text',
};

export type ListRequest = PageRequest & { q?: string | undefined };

const filtered = ({ q }: ListRequest) => sql`
  role where company_id = ${COMPANY} ${searchClause(q, { texts: [sql`role_name`] })}`;

export function listRoles(request: ListRequest) {
  const sorts = { roleName: { expression: sql`lower(role_name)`, type: 'text' } satisfies SortColumn };
  const page = pageClauses(request, sorts, { id: sql`id`, initial: systemFirst });
  return sql<RoleRow & { sortKey: string }>`
    select ${roles.columns()}, ${page.key} from ${filtered(request)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export const countRoles = (request: ListRequest) => sql<{ total: number }>`
  select count(*)::int as total from ${filtered(request)}`;
