import type { Permission } from '@evenkeel/contract/areas';
import { holds } from '../../platform/http/session.ts';
import type { Actor } from '../../platform/http/context.ts';
import type { FoundFile } from './attachments.sql.ts';
import { ownerAreas } from './owners.ts';

/** The permissions of which one lets a person see a file: those of the records that it hangs on. */
export function permissionsOf({ kinds }: Pick<FoundFile, 'kinds'>): Permission[] {
  return kinds.flatMap((kind): Permission[] => {
    const area = ownerAreas[kind];
    return area === 'everyone' ? [] : [`View ${area}`];
  });
}

/** A file on records is theirs; one that no record has named yet is its uploader's alone. */
export function mayRead(actor: Actor, file: Pick<FoundFile, 'kinds' | 'uploadedBy'>): boolean {
  if (file.kinds.length === 0) return file.uploadedBy === actor.userId;
  if (file.kinds.some((kind) => ownerAreas[kind] === 'everyone')) return true;
  return permissionsOf(file).some((permission) => holds(actor, permission));
}
