import { bankingCalls, PaymentType } from '@evenkeel/contract/banking';
import { PropertyDefinition, settingsCalls } from '@evenkeel/contract/settings';
import {
  checkPropertyType,
  COMPANY,
  CUSTOMER,
  type EntityKind,
  entityLabel,
  propertyTypes,
  VENDOR,
} from '@evenkeel/core/entities';
import { Button } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod';
import { ask, askRow, useRead } from '../../client/api.ts';
import { useOpenRecord } from '../../records/openRecord.ts';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { wholeList } from '../../records/reads.ts';
import { records, type RecordsSpec, useOne, useRemove, useSave } from '../../records/records.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';

/** Short lists that a company keeps in its settings: payment types, and fields of its own of each kind of record. */

interface Kept {
  id: number;
  displayName: string;
  active: boolean;
  rowVersion: number;
  /** The type of a property. */
  dataType?: number;
}

const KeptForm = z.object({
  displayName: z.string(),
  dataType: z.number().nullable(),
  rowVersion: z.number().nullable(),
});
type KeptForm = z.output<typeof KeptForm>;
type KeptBody = { displayName: string; dataType?: number | null; active?: boolean; rowVersion: number | null };

interface KeptList {
  title: string;
  /** The label of one, e.g. `Payment Type`. */
  label: string;
  hint: string;
  /** Under which it is open in the address, and kept as a draft. */
  name: string;
  of: RecordsSpec<Kept, Kept, KeptBody>;
  reply: z.ZodType<Kept>;
  hasType: boolean;
}

const TYPES_FAILED = 'Error Loading PaymentTypes';
const FIELDS_FAILED = 'Error Loading Settings';

const idOf = ({ id }: { id: number }): number => id;

const PAYMENT_TYPES: KeptList = {
  title: 'Payment Types',
  label: 'Payment Type',
  hint: 'Add how customers pay: the types are offered where a payment is entered.',
  name: 'paymenttype',
  hasType: false,
  reply: PaymentType,
  of: records<Kept, Kept, KeptBody>({
    words: { one: 'payment type', many: 'payment types', loadAll: TYPES_FAILED, loadOne: TYPES_FAILED },
    idOf,
    list: (inactive) => ask(bankingCalls.listPaymentTypes, { query: inactive ? { inactive: 'true' } : {} }),
    get: (id) => askRow(ask(bankingCalls.listPaymentTypes, { query: { inactive: 'true' } }), id, idOf),
    create: (body) => ask(bankingCalls.createPaymentType, { body }),
    update: (id, body) => ask(bankingCalls.updatePaymentType, { params: { id }, body }),
    remove: (id) => ask(bankingCalls.deletePaymentType, { params: { id } }),
  }),
};

/** The company's own fields of customers, vendors or itself, as the Info tab of a record has them. */
function propertiesOf(kind: EntityKind): KeptList {
  const asked = (inactive: boolean) =>
    ask(settingsCalls.entityDetails, { params: { kind }, query: inactive ? { inactive: 'true' } : {} });
  const whose = kind === COMPANY ? 'the company' : `every ${entityLabel(kind).toLowerCase()}`;
  return {
    title: `${entityLabel(kind)} Info Fields`,
    label: 'Info Field',
    hint: `Add what you want to note of ${whose}: it stands on the Info tab.`,
    name: `property${kind}`,
    hasType: true,
    reply: PropertyDefinition,
    of: records<Kept, Kept, KeptBody>({
      words: { one: 'info field', many: 'info fields', loadAll: FIELDS_FAILED, loadOne: FIELDS_FAILED },
      idOf,
      list: asked,
      get: (id) => askRow<Kept>(asked(true), id, idOf),
      create: (body) => ask(settingsCalls.createProperty, { body: { ...body, kind } }),
      update: (id, body) => ask(settingsCalls.updateProperty, { params: { id }, body }),
      remove: (id) => ask(settingsCalls.deleteProperty, { params: { id } }),
    }),
  };
}

const LISTS = [PAYMENT_TYPES, propertiesOf(CUSTOMER), propertiesOf(VENDOR), propertiesOf(COMPANY)] as const;

