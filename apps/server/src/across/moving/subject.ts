import { MoveItem } from '@evenkeel/contract/moving';
import type { Subject } from '../../platform/db/audit.ts';
import type { MoveListRow } from './moving.sql.ts';

/** The name of a move in the audit log. */
export const subject: Subject<typeof MoveItem> = { name: 'movein', schema: MoveItem, idOf: ({ id }) => id };

/** Returns a move in the list format. */
export function moveItem(row: MoveListRow): MoveItem {
  const { createdBy, createdByName, createdAt, importedAt, undoneAt, ...rest } = row;
  return {
    ...rest,
    createdBy: { id: createdBy, name: createdByName },
    createdAt: createdAt.toISOString(),
    importedAt: importedAt?.toISOString() ?? null,
    undoneAt: undoneAt?.toISOString() ?? null,
  };
}
