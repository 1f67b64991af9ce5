import { type SendingSettings, sendingCalls } from '@evenkeel/contract/sending';
import {
  byTemplateKind,
  checkMail,
  mailWording,
  payLinkFault,
  TEMPLATE_KINDS,
  type TemplateKind,
} from '@evenkeel/core/words/mailtext';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import * as z from 'zod';
import { ask, useRead, useWrite } from '../../client/api.ts';
import { TextWithChips } from '../../parts/sending/TextWithChips.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { FormHistory, FormNotes } from './FormNotes.tsx';
import { Section } from './Section.tsx';
import { changedLabels, useSettingsForm } from './settingsForm.ts';

const SENDING = ask(sendingCalls.getSendingSettings, {});

/** The text used in emails to customers, and the payment instructions. */
export function SendingCard() {
  const { value, error, retry } = useRead(SENDING, { alert: 'Error Loading Email Settings' });
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  return value !== undefined && <Form settings={value} />;
}

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

const LABELS = [
  ['howToPay', 'How to Pay'],
  ['payLink', 'Payment Link'],
  ['linkDays', 'Private Links Expire After (Days)'],
  ...TEMPLATE_KINDS.map((kind) => [kind, mailWording(kind).label] as const),
] as const satisfies readonly (readonly [keyof SendingForm, string])[];

function Form({ settings }: { settings: SendingSettings }) {
  const write = useWrite(sendingCalls.saveSendingSettings);
  const [kind, setKind] = useState<TemplateKind>('invoice');
  const form = useSettingsForm<SendingSettings, SendingForm>({
    name: 'sending',
    asked: SENDING,
    saved: settings,
    formOf,
    changesOf: (typed, stored) => changedLabels<SendingForm>(typed, stored, LABELS),
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
  });
  const mail = form.values[kind];
  const bound = (field: 'subject' | 'text') => ({
    value: mail[field],
    onChange: (text: string) => form.patch({ [kind]: { ...mail, [field]: text } }),
    error: form.errorOf(`${kind}.${field}`),
    readOnly: form.isReadOnly,
  });
  return (
    <>
      <FormNotes form={form} />
      <Section
        title="Online Payments"
        hint="Customers pay invoices with Pay Now, and their payments are posted automatically."
        actions={
          <Button component={Link} to="/onlinepayments" variant="default" size="xs">
            Manage Online Payments
          </Button>
        }
      >
        {null}
      </Section>
      <Section title={TITLE}>
        <div className="st-rows">
          <TextField
            {...form.bind('howToPay')}
            label="How to Pay"
            kind="lines"
            hint="Appears on invoices, in emails, and on the page that the private link opens"
            maxLength={1000}
          />
          <TextField
            {...form.bind('payLink')}
            label="Payment Link"
            hint="A URL that begins with https://. {number} and {amount} are filled in from the invoice."
            maxLength={500}
          />
          <TextField
            {...form.bind('linkDays')}
            label="Private Links Expire After (Days)"
            hint="Leave empty for links that never expire. The days are counted from the date the link was created."
            maxLength={4}
          />
        </div>
      </Section>
      <Section title="Email Texts" hint="The text of a new email, which you can change before you send it">
        <div className="ek-stack">
          <div className="ek-form">
            <Picker
              label="Email"
              options={KINDS}
              value={TEMPLATE_KINDS.indexOf(kind)}
              onChange={(at) => setKind(TEMPLATE_KINDS[at ?? 0] ?? 'invoice')}
              span={6}
            />
          </div>
          <TextWithChips key={kind} kind={kind} subject={bound('subject')} text={bound('text')} />
          <FormHistory name="sending" />
        </div>
      </Section>
    </>
  );
}
