import './sending.css';
import { billingCalls } from '@evenkeel/contract/billing';
import type { Sending } from '@evenkeel/contract/sending';
import { sendingCalls } from '@evenkeel/contract/sending';
import { formatUsd } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { IconClock, IconPaperclip, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { ask, send, useRead, useStale } from '../../client/api.ts';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { useAttachments } from '../attachments/useAttachments.ts';
import { AttachmentChips } from '../attachments/AttachmentChips.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { DropArea } from '../../ui/fields/FileDrop.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import { MessageField } from './MessageField.tsx';
import { aroundLink, sendFaults, SendForm, sendFormOf, sendInput, TIMES } from './sendForm.ts';
import { linkedNoun, PORTAL, type SendSubject, statementSubject } from './subjects.ts';
import { watchSending } from './watch.ts';

export interface SendDialogProps {
  subject: SendSubject;
  onClose: () => void;
}

/** The email for an invoice, receipt, statement, or report: its recipients, its text, and a preview. */
export default function SendDialog({ subject: asked, onClose }: SendDialogProps) {
  // A reminder can be replaced with a statement, which lists all overdue invoices.
  const [customerId, setCustomerId] = useState<number>();
  const subject = customerId === undefined ? asked : statementSubject(customerId);
  const read = useRead(subject.asked, { alert: 'Error Loading Email' });
  return (
    <LoadedModal read={read} title={subject.label} size="mail" onClose={onClose}>
      {(sending) =>
        sending !== undefined && (
          <Dialog key={sending.kind} {...{ subject, sending, onClose }} onStatement={setCustomerId} />
        )
      }
    </LoadedModal>
  );
}

interface DialogProps extends SendDialogProps {
  sending: Sending;
  /** Sends a statement to the customer instead. */
  onStatement: (customerId: number) => void;
}

function Dialog({ subject, sending: read, onClose, onStatement }: DialogProps) {
  // The state when the dialog was opened. If another user sends the email in the meantime, the server reports this.
  const [sending] = useState(read);
  const stale = useStale();
  const { kind, id, title } = sending;
  const files = useAttachments({ isBeside: true });
  const form = useRecordForm<Sending, SendForm>({
    name: `send:${kind}`,
    id,
    saved: sending,
    formOf: () => sendFormOf(sending),
    schema: SendForm,
    check: (typed) => sendFaults(kind, typed),
    send: async (typed, { place }) => {
      const input = sendInput(typed, subject.body, sending);
      const answer = await send(subject.sends?.(input) ?? ask(sendingCalls.send, { body: input }), place);
      if (Array.isArray(answer)) throw new Error('sent one email, but received a list of results');
      stale();
      return answer;
    },
    before: files.before,
    onFaults: files.onFaults,
    words: { saved: ({ history: [mail] }) => savedText(sending, mail?.sendAt ?? null) },
    onSaved: ({ history: [mail] }) => {
      if (mail?.sendAt === null) void watchSending(subject.asked, stale);
      onClose();
    },
  });
  const [isPreview, setPreview] = useState(false);
  const [asksCc, setAsksCc] = useState(false);
  const hasCc = asksCc || form.values.cc !== '' || form.fields['cc'] !== undefined;
  const { isLater } = form.values;
  const setLater = (later: boolean) => form.change((now) => ({ ...now, isLater: later }));
  const { primary } = recordFooter(form);
  const isReminder = kind === 'reminder';
  const isReport = kind === 'report';
  const problems = sending.refusal === '' ? form.problems : [sending.refusal, ...form.problems];
  return (
    <RecordModal
      form={{ ...form, problems }}
      title={isReminder ? 'Send Reminder' : `${isReport ? 'Email' : 'Send'} ${title}`}
      // The title of an email about a customer contains the customer's name, which needs the whole line.
      beside={
        !isReport && kind !== 'statement' && kind !== 'portal' && <Facts sending={sending} isReminder={isReminder} />
      }
      size="mail"
      onClose={onClose}
      footer={{
        primary: primary && {
          ...primary,
          label: isLater ? 'Schedule' : isReminder ? 'Send Reminder' : 'Send',
          icon: isLater ? <IconClock {...ICON_SMALL} /> : <IconSend {...ICON_SMALL} />,
          disabled: sending.refusal !== '',
        },
        actions: [
          { label: isPreview ? 'Edit' : 'Preview', onClick: () => setPreview(!isPreview), quiet: true },
          // A report is stored as it is now, so it is sent now.
          ...(isReport ? [] : [{ label: isLater ? 'Send Now' : 'Send Later', onClick: () => setLater(!isLater) }]),
        ],
        total: <span className="ek-muted ek-small">{noteOf(sending)}</span>,
      }}
    >
      {isPreview ? (
        <Preview form={form.values} sending={sending} />
      ) : (
        <DropArea onFiles={(picked) => void files.add(form, picked)} disabled={form.busy}>
          <div className="ek-stack">
            <div className="ek-form">
              <div className="sd-to ek-c12">
                <TextField {...form.bind('to')} label="To" autoFocus={!asksCc} />
                {!hasCc && (
                  <Button className="sd-cc" variant="subtle" size="compact-sm" onClick={() => setAsksCc(true)}>
                    Add Cc
                  </Button>
                )}
              </div>
              {hasCc && <TextField {...form.bind('cc')} label="Cc" autoFocus={asksCc} />}
              <TextField {...form.bind('subject')} label="Subject" maxLength={200} />
            </div>
            <MessageField text={form.bind('text')} linkLabel={sending.linkLabel} />
            {isReminder ? (
              <OtherOverdue customerId={sending.customerId ?? 0} onStatement={onStatement} />
            ) : isReport ? (
              <p className="ek-muted ek-small">
                You can open the PDF again under Sent Reports, exactly as it was sent.
              </p>
            ) : (
              <p className="ek-muted ek-small">
                {'The wording comes from the '}
                <NameLink to="/settings?tab=email">Sales and Email</NameLink>
                {' settings. Changes here apply to this email only.'}
              </p>
            )}
            <AttachmentChips form={form} files={files} fileName={sending.fileName} />
          </div>
        </DropArea>
      )}
      {isLater && (
        <div className="ek-form" role="group" aria-label="Send Later">
          <DateField {...form.bind('sendOn')} label="Send On" span={6} autoFocus />
          <Picker {...form.bind('sendTime')} label="Time" options={TIMES} span={6} />
        </div>
      )}
    </RecordModal>
  );
}

/** Offers a statement if the customer has several overdue invoices, because a reminder is about only one invoice. */
function OtherOverdue({ customerId, onStatement }: Pick<DialogProps, 'onStatement'> & { customerId: number }) {
  const { value } = useRead(ask(billingCalls.customerStanding, { params: { customerId } }));
  if (value === undefined || value.overdueCount < 2) return null;
  return (
    <p className="ek-muted ek-small">
      {`This customer has ${value.overdueCount} overdue invoices totaling ${formatUsd(value.overdueAmount)}. `}
      <button type="button" className="ek-link" onClick={() => onStatement(customerId)}>
        Send a Statement Instead
      </button>
    </p>
  );
}

interface FactsProps {
  sending: Pick<Sending, 'title' | 'values'>;
  isReminder: boolean;
}

/** The amount next to the title. For a reminder, also the document and the number of days overdue. */
function Facts({ sending: { title, values }, isReminder }: FactsProps) {
  const valueOf = (name: string) => values.find((one) => one.name === name)?.value ?? '';
  const amount = valueOf('amount due') || valueOf('amount');
  const overdue = valueOf('time overdue');
  return (
    <>
      {isReminder && <span className="ek-muted">{title}</span>}
      <span className="sd-facts ek-muted">{amount}</span>
      {isReminder && overdue !== '' && (
        <span className="sd-facts">
          <Status look="late">{`Overdue ${overdue}`}</Status>
        </span>
      )}
    </>
  );
}

/** Returns the alert after an email is queued, or is scheduled for a time. */
function savedText({ kind, title }: Sending, sendAt: string | null): string {
  const what = kind === 'reminder' ? `a reminder about ${title.toLowerCase()}` : title;
  return sendAt === null ? `Sending ${what}` : `Scheduled ${what}`;
}

/**
 * Returns a hint about where replies are sent. For a reminder, the hint also says how many reminders were sent before.
 */
function noteOf({ kind, sent, replyTo }: Sending): string {
  if (kind !== 'reminder') return `Replies go to ${replyTo}`;
  return sent === 0 ? 'No reminder sent yet' : `${counted(sent, { one: 'reminder', many: 'reminders' })} sent`;
}

function Preview({ form, sending }: { form: SendForm; sending: Sending }) {
  const { before, after } = aroundLink(form.text);
  const facts = [
    ['From', sending.fromName],
    ['To', [form.to, form.cc].filter((addresses) => addresses.trim() !== '').join(', ')],
    ['Subject', form.subject],
  ];
  const attached = [sending.fileName, ...form.documentLinks.map((file) => file.documentName)].filter(Boolean);
  return (
    <section className="ek-stack" aria-label="Preview">
      <div className="sd-preview">
        <dl>
          {facts.map(([label, value]) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div className="sd-body">
          {before}
          {after !== undefined && (
            <>
              {'\n'}
              <span className="sd-link">{sending.linkLabel}</span>
              {`\n${after}`}
            </>
          )}
        </div>
        {attached.length > 0 && (
          <div className="sd-file ek-second">
            <IconPaperclip {...ICON_SMALL} /> {attached.join(', ')}
          </div>
        )}
      </div>
      {sending.linkLabel !== '' && (
        <p className="ek-muted ek-small">
          The link opens only this {linkedNoun(sending.kind) ?? PORTAL} and doesn't require signing in. You can revoke
          it under Sending.
        </p>
      )}
    </section>
  );
}
