import { createContext, useContext, useId, useLayoutEffect, useRef, useState } from 'react';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { FooterBar } from '../../ui/overlay/FooterBar.tsx';
import { counted } from '../../ui/show/words.ts';

type Saved = Pick<RecordForm<never>, 'busy' | 'save' | 'reset'>;

/** A form in one category of the settings. */
export interface EditedForm extends Saved {
  /** The names of the changed settings. */
  changes: readonly string[];
}

type Register = (id: string, form: EditedForm | undefined) => void;

/** Adds a form to the save bar of its category, or replaces or removes the form. */
export const SaveBarForms = createContext<Register>(() => undefined);

/** Returns a category's forms that have changes, and the value for `SaveBarForms`. */
export function useEditedForms(): { edited: readonly EditedForm[]; register: Register } {
  const [forms, setForms] = useState<Readonly<Record<string, EditedForm>>>({});
  const [register] = useState<Register>(() => (id: string, form: EditedForm | undefined) => {
    setForms((before) => {
      if (form !== undefined) return { ...before, [id]: form };
      const { [id]: _, ...others } = before;
      return others;
    });
  });
  return { edited: Object.values(forms).filter(({ changes }) => changes.length > 0), register };
}

/** Lists a form's changes in the save bar, which saves or discards the changes in all forms of the same category. */
export function useSaveBar(form: Saved, changes: readonly string[]): void {
  const register = useContext(SaveBarForms);
  const id = useId();
  const latest = useRef(form);
  useLayoutEffect(() => {
    latest.current = form;
  });
  const { busy } = form;
  const names = changes.join('\n');
  useLayoutEffect(() => {
    register(id, {
      changes: names === '' ? [] : names.split('\n'),
      busy,
      save: () => latest.current.save(),
      reset: () => latest.current.reset(),
    });
  }, [register, id, names, busy]);
  useLayoutEffect(() => () => register(id, undefined), [register, id]);
}

const CHANGES = { one: 'change', many: 'changes' };

/** The bar below the settings, which lists what Save changes. It is hidden if nothing has changed. */
export function SaveBar({ edited }: { edited: readonly EditedForm[] }) {
  if (edited.length === 0) return null;
  const changes = edited.flatMap((form) => form.changes);
  const busy = edited.some((form) => form.busy);
  const words = `${counted(changes.length, CHANGES)}: ${changes.join(', ')}`;
  const each = (act: 'save' | 'reset') => () => {
    for (const form of edited) form[act]();
  };
  return (
    <div className="st-save" role="region" aria-label="Unsaved Changes">
      <FooterBar
        total={
          <span role="status" className="ek-muted ek-small ek-ellipsis" title={words}>
            {words}
          </span>
        }
        actions={[{ label: 'Cancel Changes', quiet: true, disabled: busy, onClick: each('reset') }]}
        primary={{ label: 'Save', busy, onClick: each('save') }}
      />
    </div>
  );
}
