import type { Permission } from '@evenkeel/contract/areas';
import { holds } from '../../platform/http/session.ts';
import type { Actor } from '../../platform/http/context.ts';
import type { FoundFile } from './attachments.sql.ts';
import { ownerAreas } from './owners.ts';

/**
 * Returns the permissions that let a user open a file, any one of which is enough. They depend on the records that the
 * file is attached to.
 */
export function permissionsOf({ kinds }: Pick<FoundFile, 'kinds'>): Permission[] {
  return kinds.flatMap((kind): Permission[] => {
    const area = ownerAreas[kind];
    return area === 'everyone' ? [] : [`View ${area}`];
  });
}

/**
 * Returns whether a user may read a file, which depends on the permissions required for the file's records. Only the
 * uploader may read a file that isn't attached to a record yet.
 */
export function mayRead(actor: Actor, file: Pick<FoundFile, 'kinds' | 'uploadedBy'>): boolean {
  if (file.kinds.length === 0) return file.uploadedBy === actor.userId;
  if (file.kinds.some((kind) => ownerAreas[kind] === 'everyone')) return true;
  return permissionsOf(file).some((permission) => holds(actor, permission));
}
