import './webhooks.css';
import { type Webhook, webhookCalls, type WebhookDelivery } from '@evenkeel/contract/webhooks';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ask, inAlert, messageOf, useRead, useWrite } from '../../client/api.ts';
import { ListScreen } from '../../records/ListScreen.tsx';
import { useAddressChoice, useOpenRecord } from '../../records/openRecord.ts';
import type { PageAsk } from '../../records/reads.ts';
import { useList } from '../../records/records.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { Chips } from '../../ui/page/Chips.tsx';
import { Status } from '../../ui/show/Status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { DeliveryPanel } from './DeliveryPanel.tsx';
import { ShownOnce } from './ShownOnce.tsx';
import { type SavedWebhook, WebhookModal } from './WebhookModal.tsx';
import { durationWords, momentWords, recordWords } from './webhookWords.ts';

const WEBHOOKS = ask(webhookCalls.listWebhooks, {});
const WORDS = { one: 'webhook', many: 'webhooks' };
const EVENTS = { one: 'event', many: 'events', loadAll: 'Error Loading Events' };
/** The polling interval of the log in ms. The log changes while events are sent. */
const LIVE_MS = 15_000;

function DeliveryStatus({ row: { status, attempts, nextAt } }: { row: WebhookDelivery }) {
  if (status === 'delivered') return <Status look="done">Delivered</Status>;
  if (status === 'failed') return <Status look="wrong">Failed</Status>;
  if (nextAt === null) return <Status look="hold">Paused</Status>;
  return attempts === 0 ? (
    <Status look="open">Waiting</Status>
  ) : (
    <Status look="low">Retry {momentWords(nextAt)}</Status>
  );
}

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: 'event', header: 'Event', value: (row) => row.event, rank: 0, sortable: false },
  { id: 'title', header: 'Record', value: recordWords, sortable: false },
  {
    id: 'sentAt',
    header: 'Sent',
    value: (row) => row.sentAt ?? row.at,
    render: (row) => <span className="ek-num">{momentWords(row.sentAt ?? row.at)}</span>,
    width: '170px',
    sortable: false,
  },
  {
    id: 'responseStatus',
    header: 'Response',
    kind: 'number',
    value: (row) => row.responseStatus,
    render: ({ responseStatus: status, status: state }) =>
      status === null ? '' : <span className={state === 'delivered' ? undefined : 'ek-bad'}>{status}</span>,
    width: '96px',
    sortable: false,
  },
  {
    id: 'milliseconds',
    header: 'Time',
    kind: 'number',
    value: (row) => row.milliseconds,
    render: (row) => (row.milliseconds === null ? '' : durationWords(row.milliseconds)),
    width: '92px',
    quiet: true,
    sortable: false,
  },
  { id: 'attempts', header: 'Attempts', kind: 'number', value: (row) => row.attempts, width: '92px', sortable: false },
  {
    id: 'status',
    header: 'Status',
    kind: 'status',
    value: (row) => row.status,
    render: (row) => <DeliveryStatus row={row} />,
    width: '190px',
    rank: 0,
    sortable: false,
  },
];

const phoneRow = (row: WebhookDelivery): PhoneRow => ({
  title: row.event,
  amount: <DeliveryStatus row={row} />,
  detail: recordWords(row),
  aside: <span className="ek-muted ek-num">{momentWords(row.sentAt ?? row.at)}</span>,
});

const PARTS = ['all', 'failed', 'retrying'] as const;
const PART_LABELS = { all: 'All', failed: 'Failed', retrying: 'Retrying' };

/** The secret of a webhook that was just added or rotated. */
function NewSecret({ saved: { secret = '', record }, onClose }: { saved: SavedWebhook; onClose: () => void }) {
  return (
    <ShownOnce
      title="Copy Your Webhook Secret"
      noun="secret"
      label="Webhook secret"
      secret={secret}
      warning="Store the secret where your program can read it. If you lose the secret, rotate it."
      onClose={onClose}
    >
      <p>
        This is the only time the secret for <b>{record.name}</b> is shown. Your program uses the secret to check that
        events come from Evenkeel.
      </p>
      {record.oldSecretUntil !== null && (
        <p>Until {momentWords(record.oldSecretUntil)}, events are also signed with the previous secret.</p>
      )}
    </ShownOnce>
  );
}

/** The name, address, and state of a webhook, and the reason if it is paused. */
function WebhookHead({ webhook, onEdit, onRotate, onResume }: HeadProps) {
  const { name, url, status, failures, pausedByFailures } = webhook;
  const paused = pausedByFailures
    ? `${name} is paused because ${failures} attempts failed in a row. Its events are kept for up to 30 days.`
    : `${name} is paused. Its events are kept for up to 30 days.`;
  return (
    <>
      <div className="wh-head">
        <span className="wh-url" title={url}>
          {url}
        </span>
        {status === 'active' && <Status look="done">Active</Status>}
        {status === 'paused' && <Status look="hold">Paused</Status>}
        <div className="wh-buttons">
          <Button variant="default" size="xs" onClick={onEdit}>
            Edit Webhook
          </Button>
          <Button variant="default" size="xs" onClick={onRotate}>
            Rotate Secret
          </Button>
        </div>
      </div>
      {status === 'paused' && (
        <div className="wh-alert">
          <InlineAlert kind="Warning" action={{ label: 'Resume', run: onResume }}>
            {paused}
          </InlineAlert>
        </div>
      )}
    </>
  );
}

interface HeadProps {
  webhook: Webhook;
  onEdit: () => void;
  onRotate: () => void;
  onResume: () => void;
}

