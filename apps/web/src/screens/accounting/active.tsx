import { Status } from '../../ui/show/Status.tsx';
import type { Column } from '../../ui/table/columns.ts';

/** Marks a record that is deactivated, never lost. */
interface Kept {
  active: boolean;
}

export const activeWord = ({ active }: Kept): string => (active ? 'Active' : 'Inactive');

export function ActiveBadge({ active }: Kept) {
  return <Status look={active ? 'plain' : 'void'}>{activeWord({ active })}</Status>;
}

/** The column of a list that shows inactive records too. */
export function activeColumn<Row extends Kept>(): Column<Row> {
  const render = ({ active }: Row) => <ActiveBadge active={active} />;
  return { id: 'active', header: 'Status', kind: 'status', value: activeWord, render };
}
