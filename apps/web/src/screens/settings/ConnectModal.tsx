import { onlineCalls } from '@evenkeel/contract/online';
import { useWrite } from '../../client/api.ts';
import { required, useSecretForm } from '../../records/secretForm.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';

const LABELS = { key: 'Restricted Key', webhookSecret: 'Webhook Signing Secret', password: 'Your Password' };
const PASSWORD = { kind: 'password', autoComplete: 'current-password', maxLength: 1000 } as const;
/** Password managers must not offer to store a key. */
const SECRET = { kind: 'password', autoComplete: 'one-time-code', maxLength: 300 } as const;

interface DialogProps {
  onClose: () => void;
}

/** The form for the restricted key and the webhook secret. Both are tested before they are stored. */
export function ConnectModal({ isConnected, onClose }: DialogProps & { isConnected: boolean }) {
  const alerts = useAlerts();
  const connect = useWrite(onlineCalls.connectOnlinePayments);
  const form = useSecretForm({
    blank: { key: '', webhookSecret: '', password: '' },
    check: (values) => required(values, LABELS),
    send: async (body) => {
      await connect.mutateAsync({ body });
      alerts.success('Stripe connected');
      onClose();
    },
  });
  const title = isConnected ? 'Replace Key' : 'Connect Stripe';
  return (
    <AppModal
      opened
      title={title}
      size="narrow"
      enterSaves
      dirty={Object.values(form.values).some((value) => value !== '')}
      onClose={onClose}
      footer={{
        actions: [{ label: 'Cancel', quiet: true, onClick: onClose }],
        primary: { label: title, busy: form.isBusy, onClick: () => void form.submit() },
      }}
    >
      <div className="ek-form">
        <TextField label={LABELS.key} {...SECRET} {...form.bind('key')} hint="Begins with rk_" />
        <TextField label={LABELS.webhookSecret} {...SECRET} {...form.bind('webhookSecret')} hint="Begins with whsec_" />
        <TextField label={LABELS.password} {...PASSWORD} {...form.bind('password')} />
      </div>
      {form.failed !== undefined && <InlineAlert kind="Error">{form.failed}</InlineAlert>}
    </AppModal>
  );
}

export function DisconnectModal({ onClose }: DialogProps) {
  const alerts = useAlerts();
  const disconnect = useWrite(onlineCalls.disconnectOnlinePayments);
  const form = useSecretForm({
    blank: { password: '' },
    check: (values) => required(values, { password: LABELS.password }),
    send: async (body) => {
      await disconnect.mutateAsync({ body });
      alerts.success('Stripe disconnected');
      onClose();
    },
  });
  return (
    <AppModal
      opened
      title="Disconnect Stripe"
      size="sm"
      enterSaves
      onClose={onClose}
      footer={{
        actions: [{ label: 'Cancel', quiet: true, onClick: onClose }],
        primary: { label: 'Disconnect', busy: form.isBusy, onClick: () => void form.submit() },
      }}
    >
      <p className="ek-second">
        Customers can no longer pay online, and later refunds and payouts are not posted. Your accounts and entries are
        kept.
      </p>
      <div className="ek-form">
        <TextField label={LABELS.password} {...PASSWORD} {...form.bind('password')} />
      </div>
      {form.failed !== undefined && <InlineAlert kind="Error">{form.failed}</InlineAlert>}
    </AppModal>
  );
}
