import { entityCalls } from '@evenkeel/contract/entities';
import { checkEntity, CUSTOMER } from '@evenkeel/core/entities';
import { useState } from 'react';
import { useWrite } from '../api.ts';
import { useFormSave } from '../records/formSave.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';

export interface NewCustomerProps {
  /** What was typed into the picker. */
  name: string;
  onClose: () => void;
  onCreated: (customer: { id: number; displayname: string }) => void;
}

/** A customer in two fields, made while billing; the rest is filled in on the Customers screen. */
export function NewCustomer({ name: typed, onClose, onCreated }: NewCustomerProps) {
  const alerts = useAlerts();
  const [name, setName] = useState(typed);
  const [emailAddress, setEmail] = useState('');
  const save = useFormSave(checkEntity({ name, emailAddress }, CUSTOMER));
  const write = useWrite(entityCalls.createCustomer);
  const send = async () => {
    const body = { id: 0, name, emailAddress };
    const customer = await save.attempt(() => write.mutateAsync({ body }), 'Failure Saving Customer');
    if (customer === undefined) return;
    alerts.success(`Customer ${customer.displayname} added`);
    onCreated(customer);
  };
  return (
    <AppModal
      opened
      onClose={onClose}
      title="Add Customer"
      size="sm"
      dirty={emailAddress !== ''}
      footer={{
        primary: { label: 'Save', onClick: () => void send(), busy: save.busy },
        actions: [{ label: 'Cancel', onClick: onClose }],
      }}
    >
      <div className="ek-stack">
        <FormErrorSummary problems={save.problems.map((message) => ({ message }))} />
        <TextField label="Name" value={name} onChange={setName} error={save.fields['name']} required />
        <TextField
          label="Email"
          kind="email"
          value={emailAddress}
          onChange={setEmail}
          error={save.fields['emailAddress']}
          required
          autoFocus
        />
      </div>
    </AppModal>
  );
}
