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
import { ask, useRead } from '../../client/api.ts';
import { INACTIVE, isActive, type Kept } from '../../records/active.tsx';
import { blankOf, needsName, sameFields } from '../../records/formFields.ts';
import type { KeptList } from '../../records/KeptList.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { inactiveQuery, wholeList } from '../../records/reads.ts';
import { listedRecords } from '../../records/records.ts';
import { type Restoring, shortList } from '../../records/shortList.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Section } from './Section.tsx';

/** The short lists in a company's settings: payment types, and the custom fields for each record type. */

const manager = 'Administrator';
const NAME = { id: 'displayName', header: 'Name', value: (row: { displayName: string }) => row.displayName };
const nameOf = (row: { displayName: string }): string => row.displayName;
const idOf = (row: { id: number }): number => row.id;

const TYPES_FAILED = 'Error Loading PaymentTypes';
const FIELDS_FAILED = 'Error Loading Settings';

const TypeForm = z.object({ displayName: z.string(), rowVersion: z.number().nullable() });
type TypeForm = z.output<typeof TypeForm>;

const PAYMENT_TYPES = shortList<PaymentType, TypeForm>({
  title: 'Payment Types',
  label: 'Payment Type',
  hint: 'Add the ways that customers pay you. You choose one of these types when you enter a payment.',
  draft: 'paymenttype',
  manager,
  of: listedRecords<PaymentType, TypeForm | Restoring>({
    words: { one: 'payment type', many: 'payment types', loadAll: TYPES_FAILED, loadOne: TYPES_FAILED },
    idOf,
    list: (inactive) => ask(bankingCalls.listPaymentTypes, { query: inactiveQuery(inactive) }),
    create: (body) => ask(bankingCalls.createPaymentType, { body }),
    update: (id, body) => ask(bankingCalls.updatePaymentType, { params: { id }, body }),
    remove: (id) => ask(bankingCalls.deletePaymentType, { params: { id } }),
  }),
  columns: [NAME],
  nameOf,
  reply: PaymentType,
  schema: TypeForm,
  formOf: sameFields(TypeForm),
  check: needsName('displayName'),
  fields: ({ bind }) => <TextField {...bind('displayName')} label="Name" maxLength={60} autoFocus />,
});

const PropertyForm = TypeForm.extend({ dataType: z.number().nullable() });
type PropertyForm = z.output<typeof PropertyForm>;

const typeName = (dataType: number): string | undefined => propertyTypes.find(({ id }) => id === dataType)?.displayName;

/** Returns the list of custom fields for customers, vendors, or the company, as shown on a record's Info tab. */
function propertiesOf(kind: EntityKind): KeptList<PropertyDefinition> {
  const whose = kind === COMPANY ? 'the company' : `every ${entityLabel(kind).toLowerCase()}`;
  const blank = blankOf(PropertyForm, { dataType: propertyTypes[0].id });
  return shortList<PropertyDefinition, PropertyForm>({
    title: `${entityLabel(kind)} Info Fields`,
    label: 'Info Field',
    hint: `Add fields for details about ${whose}. They appear on the Info tab.`,
    draft: `property${kind}`,
    manager,
    of: listedRecords<PropertyDefinition, PropertyForm | Restoring>({
      words: { one: 'custom field', many: 'custom fields', loadAll: FIELDS_FAILED, loadOne: FIELDS_FAILED },
      idOf,
      list: (inactive) => ask(settingsCalls.entityDetails, { params: { kind }, query: inactiveQuery(inactive) }),
      create: (body) => ask(settingsCalls.createProperty, { body: { ...body, kind } }),
      update: (id, body) => ask(settingsCalls.updateProperty, { params: { id }, body }),
      remove: (id) => ask(settingsCalls.deleteProperty, { params: { id } }),
    }),
    columns: [NAME],
    nameOf,
    detailOf: (row) => typeName(row.dataType),
    reply: PropertyDefinition,
    schema: PropertyForm,
    formOf: (row) => (row === undefined ? blank : sameFields(PropertyForm)(row)),
    check: (form) => ({ ...needsName('displayName')(form), ...checkPropertyType({ kind, dataType: form.dataType }) }),
    fields: ({ bind, isReadOnly }, saved) => (
      <>
        <TextField {...bind('displayName')} label="Name" span={8} maxLength={60} autoFocus />
        <Picker
          {...bind('dataType')}
          label="Type"
          hint={saved === undefined ? undefined : "Can't be changed"}
          readOnly={saved !== undefined || isReadOnly}
          options={propertyTypes.map((type) => ({ id: type.id, label: type.displayName }))}
          span={4}
        />
      </>
    ),
  });
}

const PROPERTIES = [propertiesOf(CUSTOMER), propertiesOf(VENDOR), propertiesOf(COMPANY)] as const;

/** The cards for all lists. They appear together, because a card that appears later would move the cards below it. */
export function KeptCards() {
  const [customer, vendor, company] = PROPERTIES;
  const reads = [
    useRead(PAYMENT_TYPES.of.list(false, {})),
    useRead(customer.of.list(false, {})),
    useRead(vendor.of.list(false, {})),
    useRead(company.of.list(false, {})),
  ];
  // Waits until each list has loaded or failed. Each card shows its own error and can retry.
  if (!reads.every((read) => read.isAnswered)) return null;
  return (
    <>
      <KeptCard address="paymenttype" list={PAYMENT_TYPES} />
      {PROPERTIES.map((list, kind) => (
        <KeptCard key={list.title} address={`property${kind}`} list={list} />
      ))}
    </>
  );
}

/**
 * A card with a list. Selecting a name opens its form, Add opens a form for a new record, and Show inactive adds the
 * inactive records.
 */
function KeptCard<Row extends Kept>({ address, list }: { address: string; list: KeptList<Row> }) {
  const { of, title, Modal } = list;
  const [isAll, setAll] = useState(false);
  const { value, error, retry } = useRead(of.list(isAll, {}), { keep: true, alert: of.words.loadAll });
  const open = useOpenRecord(address);
  const rows = wholeList(value) ?? [];
  const add = (
    <Button variant="default" size="xs" onClick={() => open.open(0)} aria-label={`Add ${title}`}>
      Add
    </Button>
  );
  return (
    <Section title={title} actions={add}>
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {value !== undefined && rows.length === 0 && <p className="ek-muted">{list.hint}</p>}
      <ul className="st-kept" hidden={rows.length === 0}>
        {rows.map((row) => (
          <li key={of.idOf(row)}>
            <NameLink {...open.link(of.idOf(row))}>{list.phoneRow(row).title}</NameLink>
            {isActive(row) ? <span className="ek-second">{list.phoneRow(row).detail}</span> : INACTIVE}
          </li>
        ))}
      </ul>
      <CheckField label="Show inactive" value={isAll} onChange={setAll} />
      {open.id !== undefined && <Modal key={open.id} id={open.id} onClose={open.close} />}
    </Section>
  );
}