/** The cards of all lists, drawn together: one that is read later would move those below it. */
export function KeptCards() {
  const [types, customer, vendor, company] = LISTS;
  const reads = [
    useRead(types.of.list(false, {})),
    useRead(customer.of.list(false, {})),
    useRead(vendor.of.list(false, {})),
    useRead(company.of.list(false, {})),
  ];
  // Once each was answered, well or not: a card tells its failure and reads again in its place.
  if (!reads.every((read) => read.isAnswered)) return null;
  return LISTS.map((list) => <KeptCard key={list.name} list={list} />);
}

const typeName = (dataType: number | undefined): string | undefined =>
  propertyTypes.find(({ id }) => id === dataType)?.displayName;

/** A card with the list: a name opens its form, Add a new one; those that were deactivated on demand. */
function KeptCard({ list }: { list: KeptList }) {
  const [isAll, setAll] = useState(false);
  const { value, error, retry } = useRead(list.of.list(isAll, {}), { keep: true, alert: list.of.words.loadAll });
  const edit = useOpenRecord(list.name);
  const rows = wholeList(value) ?? [];
  const add = (
    <Button variant="default" size="xs" onClick={() => edit.open(0)} aria-label={`Add ${list.title}`}>
      Add
    </Button>
  );
  return (
    <Card title={list.title} actions={add}>
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {value !== undefined && rows.length === 0 && <p className="ek-muted">{list.hint}</p>}
      <ul className="st-kept" hidden={rows.length === 0}>
        {rows.map((row) => (
          <li key={row.id}>
            <NameLink {...edit.link(row.id)}>{row.displayName}</NameLink>
            {row.active ? (
              <span className="ek-second">{typeName(row.dataType)}</span>
            ) : (
              <Status look="void">Inactive</Status>
            )}
          </li>
        ))}
      </ul>
      <CheckField label="Show inactive" value={isAll} onChange={setAll} />
      {edit.id !== undefined && <LoadedKept key={edit.id} list={list} id={edit.id} onClose={edit.close} />}
    </Card>
  );
}

function LoadedKept({ list, id, onClose }: { list: KeptList; id: number; onClose: () => void }) {
  return (
    <LoadedModal id={id} read={useOne(list.of, id)} title={list.label} onClose={onClose}>
      {(saved) => <KeptModal list={list} saved={saved} onClose={onClose} />}
    </LoadedModal>
  );
}

function KeptModal({ list, saved, onClose }: { list: KeptList; saved: Kept | undefined; onClose: () => void }) {
  const { of, label, name, reply, hasType } = list;
  const alerts = useAlerts();
  const save = useSave(of);
  const remove = useRemove(of);
  const id = saved?.id ?? 0;
  const isGone = saved?.active === false;
  const form = useRecordForm<Kept, KeptForm>({
    name,
    id,
    saved,
    formOf: (row) => ({
      displayName: row?.displayName ?? '',
      dataType: row?.dataType ?? propertyTypes[0].id,
      rowVersion: row?.rowVersion ?? null,
    }),
    schema: KeptForm,
    check: ({ displayName, dataType }) => ({
      ...(displayName.trim() === '' ? { displayName: 'Please enter a name' } : {}),
      ...(hasType ? checkPropertyType({ kind: 0, dataType }) : {}),
    }),
    reply,
    send: (typed, { place }) => save(id, typed, place),
    remove: (one) => remove(one),
    words: { saved: (row) => `${row.displayName} saved` },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: isGone,
  });
  const restore = async () => {
    const back = await form.attempt(() => save(id, { ...form.values, active: true }));
    if (back === undefined) return;
    alerts.success(`${back.displayName} restored`);
    onClose();
  };
  const question = saved === undefined ? undefined : `Delete ${saved.displayName}?`;
  return (
    <RecordModal
      form={form}
      title={saved?.displayName ?? `Add ${label}`}
      beside={isGone && <Status look="void">Inactive</Status>}
      footer={
        isGone
          ? { primary: { label: 'Restore', onClick: () => void restore(), busy: form.busy } }
          : recordFooter(form, question)
      }
      onClose={onClose}
    >
      <div className="ek-form">
        <TextField {...form.bind('displayName')} label="Name" span={hasType ? 8 : undefined} maxLength={60} autoFocus />
        {hasType && (
          <Picker
            {...form.bind('dataType')}
            label="Type"
            hint={saved === undefined ? undefined : 'Stays as it was made'}
            readOnly={saved !== undefined || form.isReadOnly}
            options={propertyTypes.map((type) => ({ id: type.id, label: type.displayName }))}
            span={4}
          />
        )}
      </div>
    </RecordModal>
  );
}
