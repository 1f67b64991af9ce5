import { checkEntity, entityLabel } from '@evenkeel/core/entities';
import { useState } from 'react';
import { useSendOne, useStale } from '../../../client/api.ts';
import { useFormSave } from '../../../records/formSave.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { FormErrorSummary } from '../../../ui/show/FormErrorSummary.tsx';
import type { DocumentSide } from '../side.ts';

export interface NewEntityProps {
  entities: DocumentSide['entities'];
  /** The text that the user typed into the picker. */
  name: string;
  onClose: () => void;
  onCreated: (entity: { id: number; displayname: string }) => void;
}

/**
 * A two-field form that creates a customer or vendor while the user enters a document. The other details are entered on
 * the record's own screen.
 */
export function NewEntity({ entities, name: typed, onClose, onCreated }: NewEntityProps) {
  const alerts = useAlerts();
  const stale = useStale();
  const sendOne = useSendOne();
  const label = entityLabel(entities.kind);
  const [name, setName] = useState(typed);
  const [emailAddress, setEmail] = useState('');
  const save = useFormSave(checkEntity({ name, emailAddress }, entities.kind));
  const add = async () => {
    const create = entities.create({ id: 0, name, emailAddress });
    const entity = await save.attempt(() => sendOne(create), entities.failed);
    if (entity === undefined) return;
    stale();
    alerts.success(`${label} ${entity.displayname} added`);
    onCreated(entity);
  };
  return (
    <AppModal
      opened
      onClose={onClose}
      title={`Add ${label}`}
      size="sm"
      enterSaves
      dirty={emailAddress !== ''}
      footer={{
        primary: { label: 'Save', onClick: () => void add(), busy: save.busy },
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
