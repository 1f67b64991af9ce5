import { partyTexts } from '@evenkeel/contract/party';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import type { Fact } from '../../ui/show/Facts.tsx';
import type { EntityForm } from './entityForm.ts';
import type { AnyEntity } from './kind.ts';

type TextName = keyof { [Name in keyof EntityForm as EntityForm[Name] extends string ? Name : never]: Name };

interface PlainField {
  name: TextName & keyof AnyEntity;
  tab: 'details' | 'account';
  label: string;
  hint?: string;
  maxLength: number;
  /** Whether the text has several lines and takes the full width. */
  hasLines?: true;
}

/**
 * The simple text fields of an entity. Each entry defines the field in the form, in the read-only view, and on the tab
 * for its messages. To add a field, add it here and to `partyTexts` in the contract.
 */
const PLAIN_FIELDS: readonly PlainField[] = [
  { name: 'dba', tab: 'details', label: 'DBA', hint: 'Doing business as', maxLength: partyTexts.dba },
  { name: 'accountNumber', tab: 'account', label: 'Account Number', maxLength: 50 },
  {
    name: 'notes',
    tab: 'account',
    label: 'Notes',
    hint: 'Visible only to users',
    maxLength: partyTexts.notes,
    hasLines: true,
  },
];

export function plainFieldsOf(tab: PlainField['tab']): readonly PlainField[] {
  return PLAIN_FIELDS.filter((field) => field.tab === tab);
}

/** The simple text fields on a tab. */
export function PlainFields({ tab, form: { bind } }: { tab: PlainField['tab']; form: RecordForm<EntityForm> }) {
  return plainFieldsOf(tab).map(({ name, label, hint, maxLength, hasLines }) => (
    <TextField
      key={name}
      {...bind(name)}
      {...{ label, hint, maxLength }}
      {...(hasLines === true ? { kind: 'lines' } : { span: 6 })}
    />
  ));
}

/** Returns the labels and nonempty values on a tab. */
export function plainFacts(tab: PlainField['tab'], entity: AnyEntity): Fact[] {
  const facts = plainFieldsOf(tab).map(({ name, label }) => ({ label, value: entity[name] ?? '' }));
  return facts.filter(({ value }) => value !== '');
}
