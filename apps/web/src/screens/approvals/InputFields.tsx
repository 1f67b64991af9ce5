import type { ApprovalForm, InputField } from '@evenkeel/contract/agents';
import { parseWireDate } from '@evenkeel/core/dates';
import { fromDollars, toDollars } from '@evenkeel/core/money';
import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { createElement, type ReactNode } from 'react';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import type { FieldProps } from '../../ui/fields/field.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { QuantityField } from '../../ui/fields/QuantityField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { pickerFor } from './IdFields.tsx';
import {
  fieldAt,
  isFields,
  isGiven,
  itemLabel,
  labelOf,
  type Path,
  placeOf,
  withoutItem,
  withValue,
} from './inputTree.ts';

interface Shown {
  form: RecordForm<ApprovalForm>;
  /** The path of the field that has the focus when the dialog opens. */
  first: string;
}

interface PartProps extends Shown {
  path: Path;
  value: unknown;
}

/** The values of an input: the fields first, and then the lists and groups below them. */
export function InputFields({ form }: Pick<Shown, 'form'>) {
  const { input } = form.values;
  // The parts of a request mean nothing to the user, so their fields are in one group.
  const parts = Object.entries(isFields(input) ? input : {});
  const single = parts.filter(([, value]) => isFields(value));
  const rows = single.flatMap(([part, value]) => entriesOf(form.values, value, [part]));
  const lists = parts.filter(([, value]) => Array.isArray(value)).map(([part, value]) => ({ path: [part], value }));
  const first = rows.find(({ path }) => canEdit(form.values, path))?.path.join('.') ?? '';
  return <Group form={form} first={first} entries={[...rows, ...lists]} />;
}

interface Entry {
  path: Path;
  value: unknown;
}

/** Returns whether a field can be changed. An ID is changed with a picker, because no one should type a number. */
function canEdit(form: ApprovalForm, path: Path): boolean {
  const kind = fieldAt(form, path)?.kind ?? 'fixed';
  return kind !== 'fixed' && (kind !== 'id' || pickerFor(nameIn(path)) !== undefined);
}

/** Returns the values that are shown, in the contract's order. A new record has no ID yet, only 0 or less. */
function entriesOf(form: ApprovalForm, value: unknown, path: Path): Entry[] {
  const entries = Object.entries(isFields(value) ? value : {}).map(([key, each]) => ({
    path: [...path, key],
    value: each,
  }));
  const isShown = (entry: Entry) =>
    isGiven(entry.value) && (canEdit(form, entry.path) || typeof entry.value !== 'number' || entry.value > 0);
  return entries.filter(isShown).toSorted((a, b) => placeOf(form, a.path) - placeOf(form, b.path));
}

function Group({ entries, ...shown }: Shown & { entries: readonly Entry[] }) {
  const fields = entries.filter(({ value }) => typeof value !== 'object');
  const nested = entries.filter(({ value }) => typeof value === 'object');
  return (
    <>
      {fields.length > 0 && (
        <div className="ek-form">
          {fields.map(({ path, value }) => (
            <ValueField key={path.join('.')} {...shown} path={path} value={value} />
          ))}
        </div>
      )}
      {nested.map(({ path, value }) =>
        Array.isArray(value) ? (
          <Items key={path.join('.')} {...shown} path={path} items={value} />
        ) : (
          <section key={path.join('.')} className="ek-stack" aria-label={labelOf(nameIn(path))}>
            <h3 className="ap-part">{labelOf(nameIn(path))}</h3>
            <Group {...shown} entries={entriesOf(shown.form.values, value, path)} />
          </section>
        ),
      )}
    </>
  );
}

const nameIn = (path: Path): string => path.findLast((key) => typeof key === 'string') ?? '';

interface ItemsProps extends Omit<PartProps, 'value'> {
  items: readonly unknown[];
}

/** The items of a list, which can be removed. */
function Items({ path, items, ...shown }: ItemsProps) {
  const { form } = shown;
  const { values, isReadOnly } = form;
  const remove = (at: Path) => form.patch({ input: withoutItem(values.input, at) });
  return items.map((item, at) => {
    const place = [...path, at];
    const label = `${itemLabel(nameIn(path))} ${at + 1}`;
    return (
      // After an item is removed, the other items get new fields, so that none shows text typed for another item.
      <section key={`${items.length}:${place.join('.')}`} className="ek-stack ap-item" aria-label={label}>
        <div className="ap-pair">
          <h3 className="ap-part">{label}</h3>
          {!isReadOnly && (
            <ActionIcon aria-label={`Remove ${label}`} onClick={() => remove(place)}>
              <IconTrash {...ICON_SMALL} />
            </ActionIcon>
          )}
        </div>
        <Group {...shown} entries={isFields(item) ? entriesOf(values, item, place) : [{ path: place, value: item }]} />
      </section>
    );
  });
}

/** The field for a value, by its type in the contract. */
function ValueField({ form, first, path, value }: PartProps): ReactNode {
  const field = fieldAt(form.values, path);
  const set = (next: unknown) => form.patch({ input: withValue(form.values.input, path, next) });
  const shared = {
    label: labelOf(nameIn(path)),
    error: form.errorOf(path.join('.')),
    readOnly: form.isReadOnly,
    autoFocus: path.join('.') === first,
    span: 4,
  } as const;
  if (field === undefined) return <FixedField {...shared} value={value} />;
  return <TypedField {...{ field, shared, set, value }} name={nameIn(path)} />;
}

interface TypedProps {
  field: InputField;
  name: string;
  shared: FieldProps;
  value: unknown;
  set: (value: unknown) => void;
}

/** Texts that are longer than a line in a field get several lines. */
const LINE = 60;

function TypedField({ field: { kind, places, maxLength, choices }, name, shared, value, set }: TypedProps): ReactNode {
  const text = typeof value === 'string' ? value : '';
  const number = typeof value === 'number' ? value : null;
  switch (kind) {
    case 'date':
      return <DateField {...shared} value={parseWireDate(text) ?? null} onChange={(date) => set(date ?? '')} />;
    case 'money': {
      const onChange = (amount: Parameters<typeof toDollars>[0] | null) =>
        set(amount === null ? '' : toDollars(amount));
      return <MoneyField {...shared} value={number === null ? null : fromDollars(number)} onChange={onChange} />;
    }
    case 'number':
      return <QuantityField {...shared} value={number} places={places} isSigned onChange={(next) => set(next ?? '')} />;
    case 'flag':
      return <CheckField {...shared} value={value === true} onChange={set} />;
    case 'choice': {
      const options = choices.map((id) => ({ id, label: typeof id === 'string' ? labelOf(id) : String(id) }));
      const chosen = typeof value === 'string' || typeof value === 'number' ? value : null;
      return <Picker {...shared} options={options} value={chosen} onChange={(next) => set(next ?? '')} />;
    }
    case 'text': {
      const isLong = text.length > LINE || text.includes('\n');
      const length = maxLength === null ? {} : { maxLength };
      return (
        <TextField
          {...shared}
          {...length}
          {...(isLong && { kind: 'lines', span: undefined })}
          value={text}
          onChange={set}
        />
      );
    }
    case 'id': {
      const picker = pickerFor(name);
      if (picker !== undefined) return createElement(picker, { shared, set, value: number });
      return <FixedField {...shared} value={value} />;
    }
    case 'fixed':
      return <FixedField {...shared} value={value} />;
  }
}

/** A value that can't be changed here. */
function FixedField({ value, ...shared }: FieldProps & { value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return <TextField {...shared} value={text} onChange={() => undefined} readOnly />;
}
