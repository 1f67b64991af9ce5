import './sending.css';
import type { Sending } from '@evenkeel/contract/sending';
import { sendingCalls } from '@evenkeel/contract/sending';
import { IconPaperclip } from '@tabler/icons-react';
import { useState } from 'react';
import { ask, send, useRead, useStale } from '../../client/api.ts';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useWide } from '../../ui/hooks/media.ts';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { filled, sendFaults, SendForm, sendFormOf, sendInput } from './sendForm.ts';
import { linkedNoun, type SendSubject } from './subjects.ts';
import { TextWithChips } from './TextWithChips.tsx';
import { watchSending } from './watch.ts';

export interface SendDialogProps {
  subject: SendSubject;
  onClose: () => void;
}

/** The email for an invoice, receipt, or statement: its recipients, its text, and a preview. */
export default function SendDialog({ subject, onClose }: SendDialogProps) {
  const read = useRead(subject.asked, { alert: 'Error Loading Email' });
  return (
    <LoadedModal read={read} title={subject.label} size="lg" onClose={onClose}>
      {(sending) => sending !== undefined && <Dialog {...{ subject, sending, onClose }} />}
    </LoadedModal>
  );
}

function Dialog({ subject, sending: read, onClose }: SendDialogProps & { sending: Sending }) {
  // The state when the dialog opened. If another user sends the email in the meantime, the server reports it.
  const [sending] = useState(read);
  const stale = useStale();
  const { kind, id, title } = sending;
  const wide = useWide();
  const form = useRecordForm<Sending, SendForm>({
    name: `send:${kind}`,
    id,
    saved: sending,
    formOf: () => sendFormOf(sending),
    schema: SendForm,
    check: (typed) => sendFaults(kind, typed),
    send: async (typed, { place }) => {
      const answer = await send(ask(sendingCalls.send, { body: sendInput(typed, subject.body) }), place);
      if (Array.isArray(answer)) throw new Error('sent one email, but received a list');
      stale();
      return answer;
    },
    words: { saved: () => `Sending ${title}` },
    onSaved: () => {
      void watchSending(subject.asked, stale);
      onClose();
    },
  });
  const { primary } = recordFooter(form);
  const preview = <Preview form={form.values} sending={sending} />;
  const note = linkedNoun(kind) !== undefined && sending.sent === 0 ? 'Status becomes Sent' : undefined;
  const problems = sending.refusal === '' ? form.problems : [sending.refusal, ...form.problems];
  return (
    <RecordModal
      form={{ ...form, problems }}
      title={`Send ${title}`}
      size="lg"
      onClose={onClose}
      aside={wide ? <div className="sd-aside">{preview}</div> : undefined}
      footer={{
        primary: primary && { ...primary, label: 'Send', disabled: sending.refusal !== '' },
        actions: [{ label: 'Cancel', onClick: onClose, quiet: true }],
        ...(note === undefined ? {} : { total: <span className="ek-muted ek-small">{note}</span> }),
      }}
    >
      <div className="ek-form">
        <TextField {...form.bind('to')} label="To" hint={`Replies go to ${sending.replyTo}`} autoFocus />
        <TextField {...form.bind('cc')} label="Cc" />
      </div>
      <TextWithChips kind={kind} subject={form.bind('subject')} text={form.bind('text')} />
      {!wide && preview}
    </RecordModal>
  );
}

function Preview({ form, sending }: { form: SendForm; sending: Sending }) {
  const facts = [
    ['From', sending.fromName],
    ['To', [form.to, form.cc].filter((addresses) => addresses.trim() !== '').join(', ')],
    ['Subject', filled(form.subject, sending)],
  ];
  return (
    <section className="ek-stack" aria-label="Preview">
      <h3 className="ek-semi">Preview</h3>
      <div className="sd-preview">
        <dl>
          {facts.map(([label, value]) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div className="sd-body">{filled(form.text, sending)}</div>
        <div className="sd-file ek-second">
          <IconPaperclip {...ICON_SMALL} /> {sending.fileName}
        </div>
      </div>
      {linkedNoun(sending.kind) !== undefined && (
        <p className="ek-muted ek-small">
          The link opens only this {linkedNoun(sending.kind)} and doesn't require signing in. You can revoke it under
          Sending.
        </p>
      )}
    </section>
  );
}
