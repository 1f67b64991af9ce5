import '../../parts/sending/sending.css';
import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { sendingCalls, type SendResult } from '@evenkeel/contract/sending';
import { sendingFault } from '@evenkeel/core/invoice';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ask, messageOf, useSendOne, useStale } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import { INVOICES } from './records.ts';

/** The server takes as many at once. */
const MOST = 100;

const SAYS =
  'Each goes to its customer’s e-mail address, in the words of Settings. One that was sent before is left out.';

interface Chosen {
  rows: readonly BillingInvoiceRow[];
  clear: () => void;
}

/** Sends the invoices that are selected in their list, each by itself: a button for the bar, and the dialog. */
export function useSendSeveral() {
  const [chosen, setChosen] = useState<Chosen>();
  const button = (selected: readonly BillingInvoiceRow[], clear: () => void) => {
    const rows = selected.filter(({ arBillingStatus }) => sendingFault(arBillingStatus) === '');
    return (
      <Button
        variant="default"
        disabled={rows.length === 0 || rows.length > MOST}
        title={rows.length > MOST ? `At most ${MOST} invoices at once` : undefined}
        onClick={() => setChosen({ rows, clear })}
      >
        Send {counted(rows.length, INVOICES.words)}
      </Button>
    );
  };
  const dialog = chosen && <SendSeveral {...chosen} onClose={() => setChosen(undefined)} />;
  return { button, dialog };
}

function SendSeveral({ rows, clear, onClose }: Chosen & { onClose: () => void }) {
  const alerts = useAlerts();
  const stale = useStale();
  const sendOne = useSendOne();
  const [busy, setBusy] = useState(false);
  const [results, setResults] = useState<readonly SendResult[]>();
  const sent = results?.filter(({ ok }) => ok).length ?? 0;
  const send = async () => {
    setBusy(true);
    try {
      const body = rows.map(({ id: invoiceId }) => ({ invoiceId }));
      const answer = await sendOne(ask(sendingCalls.send, { body }));
      if (!Array.isArray(answer)) throw new Error('a list was answered as one e-mail');
      setResults(answer);
      clear();
      stale();
    } catch (error) {
      alerts.error(messageOf(error));
    }
    setBusy(false);
  };
  const done = results !== undefined;
  return (
    <AppModal
      opened
      title={`Send ${counted(rows.length, INVOICES.words)}`}
      onClose={onClose}
      footer={{
        actions: done ? [] : [{ label: 'Cancel', onClick: onClose, quiet: true }],
        primary: done ? { label: 'Done', onClick: onClose } : { label: 'Send', onClick: () => void send(), busy },
      }}
    >
      <div className="ek-stack">
        <p role="status">{done ? `${sent} of ${counted(rows.length, INVOICES.words)} on their way.` : SAYS}</p>
        <ul className="sd-results" aria-label="Invoices">
          {rows.map((row) => (
            <li key={row.id}>
              <span>
                {row.invoiceNumber} <span className="ek-second">{row.customerDisplayName}</span>
              </span>
              <Result result={results?.find(({ invoiceId }) => invoiceId === row.id)} isDone={done} />
            </li>
          ))}
        </ul>
      </div>
    </AppModal>
  );
}

function Result({ result, isDone }: { result: SendResult | undefined; isDone: boolean }) {
  if (!isDone) return null;
  if (result === undefined) return <Status look="open">Not sent</Status>;
  if (result.ok) return <Status look="sent">On its way</Status>;
  return <span className="ek-small">{result.error?.message}</span>;
}
