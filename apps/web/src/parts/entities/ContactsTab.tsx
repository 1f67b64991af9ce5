import type { FieldMessages } from '@evenkeel/core/failure';
import { Button, Radio } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import { binderOf } from '../../records/useRecordForm.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import {
  blankContact,
  type ContactForm,
  withItem,
  withoutItem,
  withPrimaryContact,
  type EntityTabProps,
} from './entityForm.ts';
import { PhoneList } from './PhoneList.tsx';

const contactId = (contact: ContactForm): number => contact.id;
const nameOf = (contact: ContactForm): string => `${contact.firstName} ${contact.lastName}`.trim();

/** The contacts of a business, including one primary contact. */
export function ContactsTab({ form }: Pick<EntityTabProps, 'form'>) {
  const group = useId();
  const { contacts } = form.values;
  const set = (next: ContactForm[]) => form.patch({ contacts: next });
  const add = (
    <Button
      variant="default"
      leftSection={<IconPlus {...ICON_SMALL} />}
      onClick={() => set([...contacts, blankContact(contacts.map(contactId))])}
    >
      Add Contact
    </Button>
  );
  if (contacts.length === 0) {
    return <EmptyState title="No contacts" hint="Add the people you work with at this business." action={add} />;
  }
  return (
    <div>
      {contacts.map((contact) => (
        <section key={contact.id} className="en-block" aria-label={nameOf(contact) || 'New contact'}>
          {contact.deleted ? (
            <RemovedContact
              contact={contact}
              onUndo={() => set(withItem(contacts, { ...contact, deleted: false }, contactId))}
            />
          ) : (
            <ContactFields
              contact={contact}
              group={group}
              fields={form.fields}
              onChange={(next) => set(withItem(contacts, next, contactId))}
              onPrimary={() => set(withPrimaryContact(contacts, contact.id))}
              onRemove={() => set(withoutItem(contacts, contact, contactId))}
            />
          )}
        </section>
      ))}
      <div className="en-block">
        <div>{add}</div>
      </div>
    </div>
  );
}

interface ContactFieldsProps {
  contact: ContactForm;
  group: string;
  fields: FieldMessages;
  onChange: (contact: ContactForm) => void;
  onPrimary: () => void;
  onRemove: () => void;
}

function ContactFields({ contact, group, fields, onChange, onPrimary, onRemove }: ContactFieldsProps) {
  const name = nameOf(contact);
  const errorOf = (part: string) => fields[`contacts.#${contact.id}.${part}`];
  const bind = binderOf({ values: contact, onChange, errorOf, isReadOnly: false });
  const isFirst = contact.id < 0 && name === '';
  return (
    <>
      <div className="en-block-head">
        <h3>{name === '' ? 'New contact' : name}</h3>
        <Radio name={group} label="Primary" checked={contact.isPrimary} onChange={onPrimary} />
        <Button variant="subtle" className="ek-btn-delete" onClick={onRemove} aria-label={`Remove contact ${name}`}>
          Remove
        </Button>
      </div>
      <div className="ek-form">
        <TextField {...bind('firstName')} label="First Name" span={6} maxLength={100} autoFocus={isFirst} />
        <TextField {...bind('lastName')} label="Last Name" span={6} maxLength={100} />
        <TextField {...bind('title')} label="Title" span={6} maxLength={100} />
        <TextField {...bind('emailAddress')} label="Email" kind="email" span={6} maxLength={254} />
      </div>
      <PhoneList
        phones={contact.phones}
        onChange={(phones) => onChange({ ...contact, phones })}
        fields={{}}
        of={name === '' ? 'new contact' : name}
      />
    </>
  );
}

function RemovedContact({ contact, onUndo }: { contact: ContactForm; onUndo: () => void }) {
  const name = nameOf(contact);
  return (
    <div className="en-gone">
      <s>{name}</s>
      <Button variant="subtle" className="ek-btn-link" onClick={onUndo} aria-label={`Undo: keep ${name}`}>
        Undo
      </Button>
    </div>
  );
}
