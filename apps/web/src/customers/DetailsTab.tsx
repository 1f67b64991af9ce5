import { CUSTOMER, entityLabel } from '@evenkeel/core/entities';
import { useState } from 'react';
import { TextField } from '../ui/fields/TextField.tsx';
import { Choice } from '../ui/show/Choice.tsx';
import { type ContactForm, personOf, withItem, withKind, type EntityTabProps } from './entityForm.ts';
import { PhoneList } from './PhoneList.tsx';

const KINDS = [
  { value: 'business', label: 'Business' },
  { value: 'individual', label: 'Individual' },
] as const;

const contactId = (contact: ContactForm): number => contact.id;

/** Who it is: a business by its name, an individual by first and last name; e-mail and phones. */
export function DetailsTab(props: EntityTabProps) {
  const { form, onChange, fields } = props;
  // Choosing by arrow keys keeps the focus on the choice.
  const [hasChosen, setHasChosen] = useState(false);
  const named = { ...props, autoFocus: !hasChosen };
  return (
    <>
      <div className="ek-form">
        <Choice
          label="Business or Individual"
          options={KINDS}
          value={form.isIndividual ? 'individual' : 'business'}
          onChange={(kind) => {
            setHasChosen(true);
            onChange(withKind(form, kind === 'individual'));
          }}
        />
        {form.isIndividual ? <PersonFields {...named} /> : <BusinessFields {...named} />}
        <div className="ek-c6">
          <TextField
            label="Email"
            kind="email"
            value={form.emailAddress}
            onChange={(emailAddress) => onChange({ ...form, emailAddress })}
            error={fields['emailAddress']}
            maxLength={254}
          />
        </div>
        <div className="ek-c6">
          <TextField
            label="DBA"
            hint="Doing business as"
            value={form.dba}
            onChange={(dba) => onChange({ ...form, dba })}
            error={fields['dba']}
            maxLength={200}
          />
        </div>
      </div>
      <PhoneList phones={form.phones} onChange={(phones) => onChange({ ...form, phones })} fields={fields} />
    </>
  );
}

interface NameProps extends EntityTabProps {
  autoFocus: boolean;
}

function BusinessFields({ form, onChange, fields, autoFocus }: NameProps) {
  return (
    <>
      <div className="ek-c6">
        <TextField
          label={`${entityLabel(CUSTOMER)} Name`}
          value={form.name}
          onChange={(name) => onChange({ ...form, name })}
          error={fields['name']}
          maxLength={200}
          autoFocus={autoFocus}
        />
      </div>
      <DisplayName form={form} onChange={onChange} fields={fields} />
    </>
  );
}

function PersonFields({ form, onChange, fields, autoFocus }: NameProps) {
  const person = personOf(form);
  const set = (change: Partial<ContactForm>) =>
    onChange({ ...form, contacts: withItem(form.contacts, { ...person, ...change }, contactId) });
  const others = form.contacts.filter((contact) => !contact.deleted && contact.id !== person.id);
  return (
    <>
      <div className="ek-c6">
        <TextField
          label="First Name"
          value={person.firstName}
          onChange={(firstName) => set({ firstName })}
          error={fields['person.firstName'] ?? fields['name']}
          maxLength={100}
          autoFocus={autoFocus}
        />
      </div>
      <div className="ek-c6">
        <TextField
          label="Last Name"
          value={person.lastName}
          onChange={(lastName) => set({ lastName })}
          error={fields['person.lastName']}
          maxLength={100}
        />
      </div>
      <DisplayName form={form} onChange={onChange} fields={fields} />
      {others.length > 0 && (
        <p className="ek-second">
          An individual has no further contacts: saving removes{' '}
          {others.map((contact) => `${contact.firstName} ${contact.lastName}`.trim()).join(', ')}.
        </p>
      )}
    </>
  );
}

function DisplayName({ form, onChange, fields }: EntityTabProps) {
  return (
    <div className="ek-c6">
      <TextField
        label="Display Name"
        hint="As it stands in lists; empty is the same as the name"
        value={form.displayname}
        onChange={(displayname) => onChange({ ...form, displayname })}
        error={fields['displayname']}
        maxLength={200}
      />
    </div>
  );
}
