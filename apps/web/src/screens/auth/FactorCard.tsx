import { accountCalls, type Account } from '@evenkeel/contract/account';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../client/transport.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { FactorSetup } from './FactorSetup.tsx';
import type { Has } from '../../client/passkeys.ts';
import { Proof, type Proved } from './Proof.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type Factor = Account['secondFactor'];
/** The action in progress on the card. */
type Act = 'set up' | 'renew' | 'turn off';

function sentence({ isOn, isRequired }: Factor, hasPasskeys: boolean): string {
  if (hasPasskeys && !isOn)
    return 'After you enter your password, you are asked for your passkey. You can also add an authenticator app.';
  const required = isRequired ? ' Your company requires two-step verification.' : '';
  return `After you enter your password, you are asked for a code.${required}`;
}

export interface FactorCardProps {
  factor: Factor;
  hasPasskeys: boolean;
}

/** The status of two-step verification with an authenticator app, and the steps to change it. */
export function FactorCard({ factor, hasPasskeys }: FactorCardProps) {
  const [act, setAct] = useState<Act>();
  const end = () => setAct(undefined);
  const has = { code: factor.isOn, passkey: hasPasskeys };
  const isSetUp = act === 'set up' && !factor.isOn;
  return (
    <Card title="Two-Step Verification" actions={<FactorBadge factor={factor} isSetUp={isSetUp} />}>
      <p className="ek-second">{sentence(factor, hasPasskeys)}</p>
      {isSetUp && <FactorSetup has={has} onDone={end} onCancel={end} />}
      {factor.isOn && act === 'renew' && <Renew has={has} onEnd={end} />}
      {factor.isOn && act === 'turn off' && <TurnOff has={has} isRequired={factor.isRequired} onEnd={end} />}
      {factor.isOn && act === undefined && <WhenOn factor={factor} onAct={setAct} />}
      {!factor.isOn && !isSetUp && (
        <div className="ac-acts">
          <Button onClick={() => setAct('set up')}>Set Up</Button>
        </div>
      )}
    </Card>
  );
}

function FactorBadge({ factor, isSetUp }: { factor: Factor; isSetUp: boolean }) {
  if (isSetUp) return <Status look="low">Setup started</Status>;
  return factor.isOn ? <Status look="done">On</Status> : <Status look="open">Off</Status>;
}

function WhenOn({ factor, onAct }: { factor: Factor; onAct: (act: Act) => void }) {
  const { codesLeft, since } = factor;
  return (
    <>
      <p>
        On since <MomentText value={since} />.
      </p>
      {codesLeft > 2 ? (
        <p>You have {codesLeft} of 10 recovery codes left.</p>
      ) : (
        <InlineAlert kind="Info">
          You have {codesLeft === 0 ? 'no' : `${codesLeft} of 10`} recovery codes left. Create new codes so that you can
          sign in if you lose your phone.
        </InlineAlert>
      )}
      <div className="ac-acts">
        <Button variant="default" onClick={() => onAct('renew')}>
          New Recovery Codes
        </Button>
        <Button variant="default" onClick={() => onAct('turn off')}>
          Turn Off
        </Button>
      </div>
    </>
  );
}

function TurnOff({ has, isRequired, onEnd }: { has: Has; isRequired: boolean; onEnd: () => void }) {
  const alerts = useAlerts();
  const send = async (body: Proved) => {
    await call(accountCalls.removeFactor, { body });
    alerts.success('Two-step verification is off. You were signed out on your other devices.');
    onEnd();
  };
  if (isRequired && !has.passkey) {
    return (
      <>
        <p>
          Your company requires two-step verification, so add a passkey first. If you lose your phone, an administrator
          can remove the authenticator app.
        </p>
        <div className="ac-foot">
          <Button variant="subtle" onClick={onEnd}>
            Back
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p>
        {has.passkey
          ? 'You keep your passkeys, and you are asked for a passkey after you enter your password.'
          : 'After that, you sign in with only your password.'}
      </p>
      <Proof has={has} label="Turn Off" send={send} onEnd={onEnd} />
    </>
  );
}

function Renew({ has, onEnd }: { has: Has; onEnd: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const send = async (body: Proved) => setCodes((await call(accountCalls.newRecoveryCodes, { body })).recoveryCodes);
  if (codes === undefined) {
    return (
      <>
        <p>This creates 10 new codes. Your old codes stop working, and you are signed out on your other devices.</p>
        <Proof has={has} label="Create New Codes" send={send} onEnd={onEnd} />
      </>
    );
  }
  return (
    <>
      <p>Save these codes. You can use each code once to sign in without your phone. They are shown only once.</p>
      <RecoveryCodes codes={codes} />
      <div className="ac-foot">
        <Button onClick={onEnd}>I Saved My Codes</Button>
      </div>
    </>
  );
}
