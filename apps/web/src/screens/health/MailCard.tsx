import { type RefusedMail, sendingCalls } from '@evenkeel/contract/sending';
import { isRecipientMail, mailWording, sentRecordOf } from '@evenkeel/core/words/mailtext';
import { Link } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { recordAddress } from '../../parts/ledger/places.ts';
import { troubles } from '../../parts/sending/watch.ts';
import { Card } from '../../ui/show/Card.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';

/**
 * Emails to customers that were not, or may not have been, delivered. They are listed until they are sent again or
 * dismissed in Billing.
 */
export function MailCard() {
  const { value, error, retry } = useRead(ask(sendingCalls.refusedMail, {}), { keep: true });
  const count = value?.length ?? 0;
  const mark =
    count === 0 ? <Status look="done">All delivered</Status> : <Status look="late">{`${count} undelivered`}</Status>;
  return (
    <Card title="Emails" actions={value !== undefined && mark}>
      {value === undefined && error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {value === undefined && error === undefined && <p role="status">Loading...</p>}
      {count === 0 && value !== undefined && <p className="ek-second">All emails to customers were delivered.</p>}
      {value !== undefined && count > 0 && (
        <ul className="he-mails" aria-label="Undelivered Emails">
          {value.map((mail) => (
            <Refused key={mail.id} mail={mail} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Refused({ mail }: { mail: RefusedMail }) {
  const { kind, number, customerDisplayName, sentAt } = mail;
  const title = `${mailWording(kind).label} ${number || `for ${customerDisplayName}`}`;
  return (
    <li>
      <div>
        <Link to={placeOf(mail)}>{title}</Link>{' '}
        <span className="ek-second ek-small">
          <MomentText value={sentAt} />
        </span>
      </div>
      {troubles(title, mail).map((words) => (
        <div key={words} className="ek-second ek-small">
          {words}
        </div>
      ))}
    </li>
  );
}

/** Returns the URL of the document's or payment's Sending tab, or of the customer or vendor. */
function placeOf(mail: RefusedMail): string {
  const about = sentRecordOf(mail);
  const address = about && recordAddress(about.kind.source, about.id);
  if (address !== undefined) return `${address}&panel=sending`;
  const { kind, customerId } = mail;
  return isRecipientMail(kind) ? `/vendors?vendor=${customerId}` : `/customers?customer=${customerId}`;
}
