import type { Permission } from '@evenkeel/contract/areas';
import { isAdministrator, useMay, useSession } from '../client/session.ts';
import { Status } from '../ui/show/Status.tsx';
import type { Column } from '../ui/table/columns.ts';

/** A record that is made inactive and never deleted. Some calls use the flag `active`, and others `deleted`. */
export type Kept = { active: boolean } | { deleted?: boolean | undefined };

export function isActive(record: Kept): boolean {
  return 'active' in record ? record.active : record.deleted !== true;
}

const activeWord = (record: Kept): string => (isActive(record) ? 'Active' : 'Inactive');

/** The badge for an inactive record. */
export const INACTIVE = <Status look="void">Inactive</Status>;

/** Returns the status column for a list that includes inactive records. */
export function activeColumn<Row extends Kept>(): Column<Row> {
  const render = (row: Row) => (isActive(row) ? <Status look="plain">Active</Status> : INACTIVE);
  return { id: 'active', header: 'Status', kind: 'status', value: activeWord, render };
}

/** The permission or role required to change records of a type. */
export type Manager = Permission | 'Administrator';

/** Returns whether the user can change records of a type. */
export function useManages(manager: Manager): boolean {
  const may = useMay();
  const administers = isAdministrator(useSession());
  return manager === 'Administrator' ? administers : may(manager);
}
