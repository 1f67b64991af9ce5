import { type SendingSettings, sendingCalls } from '@evenkeel/contract/sending';
import {
  byTemplateKind,
  checkMail,
  mailWording,
  payLinkFault,
  TEMPLATE_KINDS,
  type TemplateKind,
} from '@evenkeel/core/words/mailtext';
import { NOTHING } from '@evenkeel/core/nothing';
import { useState } from 'react';
import * as z from 'zod';
import { ask, useRead, useWrite } from '../../client/api.ts';
import { useOpenRecord } from '../../records/openRecord.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { TextWithChips } from '../../parts/sending/TextWithChips.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { Section } from './Section.tsx';
import { EditButton } from './SettingsCards.tsx';

const asked = ask(sendingCalls.getSendingSettings, {});
const FAILED = { alert: 'Error Loading Email Settings' };

/** The text used in emails to customers, and the payment instructions. */
export function SendingCard() {
  const { value, error, retry } = useRead(asked, FAILED);
  const edit = useOpenRecord('sending', { hasNew: false });
  const quiet = (text: string) =>
    text === '' ? <span className="ek-muted">{NOTHING}</span> : <span className="st-lines">{text}</span>;
  return (
    <Section
      title="Emails and Payment"
      actions={value !== undefined && <EditButton of="Emails and Payment" onEdit={() => edit.open(1)} />}
    >
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {value !== undefined && (
        <div className="st-facts">
          <Facts
            facts={[
              { label: 'How to Pay', value: quiet(value.howToPay) },
              { label: 'Payment Link', value: quiet(value.payLink) },
              { label: 'Private Links Expire', value: linkDaysWords(value.linkDays) },
              ...value.templates.map(({ kind, subject }) => ({ label: mailWording(kind).label, value: subject })),
            ]}
          />
        </div>
      )}
      {edit.id !== undefined && <SendingModal onClose={edit.close} />}
    </Section>
  );
}

function SendingModal({ onClose }: { onClose: () => void }) {
  const read = useRead(asked);
  return (
    <LoadedModal read={read} title={TITLE} size="lg" onClose={onClose}>
      {(settings) => settings !== undefined && <Form settings={settings} onClose={onClose} />}
    </LoadedModal>
  );
}

const linkDaysWords = (days: number | null): string =>
  days === null ? 'Never' : `After ${days} ${days === 1 ? 'day' : 'days'}`;

const TITLE = 'Emails and Payment';
const Mail = z.object({ subject: z.string(), text: z.string() });
const SendingForm = z.object({
  howToPay: z.string(),
  payLink: z.string(),
  linkDays: z.string(),
  ...byTemplateKind(() => Mail),
  rowVersion: z.number(),
});
type SendingForm = z.output<typeof SendingForm>;

function formOf({ templates, howToPay, payLink, linkDays, rowVersion }: SendingSettings): SendingForm {
  const mailOf = (kind: TemplateKind) => {
    const { subject, text } = templates.find((one) => one.kind === kind) ?? mailWording(kind);
    return { subject, text };
  };
  return {
    howToPay,
    payLink,
    linkDays: linkDays === null ? '' : String(linkDays),
    rowVersion,
    ...byTemplateKind(mailOf),
  };
}

function faultsOf(form: SendingForm) {
  const link = payLinkFault(form.payLink);
  const days = form.linkDays.trim();
  const isDays = days === '' || (/^\d{1,4}$/.test(days) && Number(days) <= MAX_LINK_DAYS);
  const texts = TEMPLATE_KINDS.flatMap((kind) =>
    Object.entries(checkMail(kind, form[kind])).map(([field, message]) => [`${kind}.${field}`, message]),
  );
  return {
    ...(link === undefined ? {} : { payLink: link }),
    ...(isDays ? {} : { linkDays: `Enter 1 to ${MAX_LINK_DAYS} days, or leave empty` }),
    ...Object.fromEntries(texts),
  };
}

/** The maximum number of days before a private link expires. */
const MAX_LINK_DAYS = 3650;

const KINDS = TEMPLATE_KINDS.map((value, id) => ({ id, label: mailWording(value).label }));

function Form({ settings, onClose }: { settings: SendingSettings; onClose: () => void }) {
  const write = useWrite(sendingCalls.saveSendingSettings);
  const [kind, setKind] = useState<TemplateKind>('invoice');
  const form = useRecordForm<SendingSettings, SendingForm>({
    name: 'sending',
    id: 1,
    saved: settings,
    formOf: (saved) => formOf(saved ?? settings),
    schema: SendingForm,
    check: faultsOf,
    placed: (fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([path, text]) => [
          path.replace(/^templates\.(\d+)/, (_, at: string) => TEMPLATE_KINDS[Number(at)] ?? path),
          text,
        ]),
      ),
    send: ({ howToPay, payLink, linkDays, rowVersion, ...mails }) => {
      const templates = TEMPLATE_KINDS.map((one) => ({ kind: one, ...mails[one] }));
      return write.mutateAsync({ body: { templates, howToPay, payLink, linkDays: Number(linkDays), rowVersion } });
    },
    reply: sendingCalls.saveSendingSettings.reply,
    words: { saved: () => `${TITLE} saved` },
    onFaults: (fields) => {
      const wrong = TEMPLATE_KINDS.find((one) => Object.keys(fields).some((path) => path.startsWith(`${one}.`)));
      if (wrong !== undefined) setKind(wrong);
    },
    onSaved: onClose,
  });
  const mail = form.values[kind];
  const bound = (field: 'subject' | 'text') => ({
    value: mail[field],
    onChange: (text: string) => form.patch({ [kind]: { ...mail, [field]: text } }),
    error: form.errorOf(`${kind}.${field}`),
    readOnly: form.isReadOnly,
  });
  return (
    <RecordModal form={form} title={TITLE} size="lg" onClose={onClose}>
      <div className="ek-form">
        <TextField
          {...form.bind('howToPay')}
          label="How to Pay"
          kind="lines"
          hint="Appears on invoices, in emails, and on the page that the private link opens"
          maxLength={1000}
          autoFocus
        />
        <TextField
          {...form.bind('payLink')}
          label="Payment Link"
          hint="An address that begins with https://. {number} and {amount} are filled in from the invoice."
          maxLength={500}
        />
        <TextField
          {...form.bind('linkDays')}
          label="Private Links Expire After (Days)"
          hint="If empty, private links never expire. The days are counted from the date when the link was created."
          maxLength={4}
          span={6}
        />
      </div>
      <div className="ek-form">
        <Picker
          label="E-mail"
          options={KINDS}
          value={TEMPLATE_KINDS.indexOf(kind)}
          onChange={(at) => setKind(TEMPLATE_KINDS[at ?? 0] ?? 'invoice')}
          span={6}
        />
      </div>
      <TextWithChips key={kind} kind={kind} subject={bound('subject')} text={bound('text')} />
    </RecordModal>
  );
}