/** Returns the actions for a webhook. A failure is shown as an alert. */
function useActions({ id, name }: Webhook, onSecret: (saved: SavedWebhook) => void) {
  const alerts = useAlerts();
  const pausing = useWrite(webhookCalls.pauseWebhook);
  const resuming = useWrite(webhookCalls.resumeWebhook);
  const rotating = useWrite(webhookCalls.rotateWebhookSecret);
  const testing = useWrite(webhookCalls.sendTestEvent);
  const isBusy = [pausing, resuming, rotating, testing].some(({ isPending }) => isPending);
  const acting = (work: () => Promise<void>) => () => {
    if (!isBusy) work().catch((error: unknown) => alerts.error(messageOf(error)));
  };
  const input = { params: { id } };
  return {
    pause: acting(async () => {
      await pausing.mutateAsync(input);
      alerts.success(`${name} paused`);
    }),
    resume: acting(async () => {
      await resuming.mutateAsync(input);
      alerts.success(`${name} resumed. Sending the waiting events.`);
    }),
    rotate: acting(async () => onSecret(await rotating.mutateAsync(input))),
    test: acting(async () => {
      await testing.mutateAsync(input);
      alerts.success('Sending a test event');
    }),
  };
}

interface LogProps {
  webhook: Webhook;
  webhooks: readonly Webhook[];
  onChoose: (id: string) => void;
  onEdit: (id: number) => void;
  onSecret: (saved: SavedWebhook) => void;
}

/** The log of one webhook. Each webhook has a tab. */
function WebhookLog({ webhook, webhooks, onChoose, onEdit, onSecret }: LogProps) {
  const { id } = webhook;
  const open = useOpenRecord('event', { hasNew: false });
  const [part, setPart] = useAddressChoice('part', PARTS);
  const { pause, resume, rotate, test } = useActions(webhook, onSecret);
  const status = part === 'all' ? {} : { status: part };
  const log = {
    words: EVENTS,
    everyMs: LIVE_MS,
    list: (_: boolean, page: PageAsk) =>
      ask(webhookCalls.listWebhookDeliveries, { params: { id }, query: { ...status, ...page } }),
  };
  const read = useList(log);
  const isActive = webhook.status === 'active';
  return (
    <ListScreen<WebhookDelivery>
      title="Webhooks"
      label={`Events for ${webhook.name}`}
      read={read}
      words={EVENTS}
      columns={COLUMNS}
      rowId={(row) => String(row.id)}
      sort=""
      search="Event or record"
      hint="Changes to the selected types of records appear here."
      tabs={{
        tabs: webhooks.map((one) => ({ value: String(one.id), label: one.name })),
        value: String(id),
        onChange: onChoose,
      }}
      secondary={[{ label: 'Send Test Event', onClick: test, disabled: !isActive, icon: null }]}
      more={isActive ? [{ label: 'Pause Webhook', onClick: pause }] : [{ label: 'Resume Webhook', onClick: resume }]}
      add={{ label: 'Add Webhook', onClick: () => onEdit(0) }}
      chips={
        <>
          <WebhookHead webhook={webhook} onEdit={() => onEdit(id)} onRotate={rotate} onResume={resume} />
          <Chips
            label="Filter the log"
            chips={PARTS.map((value) => {
              const counted = read.parts?.[value];
              return { value, label: PART_LABELS[value], ...(counted && { part: { count: counted.count } }) };
            })}
            value={part}
            onChange={setPart}
          />
        </>
      }
      onOpen={(row) => open.open(row.id)}
      onEscape={open.close}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      phoneRow={phoneRow}
      panel={
        open.id !== undefined && (
          <DeliveryPanel
            key={open.id}
            webhookId={id}
            eventId={open.id}
            canSend={isActive}
            everyMs={LIVE_MS}
            onClose={open.close}
          />
        )
      }
    />
  );
}

/** The company's webhooks and their logs, for administrators. */
export function WebhooksScreen() {
  const read = useRead(WEBHOOKS, { keep: true, everyMs: LIVE_MS, ...inAlert('Error Loading Webhooks') });
  const form = useOpenRecord('edit');
  const [secret, setSecret] = useState<SavedWebhook>();
  const all = read.value ?? [];
  const [chosen, choose] = useAddressChoice('webhook', ['', ...all.map(({ id }) => String(id))]);
  const webhook = all.find(({ id }) => String(id) === chosen) ?? all[0];
  const edited = form.id === undefined || form.id === 0 ? undefined : all.find(({ id }) => id === form.id);
  const isOpen = form.id === 0 || edited !== undefined;
  const onSaved = (saved: SavedWebhook) => {
    if (saved.secret !== undefined) setSecret(saved);
    form.close();
  };
  return (
    <>
      {webhook === undefined ? (
        <ListScreen<Webhook>
          title="Webhooks"
          read={read}
          words={WORDS}
          columns={[{ id: 'name', header: 'Name', value: ({ name }) => name }]}
          rowId={({ id }) => String(id)}
          sort="name"
          search="Search Webhooks..."
          hint="A webhook notifies a program, such as an online store, of changes in your books."
          add={{ label: 'Add Webhook', onClick: () => form.open(0) }}
        />
      ) : (
        <WebhookLog
          key={webhook.id}
          webhook={webhook}
          webhooks={all}
          onChoose={choose}
          onEdit={form.open}
          onSecret={setSecret}
        />
      )}
      {isOpen && secret === undefined && (
        <WebhookModal key={`edit ${form.id}`} saved={edited} onClose={form.close} onSaved={onSaved} />
      )}
      {secret !== undefined && <NewSecret saved={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
