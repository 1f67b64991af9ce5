import './webhooks.css';
import { type Webhook, webhookCalls } from '@evenkeel/contract/webhooks';
import { Button } from '@mantine/core';
import { useWrite } from '../../client/api.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { actionWord, eventGroups, webhookFaults, WebhookForm, webhookFormOf, webhookInput } from './webhookForm.ts';

/** A saved webhook. A new webhook comes with its secret, which no other response contains. */
export interface SavedWebhook {
  record: Webhook;
  secret?: string;
}

interface WebhookModalProps {
  saved: Webhook | undefined;
  onClose: () => void;
  onSaved: (saved: SavedWebhook) => void;
}

/** The Add Webhook dialog, or the form for a saved webhook: the name, the address, and the events. */
export function WebhookModal({ saved, onClose, onSaved }: WebhookModalProps) {
  const create = useWrite(webhookCalls.createWebhook);
  const update = useWrite(webhookCalls.updateWebhook);
  const remove = useWrite(webhookCalls.deleteWebhook);
  const form = useRecordForm<SavedWebhook, WebhookForm>({
    name: 'webhook',
    id: saved?.id ?? 0,
    saved: saved && { record: saved },
    formOf: (one) => webhookFormOf(one?.record),
    schema: WebhookForm,
    check: webhookFaults,
    send: async (typed): Promise<SavedWebhook> => {
      const body = webhookInput(typed);
      if (saved === undefined) return create.mutateAsync({ body });
      return { record: await update.mutateAsync({ params: { id: saved.id }, body }) };
    },
    remove: (id) => remove.mutateAsync({ params: { id } }),
    words: {
      saved: ({ record }) => `${record.name} saved`,
      create: 'Error Creating Webhook',
      update: 'Error Saving Webhook',
    },
    onSaved,
    onRemoved: onClose,
  });
  const { bind, values, patch, errorOf, busy } = form;
  const chosen = new Set(values.events);
  const groups = eventGroups();
  const all = groups.flatMap(([, events]) => events.map(({ type }) => type));
  const isAll = chosen.size === all.length;
  const choose = (type: string, isOn: boolean) =>
    patch({ events: all.filter((one) => (one === type ? isOn : chosen.has(one))) });
  const error = errorOf('events');
  return (
    <RecordModal
      form={form}
      title={saved === undefined ? 'Add Webhook' : 'Edit Webhook'}
      size="lg"
      onClose={onClose}
      question={`Delete ${saved?.name ?? ''} and its log? Waiting events won't be sent.`}
      footer={
        saved === undefined
          ? {
              primary: { label: 'Add Webhook', onClick: form.save, busy },
              total: 'The secret is shown once, after you add the webhook.',
            }
          : undefined
      }
    >
      <div className="ek-form">
        <TextField {...bind('name')} label="Name" maxLength={100} autoFocus hint="For example, the program's name." />
        <TextField
          {...bind('url')}
          label="Address"
          maxLength={2000}
          placeholder="https://"
          hint="Evenkeel sends each event to this URL as a POST request."
        />
      </div>
      <div className="wh-events" role="group" aria-label="Events">
        <div className="wh-events-head">
          <h3>Events</h3>
          <Button variant="default" size="xs" disabled={busy} onClick={() => patch({ events: isAll ? [] : all })}>
            {isAll ? 'Clear All' : 'Select All'}
          </Button>
        </div>
        {groups.map(([label, events]) => (
          <div key={label} className="wh-kind" role="group" aria-label={label}>
            <span className="wh-kind-name">{label}</span>
            <span className="wh-acts">
              {events.map(({ type }) => (
                <CheckField
                  key={type}
                  label={actionWord(type)}
                  value={chosen.has(type)}
                  readOnly={busy}
                  onChange={(isOn) => choose(type, isOn)}
                />
              ))}
            </span>
          </div>
        ))}
        {error !== undefined && (
          <p className="ek-bad" role="alert">
            {error}
          </p>
        )}
      </div>
    </RecordModal>
  );
}
