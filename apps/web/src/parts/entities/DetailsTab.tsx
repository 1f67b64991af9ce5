import { COMPANY } from '@evenkeel/core/entities';
import { useState } from 'react';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { binderOf } from '../../records/useRecordForm.ts';
import { Choice } from '../../ui/show/Choice.tsx';
import { type ContactForm, type EntityTabProps, personOf, withItem, withKind } from './entityForm.ts';
import { labelOf } from './kind.ts';
import { LogoField } from './LogoField.tsx';
import { PhoneList } from './PhoneList.tsx';
import { PlainFields } from './plainFields.tsx';

const KINDS = [
  { value: 'business', label: 'Business' },
  { value: 'individual', label: 'Individual' },
] as const;

const contactId = (contact: ContactForm): number => contact.id;

/**
 * The identity of a record: a business's name, or an individual's first and last name, with email address and phone
 * numbers.
 */
export function DetailsTab({ kind: of, form, files }: EntityTabProps) {
  const { bind, values, onChange, patch, fields } = form;
  // The focus stays on the radio button while the user selects with the arrow keys.
  const [hasChosen, setHasChosen] = useState(false);
  const choose = (kind: 'business' | 'individual') => {
    setHasChosen(true);
    onChange(withKind(values, kind === 'individual'));
  };
  const kind = values.isIndividual ? 'individual' : 'business';
  const hint = 'Shown in lists. Leave empty to use the name.';
  return (
    <>
      <div className="ek-form">
        <Choice label="Business or Individual" options={KINDS} value={kind} onChange={choose} />
        {values.isIndividual ? (
          <PersonFields form={form} autoFocus={!hasChosen} />
        ) : (
          <TextField {...bind('name')} label={`${labelOf(of)} Name`} span={6} maxLength={200} autoFocus={!hasChosen} />
        )}
        <TextField {...bind('displayname')} label="Display Name" hint={hint} span={6} maxLength={200} />
        <OtherContacts form={form} />
        <TextField {...bind('emailAddress')} label="Email" kind="email" span={6} maxLength={254} />
        <PlainFields tab="details" form={form} />
        <TextField
          {...bind('emails')}
          label="Other Emails"
          hint="One per line"
          kind="lines"
          value={values.emails.join('\n')}
          onChange={(lines) => patch({ emails: lines === '' ? [] : lines.split('\n') })}
          span={6}
        />
        {of.kind === COMPANY && <ZoneField form={form} />}
        {of.kind === COMPANY && <LogoField form={form} files={files} />}
      </div>
      <PhoneList phones={values.phones} onChange={(phones) => patch({ phones })} fields={fields} />
    </>
  );
}

type FormProps = Pick<EntityTabProps, 'form'>;

function PersonFields({ form, autoFocus }: FormProps & { autoFocus: boolean }) {
  const { values, patch, fields, isReadOnly } = form;
  const onChange = (person: ContactForm) => patch({ contacts: withItem(values.contacts, person, contactId) });
  const errorOf = (part: string) => fields[`person.${part}`] ?? (part === 'firstName' ? fields['name'] : undefined);
  const bind = binderOf({ values: personOf(values), onChange, errorOf, isReadOnly });
  return (
    <>
      <TextField {...bind('firstName')} label="First Name" span={6} maxLength={100} autoFocus={autoFocus} />
      <TextField {...bind('lastName')} label="Last Name" span={6} maxLength={100} />
    </>
  );
}

/** Lists the contacts that the next save would remove from an individual. */
function OtherContacts({ form: { values } }: FormProps) {
  const person = personOf(values);
  const others = values.contacts.filter((contact) => !contact.deleted && contact.id !== person.id);
  if (!values.isIndividual || others.length === 0) return null;
  return (
    <p className="ek-second">
      Individuals can't have additional contacts. Saving removes{' '}
      {others.map((contact) => `${contact.firstName} ${contact.lastName}`.trim()).join(', ')}.
    </p>
  );
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The time zones that the device supports, and the saved time zone. */
function ZoneField({ form: { bind, patch, values } }: FormProps) {
  const { timeZone } = values;
  const zones = ZONES.includes(timeZone) || timeZone === '' ? ZONES : [timeZone, ...ZONES];
  return (
    <Picker
      {...bind('timeZone')}
      label="Time Zone"
      hint="Determines today's date in your books"
      span={6}
      options={zones.map((zone) => ({ id: zone, label: zone.replaceAll('_', ' ') }))}
      onChange={(next) => patch({ timeZone: next ?? '' })}
    />
  );
}
