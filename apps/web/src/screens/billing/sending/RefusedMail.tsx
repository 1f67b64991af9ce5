import { type RefusedMail, sendingCalls } from '@evenkeel/contract/sending';
import { mailWording } from '@evenkeel/core/words/mailtext';
import { ask, inAlert, messageOf, useRead, useWrite } from '../../../client/api.ts';
import { useMay } from '../../../client/session.ts';
import type { OpenRecord } from '../../../records/openRecord.ts';
import { troubles } from '../../../parts/sending/watch.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';

const asked = ask(sendingCalls.refusedMail, {});

/** The functions that open the document that an email was sent for. */
type Openers = Record<'invoice' | 'estimate' | 'credit' | 'payment', OpenRecord>;

/** Undelivered emails, listed above the documents until they are sent again or dismissed. */
export function RefusedMails({ place }: { place: Openers }) {
  const { value = [] } = useRead(asked, { keep: true, ...inAlert('Error Loading Emails') });
  return value.map((mail) => <Refused key={mail.id} mail={mail} place={place} />);
}

function Refused({ mail, place }: { mail: RefusedMail; place: Openers }) {
  const { id, kind, number, customerDisplayName, invoiceId, estimateId, creditId, paymentId } = mail;
  const alerts = useAlerts();
  const manages = useMay()('Manage Billing');
  const dismiss = useWrite(sendingCalls.dismissMail);
  const title = `${mailWording(kind).label} ${number || `of ${customerDisplayName}`}`;
  const about = [
    { of: place.invoice, at: invoiceId },
    { of: place.estimate, at: estimateId },
    { of: place.credit, at: creditId },
    { of: place.payment, at: paymentId },
  ].find(({ at }) => at !== null);
  const away = () => {
    dismiss.mutateAsync({ params: { id } }).catch((error: unknown) => alerts.error(messageOf(error)));
  };
  return (
    <InlineAlert
      kind="Error"
      action={about && { label: `Open ${title}`, run: () => about.of.open(about.at ?? 0) }}
      onClose={manages ? away : undefined}
    >
      {troubles(title, mail).map((words) => (
        <div key={words}>{words}</div>
      ))}
    </InlineAlert>
  );
}
