import { type RefusedMail, sendingCalls } from '@evenkeel/contract/sending';
import { mailWording } from '@evenkeel/core/mailtext';
import { ask, inAlert, messageOf, useRead, useWrite } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import type { DocumentPlace } from '../../parts/documents/useDocumentPlace.ts';
import { troubles } from '../../parts/sending/watch.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';

const asked = ask(sendingCalls.refusedMail, {});

/** E-mails that did not arrive, over the lists, until they are sent again or put away. */
export function RefusedMails({ place }: { place: Pick<DocumentPlace, 'invoice' | 'payment'> }) {
  const { value = [] } = useRead(asked, { keep: true, ...inAlert('Error Loading E-mails') });
  return value.map((mail) => <Refused key={mail.id} mail={mail} place={place} />);
}

function Refused({ mail, place }: { mail: RefusedMail; place: Pick<DocumentPlace, 'invoice' | 'payment'> }) {
  const { id, kind, number, customerDisplayName, invoiceId, paymentId } = mail;
  const alerts = useAlerts();
  const manages = useMay()('Manage Billing');
  const dismiss = useWrite(sendingCalls.dismissMail);
  const title = `${mailWording(kind).label} ${number || `of ${customerDisplayName}`}`;
  const open = () => (invoiceId === null ? place.payment.open(paymentId ?? 0) : place.invoice.open(invoiceId));
  const away = () => {
    dismiss.mutateAsync({ params: { id } }).catch((error: unknown) => alerts.error(messageOf(error)));
  };
  const isOpened = invoiceId !== null || paymentId !== null;
  return (
    <InlineAlert
      kind="Error"
      action={isOpened ? { label: `Open ${title}`, run: open } : undefined}
      onClose={manages ? away : undefined}
    >
      {troubles(title, mail).map((words) => (
        <div key={words}>{words}</div>
      ))}
    </InlineAlert>
  );
}
