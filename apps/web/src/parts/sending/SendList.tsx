import './sending.css';
import { sendingCalls, type SendInput, type SendResult } from '@evenkeel/contract/sending';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ask, messageOf, placeOf, send, useStale } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { useOnce } from '../../ui/hooks/once.ts';
import { DrawnList } from '../../ui/lines/DrawnList.tsx';
import type { FooterAction } from '../../ui/overlay/FooterBar.tsx';
import { titled } from '../documents/side.ts';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted, type Words } from '../../ui/show/words.ts';

/** The maximum number of emails that the server accepts in one request. */
export const MOST_SENT = 100;

/** The height of a list row in px. */
export const SEND_ROW = 40;

/** An email that is sent together with others. */
export interface SendRow {
  id: number;
  title: ReactNode;
  body: SendInput;
}

const NOTHING_ELSE: readonly FooterAction[] = [];

interface SendListProps {
  rows: readonly SendRow[];
  words: Words;
  /** The accessible name of the list. */
  label: string;
  says: string;
  /** Shown above the list until the emails are sent. */
  children?: ReactNode;
  isBad?: boolean;
  /** The actions next to Send, for example Print. */
  also?: readonly FooterAction[];
  /** Whether the emails are sent as soon as the dialog opens. True if the user has already chosen to send them. */
  starts?: boolean;
  onSent?: () => void;
  onClose: () => void;
}

/** Sends several emails one by one, and shows the result for each. */
export function SendList({ rows, words, label, says, children, also = NOTHING_ELSE, ...props }: SendListProps) {
  const { isBad = false, starts = false, onSent, onClose } = props;
  const alerts = useAlerts();
  const stale = useStale();
  const [busy, setBusy] = useState(false);
  const once = useOnce();
  const [sent, setSent] = useState<{ rows: readonly SendRow[]; results: readonly SendResult[] }>();
  const shown = sent?.rows ?? rows;
  const start = async () => {
    setBusy(true);
    try {
      const results: SendResult[] = [];
      for (let at = 0; at < rows.length; at += MOST_SENT) {
        const asked = ask(sendingCalls.send, { body: rows.slice(at, at + MOST_SENT).map(({ body }) => body) });
        // Sends the emails in batches, one after another. Each batch has its own idempotency key, so that it can be
        // repeated if its response is lost.
        const answer = await send(asked, placeOf(asked, at));
        if (!Array.isArray(answer)) throw new Error('sent a list of emails, but received a single result');
        results.push(...answer);
      }
      setSent({ rows, results });
      onSent?.();
      stale();
      return results;
    } catch (error) {
      alerts.error(messageOf(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const startNow = useEffectEvent(() => void once.run(start));
  useEffect(() => (starts ? startNow() : undefined), [starts]);
  const count = sent?.results.filter(({ ok }) => ok).length ?? 0;
  const primary = {
    label: 'Send',
    onClick: () => void once.run(start),
    busy,
    disabled: isBad || rows.length === 0,
  };
  return (
    <AppModal
      opened
      title={titled(`Send ${counted(shown.length, words)}`)}
      onClose={onClose}
      footer={{
        actions:
          sent !== undefined ? [] : also.length > 0 ? also : [{ label: 'Cancel', onClick: onClose, quiet: true }],
        // Done replaces Send in the same place, so repeated clicks on Send must not close the results.
        primary:
          sent === undefined ? primary : { label: 'Done', onClick: () => (once.isTaken() ? undefined : onClose()) },
      }}
    >
      <div className="ek-stack">
        <p role="status">
          {sent === undefined ? says : `${count} of ${counted(shown.length, words)} sent to the mail server.`}
        </p>
        {sent === undefined && children}
        {(sent !== undefined || children === undefined) && (
          <DrawnList className="sd-results" label={label} rows={shown} keyOf={({ id }) => id} height={SEND_ROW}>
            {(row, at) => (
              <>
                <span>{row.title}</span>
                {sent !== undefined && <Result result={sent.results[at]} />}
              </>
            )}
          </DrawnList>
        )}
      </div>
    </AppModal>
  );
}

function Result({ result }: { result: SendResult | undefined }) {
  if (result === undefined) return <Status look="open">Not sent</Status>;
  if (result.ok) return <Status look="sent">Sending</Status>;
  return <span className="ek-small">{result.error?.message}</span>;
}
