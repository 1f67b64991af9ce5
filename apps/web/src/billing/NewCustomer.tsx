import { entityCalls } from '@evenkeel/contract/entities';
import { checkEntity, CUSTOMER } from '@evenkeel/core/entities';
import type { FieldMessages } from '@evenkeel/core/failure';
import { useState } from 'react';
import { useWrite } from '../api.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { refusalOf, unplaced } from './refusal.ts';

export interface NewCustomerProps {
  /** What was typed into the picker. */
  name: string;
  onClose: () => void;
  onCreated: (customer: { id: number; displayname: string }) => void;
}

const FIELDS = ['name', 'emailAddress'];

/** A customer in two fields, made while billing; the rest is filled in on the Customers screen. */
export function NewCustomer({ name: typed, onClose, onCreated }: NewCustomerProps) {
  const alerts = useAlerts();
  const [name, setName] = useState(typed);
  const [emailAddress, setEmail] = useState('');
  const [faults, setFaults] = useState<FieldMessages>({});
  const [trouble, setTrouble] = useState<string>();
  const write = useWrite(entityCalls.createCustomer);
  const save = async () => {
    const found = checkEntity({ name, emailAddress }, CUSTOMER);
    setFaults(found);
    setTrouble(undefined);
    if (Object.keys(found).length > 0) return;
    try {
      const customer = await write.mutateAsync({ body: { id: 0, name, emailAddress } });
      alerts.success(`Customer ${customer.displayname} added`);
      onCreated(customer);
    } catch (error) {
      const refusal = refusalOf(error);
      setFaults(refusal.fields);
      setTrouble(unplaced(refusal, FIELDS).join(' ') || undefined);
      alerts.error('Failure Saving Customer');
    }
  };
  return (
    <AppModal
      opened
      onClose={onClose}
      title="Add Customer"
      size="sm"
      dirty={emailAddress !== ''}
      footer={{
        primary: { label: 'Save', onClick: () => void save(), busy: write.isPending },
        actions: [{ label: 'Cancel', onClick: onClose }],
        error: trouble === undefined ? undefined : <InlineAlert kind="Error">{trouble}</InlineAlert>,
      }}
    >
      <div className="ek-stack">
        <TextField label="Name" value={name} onChange={setName} error={faults['name']} required />
        <TextField
          label="Email"
          kind="email"
          value={emailAddress}
          onChange={setEmail}
          error={faults['emailAddress']}
          required
          autoFocus
        />
      </div>
    </AppModal>
  );
}
