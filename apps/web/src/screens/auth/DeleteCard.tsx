import { authCalls } from '@evenkeel/contract/auth';
import { messageOf, useWrite } from '../../client/api.ts';
import { signOut, useSession } from '../../client/session.ts';
import { ACCOUNT_DELETED } from '../../client/transport.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ConfirmButton } from './ConfirmButton.tsx';

/** Deletes the user's account in this company and signs out. The server rejects this for the last administrator. */
export function DeleteCard() {
  const user = useSession();
  const alerts = useAlerts();
  const remove = useWrite(authCalls.deleteOwnUser);
  if (user === null) return null;
  const run = async () => {
    try {
      await remove.mutateAsync({ params: { id: user.id } });
      signOut(ACCOUNT_DELETED);
    } catch (error) {
      alerts.error(messageOf(error));
    }
  };
  return (
    <Card title="Delete Account">
      <p className="ek-second">
        You'll lose access to this company. Everything you recorded stays in its books and audit log.
      </p>
      <ConfirmButton
        label="Delete My Account"
        question="Delete your account in this company? You will be signed out."
        onConfirm={() => void run()}
      />
    </Card>
  );
}
