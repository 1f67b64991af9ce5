import type { ReactNode } from 'react';
import type { AppModalProps } from '../ui/overlay/AppModal.tsx';
import type { Kept } from './active.tsx';
import { LoadedModal, RecordModal, type RecordModalProps } from './RecordModal.tsx';
import { useOne } from './records.ts';
import { type KeptKind, type KeptModalProps, useKeptForm } from './useKeptForm.ts';
import type { RecordForm } from './useRecordForm.ts';

interface Shown<One extends Kept, Form extends object, Body> extends KeptModalProps, Pick<AppModalProps, 'size'> {
  kind: KeptKind<One, Form, Body>;
  /** Content next to the title while the form can be edited, for example a walkthrough. */
  tools?: ReactNode;
  /** Returns whether the form can be saved, for example because it has a name. */
  canSave?: (form: Form) => boolean;
  fields: (form: RecordForm<Form>, saved: One | undefined) => ReactNode;
}

/**
 * The dialog for a record. After the record loads, the user can edit, save, or delete it, or make it active again if it
 * is inactive.
 */
export function KeptModal<One extends Kept, Form extends object, Body>(props: Shown<One, Form, Body>) {
  const { kind, id, onClose } = props;
  return (
    <LoadedModal id={id} read={useOne(kind.of, id)} title={kind.label} onClose={onClose}>
      {(saved) => <Loaded {...props} saved={saved} />}
    </LoadedModal>
  );
}

function Loaded<One extends Kept, Form extends object, Body>(
  props: Shown<One, Form, Body> & { saved: One | undefined },
) {
  const { kind, saved, size, tools, canSave, fields } = props;
  const { form, modal } = useKeptForm(kind, props);
  const optional: Partial<RecordModalProps<Form>> = { ...(size && { size }) };
  return (
    <RecordModal
      {...modal}
      {...optional}
      tools={form.isReadOnly ? undefined : tools}
      canSave={canSave?.(form.values) ?? true}
    >
      <div className="ek-form">{fields(form, saved)}</div>
    </RecordModal>
  );
}
