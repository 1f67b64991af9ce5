import { entityName } from '@evenkeel/core/entities';
import { useReadNow } from '../../client/api.ts';
import { useWarning, type Warning } from '../../records/warnFirst.ts';
import type { EntityForm } from './entityForm.ts';
import { entityInput } from './entityInput.ts';
import { type AnyEntity, type EntityKind } from './kind.ts';

/** Returns the name that is shown in lists, composed the same way as on the server. */
const shownName = (form: EntityForm, kind: EntityKind): string =>
  form.displayname.trim() || entityName(entityInput(form, kind.kind)).trim();
const folded = (name: string): string => name.trim().toLowerCase();

/** Warns before a customer or vendor is saved with a new or changed display name that another record uses. */
export function useNamesake(kind: EntityKind, saved: AnyEntity | undefined): Warning<EntityForm> {
  const readNow = useReadNow();
  const { choose } = kind;
  const isOwn = (name: string) => saved !== undefined && folded(saved.displayname) === folded(name);
  return useWarning(
    (form) => {
      const name = shownName(form, kind);
      return choose === undefined || name === '' || isOwn(name) ? undefined : folded(name);
    },
    async (form) => {
      const name = shownName(form, kind);
      const { items = [] } = choose === undefined ? {} : await readNow(choose({ q: name }));
      const other = items.find(({ id, displayname }) => id !== saved?.id && folded(displayname) === folded(name));
      return other && `A ${kind.name} named ${other.displayname} already exists. Save again to keep both.`;
    },
  );
}
