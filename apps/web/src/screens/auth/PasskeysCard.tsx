import { accountCalls } from '@evenkeel/contract/account';
import type { Passkey } from '@evenkeel/contract/passkeys';
import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../../client/transport.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { canUsePasskeys, type Has } from '../../client/passkeys.ts';
import { PasskeySetup } from './PasskeySetup.tsx';
import { Proof, type Proved } from './Proof.tsx';

export interface PasskeysCardProps {
  passkeys: readonly Passkey[];
  has: Has;
  /** The initial name of a new passkey, for example "Firefox on Mac". */
  device: string;
}

/** The action in progress on the card: adding a passkey, or removing the passkey with this ID. */
type Act = 'add' | number;

/**
 * The user's passkeys. Each passkey can be used to sign in without a password, or as a second step after the password.
 */
export function PasskeysCard({ passkeys, has, device }: PasskeysCardProps) {
  const [act, setAct] = useState<Act>();
  const end = () => setAct(undefined);
  const add = act === undefined && canUsePasskeys() && (
    <Button variant="default" size="xs" leftSection={<IconPlus {...ICON_SMALL} />} onClick={() => setAct('add')}>
      Add Passkey
    </Button>
  );
  return (
    <Card title="Passkeys" actions={add}>
      <p className="ek-second">
        Sign in with your device's fingerprint, face, or PIN instead of a password. If you sign in with your password,
        you are also asked for the passkey.
      </p>
      {act === 'add' && <PasskeySetup has={has} device={device} onDone={end} onCancel={end} />}
      {passkeys.length > 0 && (
        <ul className="ac-sessions" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <Row key={passkey.id} {...{ passkey, has, act, setAct }} />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface RowProps {
  passkey: Passkey;
  has: Has;
  act: Act | undefined;
  setAct: (act: Act | undefined) => void;
}

function Row({ passkey, has, act, setAct }: RowProps) {
  const { id, name } = passkey;
  return (
    <li data-open={act === id ? '' : undefined}>
      <IconKey {...ICON} aria-hidden />
      <div className="ac-session-words">
        <span className="ek-medium">{name}</span>
        <Used passkey={passkey} />
        {act === id && <Removal passkey={passkey} has={has} onEnd={() => setAct(undefined)} />}
      </div>
      {act === undefined && (
        <Button variant="default" size="xs" aria-label={`Remove ${name}`} onClick={() => setAct(id)}>
          Remove
        </Button>
      )}
    </li>
  );
}

function Used({ passkey: { createdAt, lastUsedAt } }: { passkey: Passkey }) {
  return (
    <span className="ek-second">
      Added <MomentText value={createdAt} />,{' '}
      {lastUsedAt === null ? (
        'not used yet'
      ) : (
        <>
          used <MomentText value={lastUsedAt} />
        </>
      )}
    </span>
  );
}

function Removal({ passkey: { id, name }, has, onEnd }: { passkey: Passkey; has: Has; onEnd: () => void }) {
  const alerts = useAlerts();
  const send = async (body: Proved) => {
    await call(accountCalls.removePasskey, { params: { id }, body });
    alerts.success(`You can no longer sign in with ${name}. You were signed out on your other devices.`);
    onEnd();
  };
  return <Proof {...{ has, send, onEnd }} label="Remove Passkey" />;
}
