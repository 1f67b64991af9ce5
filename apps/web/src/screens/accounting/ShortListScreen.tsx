import type { FieldMessages } from '@evenkeel/core/failure';
import type { ReactNode } from 'react';
import type * as z from 'zod';
import { ListScreen } from '../../records/ListScreen.tsx';
import { useAddressChoice, useOpenRecord } from '../../records/openRecord.ts';
import { useCloseSubPage } from '../../records/place.ts';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { type RecordsSpec, useList, useOne, useRemove, useSave } from '../../records/records.ts';
import { asForm, type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { useMay } from '../../client/session.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { ActiveBadge, activeColumn, activeWord } from './active.tsx';

/** Fields of a row in the short lists of accounting. */
interface Kept {
  active: boolean;
  rowVersion: number;
}
/** The form of a row; the version is null for a new one. */
interface KeptForm {
  rowVersion: number | null;
}

export interface ShortList<Row extends Kept, Form extends KeptForm> {
  title: string;
  /** The label of one, e.g. `Profit Center`. */
  label: string;
  of: RecordsSpec<Row, Row, Form & { active?: boolean }>;
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  /** A second line on a phone. */
  detailOf?: (row: Row) => string;
  hint: string;
  /** The record over the wire. */
  reply: z.ZodType<Row>;
  schema: z.ZodType<Form>;
  blank: Form;
  check: (form: Form) => FieldMessages;
  fields: (form: RecordForm<Form>) => ReactNode;
}

/** A sub-page of accounting: a short list whose rows open their form; its close button goes back. */
export function ShortListScreen<Row extends Kept, Form extends KeptForm>({ list }: { list: ShortList<Row, Form> }) {
  const { of, columns, nameOf, detailOf, label } = list;
  const manages = useMay()('Manage Accounting');
  const close = useCloseSubPage('/accounting');
  const [show, setShow] = useAddressChoice('show', ['active', 'all']);
  const edit = useOpenRecord('edit');
  const isAll = show === 'all';
  return (
    <ListScreen<Row>
      title={list.title}
      read={useList(of, isAll)}
      words={of.words}
      columns={isAll ? [...columns, activeColumn()] : columns}
      rowId={(row) => String(of.idOf(row))}
      sort={columns[0]?.id ?? ''}
      search={`Search ${list.title}...`}
      hint={list.hint}
      add={manages ? { label: `Add ${label}`, onClick: () => edit.open(0) } : undefined}
      inactive={{ isShown: isAll, onChange: (all) => setShow(all ? 'all' : 'active') }}
      onOpen={(row) => edit.open(of.idOf(row))}
      onClose={close}
      phoneRow={(row) => ({ title: nameOf(row), detail: row.active ? detailOf?.(row) : activeWord(row) })}
    >
      {edit.id !== undefined && <Loading key={edit.id} list={list} id={edit.id} onClose={edit.close} />}
    </ListScreen>
  );
}

interface ModalProps<Row extends Kept, Form extends KeptForm> {
  list: ShortList<Row, Form>;
  id: number;
  onClose: () => void;
}

function Loading<Row extends Kept, Form extends KeptForm>(props: ModalProps<Row, Form>) {
  const { list, id, onClose } = props;
  return (
    <LoadedModal id={id} read={useOne(list.of, id)} title={list.label} onClose={onClose}>
      {(row) => <ShortListModal {...props} saved={row} />}
    </LoadedModal>
  );
}

/** Add or edit one; Delete deactivates what is used, Restore brings it back. */
function ShortListModal<Row extends Kept, Form extends KeptForm>(
  props: ModalProps<Row, Form> & { saved: Row | undefined },
) {
  const { list, id, saved, onClose } = props;
  const { of, nameOf, label, schema, blank, check, reply } = list;
  const manages = useMay()('Manage Accounting');
  const alerts = useAlerts();
  const save = useSave(of);
  const remove = useRemove(of);
  const form = useRecordForm<Row, Form>({
    name: of.words.one,
    id,
    saved,
    formOf: (row) => (row === undefined ? blank : asForm(schema, row)),
    schema,
    check,
    reply,
    send: (typed, { place }) => save(id, typed, place),
    remove: (one) => remove(one),
    words: { saved: (row) => `${nameOf(row)} saved`, create: of.words.create, update: of.words.update },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: !manages || saved?.active === false,
  });
  const restore = async () => {
    const back = await form.attempt(() => save(id, { ...form.values, active: true }), of.words.update);
    if (back !== undefined) alerts.success(`${nameOf(back)} restored`);
  };
  const restoring = { primary: { label: 'Restore', onClick: () => void restore(), busy: form.busy } };
  const question = saved === undefined ? undefined : `Delete ${nameOf(saved)}?`;
  return (
    <RecordModal
      form={form}
      title={saved === undefined ? `Add ${label}` : nameOf(saved)}
      beside={saved?.active === false && <ActiveBadge {...saved} />}
      footer={!manages ? null : saved?.active === false ? restoring : recordFooter(form, question)}
      onClose={onClose}
    >
      <div className="ek-form">{list.fields(form)}</div>
    </RecordModal>
  );
}
