import { type RefusedMail, sendingCalls } from '@evenkeel/contract/sending';
import { documentKinds } from '@evenkeel/core/documents/side';
import { mailWording, sentRecordOf } from '@evenkeel/core/words/mailtext';
import { ask, inAlert, messageOf, useRead, useWrite } from '../../../client/api.ts';
import { useMay } from '../../../client/session.ts';
import { useBeside } from '../../../parts/documents/beside.ts';
import { troubles } from '../../../parts/sending/watch.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';

const asked = ask(sendingCalls.refusedMail, {});

/** Undelivered emails, which are listed above the documents until they are sent again or dismissed. */
export function RefusedMails() {
  const { value = [] } = useRead(asked, { keep: true, ...inAlert('Error Loading Emails') });
  return value.map((mail) => <Refused key={mail.id} mail={mail} />);
}

function Refused({ mail }: { mail: RefusedMail }) {
  const { id, kind, number, customerDisplayName } = mail;
  const alerts = useAlerts();
  const manages = useMay()('Manage Billing');
  const dismiss = useWrite(sendingCalls.dismissMail);
  const title = `${mailWording(kind).label} ${number || `for ${customerDisplayName}`}`;
  const about = sentRecordOf(mail);
  const { open } = useBeside((about?.kind ?? documentKinds.invoice).screen.key);
  const away = () => {
    dismiss.mutateAsync({ params: { id } }).catch((error: unknown) => alerts.error(messageOf(error)));
  };
  return (
    <InlineAlert
      kind="Error"
      action={about && { label: `Open ${title}`, run: () => open(about.id) }}
      onClose={manages ? away : undefined}
    >
      {troubles(title, mail).map((words) => (
        <div key={words}>{words}</div>
      ))}
    </InlineAlert>
  );
}
