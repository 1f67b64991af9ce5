import { type Area, AREAS } from '@evenkeel/contract/areas';
import type { FieldMessages } from '@evenkeel/core/failure';
import * as z from 'zod';
import type { Role, RoleInput } from './users.ts';

/** The data of the Role form: an access level for each area, its validation, and its request. */

export const LEVELS = ['No Access', 'View', 'Manage'] as const;
export type Level = (typeof LEVELS)[number];

/** The levels by area. A missing area has no access. */
export const Levels = z.record(z.string(), z.enum(LEVELS));
export type Levels = z.output<typeof Levels>;

export const RoleForm = z.object({
  roleName: z.string(),
  levels: Levels,
  rowVersion: z.number().nullable(),
});
export type RoleForm = z.output<typeof RoleForm>;

/** Returns the access level that permissions grant for an area. */
function levelOf(permissions: ReadonlySet<string>, area: Area): Level {
  if (permissions.has(`Manage ${area}`)) return 'Manage';
  return permissions.has(`View ${area}`) ? 'View' : 'No Access';
}

/** The levels of system roles, which have all permissions without listing them. */
const ALL = new Set(AREAS.flatMap((area) => [`View ${area}`, `Manage ${area}`]));
const HAVE_ALL: readonly string[] = ['Administrator', 'Superuser'];

/** Returns the levels that a role grants. */
export function levelsOf(role: Role | undefined): Levels {
  const hasAll = role?.systemRole === true && HAVE_ALL.includes(role.roleName);
  const permissions = hasAll ? ALL : new Set(role?.roleProperties ?? []);
  return Object.fromEntries(AREAS.map((area) => [area, levelOf(permissions, area)]));
}

export function roleFormOf(role: Role | undefined): RoleForm {
  return { roleName: role?.roleName ?? '', levels: levelsOf(role), rowVersion: role?.rowVersion ?? null };
}

export function roleFaults({ roleName }: RoleForm): FieldMessages {
  return roleName.trim() === '' ? { roleName: 'Please enter a role name' } : {};
}

/**
 * Returns the permissions that access levels grant. Manage includes both permissions for an area. View includes only
 * its own.
 */
export function permissionsOf(levels: Levels): string[] {
  return AREAS.flatMap((area) => {
    const level = levels[area] ?? 'No Access';
    const view = level === 'No Access' ? [] : [`View ${area}`];
    return level === 'Manage' ? [...view, `Manage ${area}`] : view;
  });
}

export function roleInput({ roleName, levels, rowVersion }: RoleForm): RoleInput {
  return { roleName, roleProperties: permissionsOf(levels), rowVersion };
}
