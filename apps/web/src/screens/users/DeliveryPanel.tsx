import './webhooks.css';
import { type WebhookAttempt, webhookCalls, type WebhookDeliveryDetail } from '@evenkeel/contract/webhooks';
import { Link } from 'react-router';
import { ask, messageOf, useRead, useWrite } from '../../client/api.ts';
import { recordAddress } from '../../parts/ledger/places.ts';
import { RecordPanel } from '../../records/RecordPanel.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { isKey } from '../../ui/keys/keys.ts';
import { useKeysHere } from '../../ui/keys/useKeysHere.ts';
import { CopyButton } from '../../ui/show/CopyButton.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import { causeWords, durationWords, momentWords, recordWords, resultWords } from './webhookWords.ts';

const ATTEMPTS: readonly MiniColumn<WebhookAttempt>[] = [
  { header: 'Time', render: ({ at }) => momentWords(at) },
  {
    header: 'Response',
    render: (one) => (one.error === null ? resultWords(one) : <span className="ek-bad">{resultWords(one)}</span>),
  },
  { header: 'Duration', right: true, render: ({ milliseconds }) => durationWords(milliseconds) },
];

function RecordLink({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { kind, recordId, event } = delivery;
  const to = event.endsWith('.deleted') ? undefined : recordAddress(kind, recordId);
  return to === undefined ? recordWords(delivery) : <Link to={to}>{recordWords(delivery)}</Link>;
}

const eventCode = ({ webhookId }: WebhookDeliveryDetail) => <span className="ky-code">{webhookId}</span>;

/** Returns the payload with line breaks, for reading. */
const readable = (payload: string): string => JSON.stringify(JSON.parse(payload), null, 2);

interface DeliveryPanelProps {
  webhookId: number;
  eventId: number;
  /** Whether events can be sent, which is not the case while the webhook is paused. */
  canSend: boolean;
  everyMs: number;
  onClose: () => void;
}

/** An event with its cause, all attempts, and the payload as sent. Resend keeps the event's ID. */
export function DeliveryPanel({ webhookId, eventId, canSend, everyMs, onClose }: DeliveryPanelProps) {
  const alerts = useAlerts();
  const params = { id: webhookId, eventId };
  const read = useRead(ask(webhookCalls.getWebhookDelivery, { params }), { alert: 'Error Loading Event', everyMs });
  const resending = useWrite(webhookCalls.resendWebhookDelivery);
  const resend = async () => {
    if (!canSend || resending.isPending) return;
    try {
      await resending.mutateAsync({ params });
      alerts.success('Resending the event');
    } catch (error) {
      alerts.error(messageOf(error));
    }
  };
  useKeysHere((event) => {
    if (!isKey(event, 'resend') || event.repeat) return false;
    void resend();
    return true;
  });
  const last = read.value?.log.at(-1);
  return (
    <RecordPanel
      read={read}
      kind="Event"
      title={({ event }) => event}
      note={eventCode}
      onClose={onClose}
      footer={{
        actions: [{ label: 'Resend', busy: resending.isPending, disabled: !canSend, onClick: () => void resend() }],
      }}
    >
      {(one) => (
        <div className="ek-stack wh-log">
          <Facts
            facts={[
              { label: 'Record', value: <RecordLink delivery={one} /> },
              { label: 'Caused By', value: causeWords(one) },
              ...(last === undefined
                ? []
                : [{ label: 'Signature', value: <code className="ky-code">{last.signature}</code> }]),
            ]}
          />
          <section>
            <h3>Attempts</h3>
            {one.log.length === 0 ? (
              <p className="ek-muted">The event has not been sent yet.</p>
            ) : (
              <MiniTable label="Attempts" columns={ATTEMPTS} rows={one.log} keyOf={({ attempt }) => attempt} />
            )}
            {one.nextAt !== null && <p className="ek-muted">Next attempt: {momentWords(one.nextAt)}</p>}
            {last?.error !== undefined && last.error !== null && <p className="ek-bad">{last.error}</p>}
            {last?.response !== undefined && last.response !== null && last.response !== '' && (
              <pre className="wh-payload" tabIndex={0} aria-label="Response">
                {last.response}
              </pre>
            )}
          </section>
          <section>
            <div className="wh-events-head">
              <h3>Payload</h3>
              <CopyButton label="Copy Payload" text={one.payload} />
            </div>
            <pre className="wh-payload" tabIndex={0} aria-label="Payload">
              {readable(one.payload)}
            </pre>
          </section>
        </div>
      )}
    </RecordPanel>
  );
}
