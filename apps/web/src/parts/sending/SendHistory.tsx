import './sending.css';
import { type Sending, sendingCalls, type SentMail } from '@evenkeel/contract/sending';
import { mailWording } from '@evenkeel/core/words/mailtext';
import { daysOfStep, isByHand, stepWords } from '@evenkeel/core/words/reminders';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { messageOf, useRead, useWrite } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status, type StatusLook } from '../../ui/show/Status.tsx';
import { attachmentsFormOf } from '../attachments/attachmentForm.ts';
import { AttachmentList } from '../attachments/AttachmentList.tsx';
import { usePrivateLink } from './privateLink.ts';
import { linkedNoun, type SendSubject } from './subjects.ts';
import { LOOK_MS } from './watch.ts';

/**
 * The emails sent for a record (sender, recipients, time, and the mail server's response), and the visits to its
 * private link.
 */
export function SendHistory({ subject }: { subject: SendSubject }) {
  const first = useRead(subject.asked);
  const isWaiting = first.value?.history.some((mail) => mail.sendAt === null && isQueued(mail));
  const { value, error, retry } = useRead(subject.asked, isWaiting === true ? { everyMs: LOOK_MS } : {});
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (value === undefined) return <p role="status">Loading...</p>;
  const { history } = value;
  return (
    <div className="ek-stack">
      {linkedNoun(value.kind) !== undefined && <PrivateLink sending={value} />}
      {history.length === 0 ? <p className="ek-muted">Not sent yet.</p> : <Events sending={value} />}
    </div>
  );
}

const isQueued = ({ recipients }: SentMail): boolean => recipients.some(({ state }) => state === 'queued');

interface Event {
  key: string;
  at: string;
  show: ReactNode;
}

function Events({ sending }: { sending: Sending }) {
  const views = sending.link.viewedAt.map((at, index): Event => {
    const count = sending.link.viewedAt.length - index;
    return { key: `view ${at} ${count}`, at, show: <View at={at} count={count} /> };
  });
  const mails = sending.history.map((mail): Event => ({
    key: `mail ${mail.id}`,
    at: mail.sentAt,
    show: <Mail {...{ mail }} />,
  }));
  const events = [...views, ...mails].toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <ul className="sd-events" aria-label="Sending">
      {events.map(({ key, show }) => (
        <li key={key}>{show}</li>
      ))}
    </ul>
  );
}

function View({ at, count }: { at: string; count: number }) {
  return (
    <>
      <div className="sd-event-head">
        <Status look="partial">Viewed</Status>
        <span className="ek-muted ek-small">
          <MomentText value={at} />
        </span>
      </div>
      <div className="ek-small">
        {count === 1
          ? 'Opened with the private link for the first time'
          : `Opened ${count} times with the private link`}
      </div>
    </>
  );
}

const LOOKS: Record<SentMail['recipients'][number]['state'], { look: StatusLook; label: string }> = {
  queued: { look: 'open', label: 'Waiting' },
  sent: { look: 'done', label: 'Delivered' },
  refused: { look: 'late', label: 'Undelivered' },
  unsure: { look: 'low', label: 'Not confirmed' },
};

/** Returns the title, for example "Invoice sent again". For a reminder, includes the step. */
function titleOf(mail: SentMail): string {
  const { kind, step } = mail;
  const { label } = mailWording(kind);
  if (mail.sendAt !== null && isQueued(mail)) return `${label} scheduled`;
  if (kind === 'reminder' && isByHand(step)) return `${label} sent`;
  if (kind === 'reminder') return `${label}, ${stepWords(daysOfStep(step)).toLowerCase()}`;
  return `${label} ${step === 1 ? 'sent' : 'resent'}`;
}

function Mail({ mail }: { mail: SentMail }) {
  return (
    <>
      <div className="sd-event-head">
        <span className="ek-semi">{titleOf(mail)}</span>
        <span className="ek-muted ek-small">
          <MomentText value={mail.sentAt} />
        </span>
      </div>
      <MailDetails mail={mail} />
    </>
  );
}

/** The sender, the attachments, and the addresses with the mail server's responses. */
export function MailDetails({ mail }: { mail: SentMail }) {
  return (
    <>
      <div className="ek-small">By {mail.sentBy}</div>
      {mail.sendAt !== null && isQueued(mail) && <Scheduled id={mail.id} sendAt={mail.sendAt} />}
      {mail.documentLinks.length > 0 && <AttachmentList links={attachmentsFormOf(mail.documentLinks)} />}
      {mail.recipients.map(({ address, isCopy, state, answer, attempts }) => (
        <div key={address}>
          <div className="sd-event-head">
            <span>
              {isCopy ? 'Cc' : 'To'} {address}
            </span>
            <Status look={LOOKS[state].look}>{LOOKS[state].label}</Status>
          </div>
          {answer !== '' && (
            <div className="ek-muted ek-small">
              {answer}
              {state === 'queued' && attempts > 0 ? `, tried ${attempts === 1 ? 'once' : `${attempts} times`}` : ''}
            </div>
          )}
        </div>
      ))}
    </>
  );
}

/** The time of a scheduled email, with a button that cancels it. */
function Scheduled({ id, sendAt }: { id: number; sendAt: string }) {
  const alerts = useAlerts();
  const manages = useMay()('Manage Billing');
  const cancel = useWrite(sendingCalls.cancelMail);
  const onCancel = () =>
    cancel.mutateAsync({ params: { id } }).then(
      () => alerts.success('Scheduled email canceled'),
      (error: unknown) => alerts.error(messageOf(error)),
    );
  return (
    <div className="sd-event-head">
      <span className="ek-small">
        Will be sent <MomentText value={sendAt} />
      </span>
      {manages && (
        <Button variant="subtle" size="xs" loading={cancel.isPending} onClick={() => void onCancel()}>
          Cancel Email
        </Button>
      )}
    </div>
  );
}

function PrivateLink({ sending: { kind, id, link } }: { sending: Sending }) {
  const manages = useMay()('Manage Billing');
  const { copy, isCopying, revoke, isRevoking } = usePrivateLink({ kind, id });
  if (!manages) return null;
  return (
    <div className="sd-event-head">
      <span className="ek-muted ek-small">
        {link.isLive ? `Anyone with the private link can open this ${linkedNoun(kind) ?? ''}. ` : 'No private link.'}
        {link.madeAt !== null && (
          <>
            The link was created <MomentText value={link.madeAt} />
            {link.endsAt !== null && (
              <>
                {' '}
                and expires <MomentText value={link.endsAt} />
              </>
            )}
            .
          </>
        )}
      </span>
      <span>
        <Button variant="subtle" size="xs" loading={isCopying} onClick={() => void copy()}>
          Copy New Link
        </Button>
        {link.isLive && (
          <Button variant="subtle" size="xs" loading={isRevoking} onClick={() => void revoke()}>
            Revoke Link
          </Button>
        )}
      </span>
    </div>
  );
}
