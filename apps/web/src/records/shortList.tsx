import type { ReactNode } from 'react';
import type { Kept } from './active.tsx';
import type { KeptList } from './KeptList.tsx';
import { KeptModal } from './KeptModal.tsx';
import type { RecordsSpec } from './records.ts';
import type { KeptKind } from './useKeptForm.ts';
import type { RecordForm } from './useRecordForm.ts';

/** The request body that makes a record of a short list active. */
export interface Restoring {
  active: true;
}

/** A short list: its page and its record dialog, built from one definition. */
export interface ShortList<Row extends Kept, Form extends object>
  extends
    Pick<KeptList<Row>, 'title' | 'manager' | 'columns' | 'hint'>,
    Omit<KeptKind<Row, Form, Form | Restoring>, 'of' | 'bodyOf' | 'restoring'> {
  of: RecordsSpec<Row, Row, Form | Restoring>;
  /** Returns the second line of a row on a phone. */
  detailOf?: (row: Row) => string | undefined;
  canSave?: (form: Form) => boolean;
  fields: (form: RecordForm<Form>, saved: Row | undefined) => ReactNode;
}

export function shortList<Row extends Kept, Form extends object>(list: ShortList<Row, Form>): KeptList<Row> {
  const { label, nameOf, detailOf, fields, canSave = () => true } = list;
  const kind = { ...list, bodyOf: (form: Form) => form, restoring: { active: true } as const };
  return {
    ...list,
    add: `Add ${label}`,
    phoneRow: (row) => ({ title: nameOf(row), detail: detailOf?.(row) }),
    Modal: (props) => <KeptModal<Row, Form, Form | Restoring> {...props} {...{ kind, canSave, fields }} />,
  };
}
