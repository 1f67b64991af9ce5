import type { FieldMessages } from '@evenkeel/core/failure';
import { ActionIcon, Button, Radio } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { blankPhone, type PhoneForm, withItem, withoutItem, withPrimaryPhone } from './entityForm.ts';

const phoneId = (phone: PhoneForm): number => phone.phoneID;

export interface PhoneListProps {
  phones: readonly PhoneForm[];
  onChange: (phones: PhoneForm[]) => void;
  fields: FieldMessages;
  /** The owner of the phone numbers, shown in the heading. Omitted inside a contact. */
  of?: string;
}

/**
 * Phone numbers, each with a label and permission for text messages. One of them is primary. A saved number that was
 * removed can be restored until the record is saved.
 */
export function PhoneList({ phones, onChange, fields, of }: PhoneListProps) {
  const group = useId();
  const add = () => onChange([...phones, blankPhone(phones.map(phoneId))]);
  return (
    <div className={of === undefined ? 'en-block en-phones' : 'en-block'}>
      {phones.map((phone) =>
        phone.deleted ? (
          <RemovedPhone
            key={phone.phoneID}
            phone={phone}
            onUndo={() => onChange(withItem(phones, { ...phone, deleted: false }, phoneId))}
          />
        ) : (
          <PhoneRow
            key={phone.phoneID}
            phone={phone}
            group={group}
            error={fields[`phones.#${phone.phoneID}.displayNumber`]}
            onChange={(next) => onChange(withItem(phones, next, phoneId))}
            onPrimary={() => onChange(withPrimaryPhone(phones, phone.phoneID))}
            onRemove={() => onChange(withoutItem(phones, phone, phoneId))}
          />
        ),
      )}
      <div>
        <Button variant="default" leftSection={<IconPlus {...ICON_SMALL} />} onClick={add}>
          {of === undefined ? 'Add Phone' : `Add Phone for ${of}`}
        </Button>
      </div>
    </div>
  );
}

interface PhoneRowProps {
  phone: PhoneForm;
  group: string;
  error: string | undefined;
  onChange: (phone: PhoneForm) => void;
  onPrimary: () => void;
  onRemove: () => void;
}

function PhoneRow({ phone, group, error, onChange, onPrimary, onRemove }: PhoneRowProps) {
  return (
    <div className="en-phone">
      <TextField
        label="Phone"
        kind="tel"
        value={phone.displayNumber}
        onChange={(displayNumber) => onChange({ ...phone, displayNumber })}
        error={error}
        maxLength={40}
        autoFocus={phone.phoneID < 0 && phone.displayNumber === ''}
      />
      <TextField
        label="Label"
        placeholder="Mobile, Office"
        value={phone.phoneType}
        onChange={(phoneType) => onChange({ ...phone, phoneType })}
        maxLength={40}
      />
      <div className="en-mark">
        <CheckField
          label="Allow Text"
          value={phone.allowText}
          onChange={(allowText) => onChange({ ...phone, allowText })}
        />
      </div>
      <div className="en-mark">
        <Radio name={group} label="Primary" checked={phone.primary} onChange={onPrimary} />
      </div>
      <div className="en-mark">
        <ActionIcon aria-label={`Remove phone ${phone.displayNumber}`} onClick={onRemove}>
          <IconTrash {...ICON_SMALL} />
        </ActionIcon>
      </div>
    </div>
  );
}

function RemovedPhone({ phone, onUndo }: { phone: PhoneForm; onUndo: () => void }) {
  return (
    <div className="en-gone">
      <s>{phone.displayNumber}</s>
      <Button
        variant="subtle"
        className="ek-btn-link"
        onClick={onUndo}
        aria-label={`Undo: keep ${phone.displayNumber}`}
      >
        Undo
      </Button>
    </div>
  );
}
