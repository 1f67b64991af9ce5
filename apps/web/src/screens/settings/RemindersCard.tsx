import { type Reminders, sendingCalls } from '@evenkeel/contract/sending';
import { formatDate } from '@evenkeel/core/dates';
import { mailWording } from '@evenkeel/core/words/mailtext';
import { checkSteps, MOST_STEPS, stepWords } from '@evenkeel/core/words/reminders';
import { Button } from '@mantine/core';
import * as z from 'zod';
import { ask, messageOf, useRead, useWrite } from '../../client/api.ts';
import { TextWithChips } from '../../parts/sending/TextWithChips.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { SwitchField } from '../../ui/fields/SwitchField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { ExcludedCustomers } from './ExcludedCustomers.tsx';
import { FormHistory, FormNotes } from './FormNotes.tsx';
import { Section } from './Section.tsx';
import { isSame, useSettingsForm } from './settingsForm.ts';

export const REMINDERS = ask(sendingCalls.getReminders, {});
const TITLE = 'Reminders';

/** Reminders for unpaid invoices: their steps, the emails planned for tomorrow, and the excluded customers. */
export function RemindersCard() {
  const { value, error, retry } = useRead(REMINDERS, { alert: 'Error Loading Reminders' });
  return (
    <Section title={TITLE} hint="Emails before or after the due date of an unpaid invoice, sent at 8:00 AM">
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {value !== undefined && (
        <div className="ek-stack">
          <Form reminders={value} />
          <Tomorrow reminders={value} />
          <Others reminders={value} />
          <FormHistory name="reminders" />
        </div>
      )}
    </Section>
  );
}

function useLeaveOut() {
  const alerts = useAlerts();
  const write = useWrite(sendingCalls.leaveOutOfReminders);
  const change = (customerId: number, leftOut: boolean) => {
    write
      .mutateAsync({ params: { customerId }, body: { leftOut } })
      .catch((error: unknown) => alerts.error(messageOf(error)));
  };
  return { change, busy: write.isPending };
}

type Next = Reminders['next'][number];

function Tomorrow({ reminders: { next, tomorrow, isOn } }: { reminders: Reminders }) {
  const { change, busy } = useLeaveOut();
  if (next.length === 0)
    return <p className="ek-muted">No reminders are scheduled for tomorrow, {formatDate(tomorrow)}.</p>;
  return (
    <MiniTable<Next>
      label="Tomorrow's Reminders"
      columns={[
        {
          header: isOn ? 'Scheduled for tomorrow' : 'Would be sent tomorrow',
          render: ({ invoiceNumber, customerDisplayName, days }) => (
            <>
              Invoice {invoiceNumber}, {customerDisplayName}
              <div className="ek-muted ek-small">{stepWords(days)}</div>
            </>
          ),
        },
        { header: 'Unpaid', right: true, render: ({ openAmount }) => <Amount value={openAmount} /> },
        {
          header: '',
          right: true,
          render: ({ customerId, customerDisplayName }) => (
            <Button
              variant="subtle"
              size="xs"
              disabled={busy}
              aria-label={`Exclude ${customerDisplayName}`}
              onClick={() => change(customerId, true)}
            >
              Exclude
            </Button>
          ),
        },
      ]}
      rows={next}
      keyOf={({ invoiceId }) => invoiceId}
    />
  );
}

function Others({ reminders: { leftOut } }: { reminders: Reminders }) {
  const { change, busy } = useLeaveOut();
  return <ExcludedCustomers of={leftOut} busy={busy} verb="Remind" onBack={(id) => change(id, false)} />;
}

const RemindersForm = z.object({
  isOn: z.boolean(),
  steps: z.array(z.object({ key: z.number(), days: z.string(), subject: z.string(), text: z.string() })),
  rowVersion: z.number(),
});
type RemindersForm = z.output<typeof RemindersForm>;

const formOf = ({ isOn, steps, rowVersion }: Reminders): RemindersForm => ({
  isOn,
  rowVersion,
  steps: steps.map((step, key) => ({ ...step, key, days: String(step.days) })),
});

/** Invalid numbers are treated as out of range. */
const stepsOf = ({ steps }: RemindersForm) =>
  steps.map(({ days, subject, text }) => ({ days: /^-?\d+$/.test(days.trim()) ? Number(days) : NaN, subject, text }));

type Steps = RemindersForm['steps'];

/**
 * Returns the names of the settings that the user has changed. A reminder is named by its position, for example
 * "Reminder 2".
 */
function changesOf(typed: RemindersForm, stored: RemindersForm): string[] {
  const plain = (steps: Steps, at: number) => steps[at] && { ...steps[at], key: 0 };
  const most = Math.max(typed.steps.length, stored.steps.length);
  const numbers = Array.from({ length: most }, (_, at) => at).filter(
    (at) => !isSame(plain(typed.steps, at), plain(stored.steps, at)),
  );
  return [...(typed.isOn === stored.isOn ? [] : [SWITCH]), ...numbers.map((at) => `Reminder ${at + 1}`)];
}

const SWITCH = 'Send Reminders';

function Form({ reminders }: { reminders: Reminders }) {
  const write = useWrite(sendingCalls.saveReminders);
  const form = useSettingsForm<Reminders, RemindersForm>({
    name: 'reminders',
    asked: REMINDERS,
    saved: reminders,
    formOf,
    changesOf,
    schema: RemindersForm,
    check: (typed) => checkSteps(stepsOf(typed)),
    send: (typed) =>
      write.mutateAsync({ body: { isOn: typed.isOn, steps: stepsOf(typed), rowVersion: typed.rowVersion } }),
    reply: sendingCalls.saveReminders.reply,
    words: { saved: () => `${TITLE} saved` },
  });
  const { steps } = form.values;
  const change = (at: number, part: Partial<RemindersForm['steps'][number]>) =>
    form.patch({ steps: steps.map((step, index) => (index === at ? { ...step, ...part } : step)) });
  const add = () => {
    const { subject, text } = mailWording('reminder');
    const key = Math.max(-1, ...steps.map((step) => step.key)) + 1;
    form.patch({ steps: [...steps, { key, days: '', subject, text }] });
  };
  return (
    <div className="ek-stack">
      <FormNotes form={form} />
      <div className="st-rows">
        <SwitchField {...form.bind('isOn')} label={SWITCH} />
      </div>
      {steps.map((step, at) => {
        const of = `Reminder ${at + 1}: `;
        const bound = (field: 'days' | 'subject' | 'text') => ({
          value: step[field],
          onChange: (value: string) => change(at, { [field]: value }),
          error: form.errorOf(`steps.${at}.${field}`),
          readOnly: form.isReadOnly,
        });
        return (
          <section key={step.key} className="ek-stack st-step" aria-label={`Reminder ${at + 1}`}>
            <div className="ek-form">
              <TextField
                {...bound('days')}
                label={`${of}Days After Due Date`}
                hint="Enter a negative number for days before the due date"
                span={6}
                maxLength={4}
              />
            </div>
            <TextWithChips kind="reminder" of={of} subject={bound('subject')} text={bound('text')} />
            <div>
              <Button
                variant="subtle"
                size="xs"
                className="ek-btn-delete"
                aria-label={`Remove reminder ${at + 1}`}
                onClick={() => form.patch({ steps: steps.filter((_, index) => index !== at) })}
              >
                Remove
              </Button>
            </div>
          </section>
        );
      })}
      {steps.length < MOST_STEPS && (
        <div>
          <Button variant="default" onClick={add}>
            Add Reminder
          </Button>
        </div>
      )}
    </div>
  );
}
