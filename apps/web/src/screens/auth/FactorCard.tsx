import { accountCalls, type Account } from '@evenkeel/contract/account';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../client/transport.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { CodeField } from './CodeField.tsx';
import { FactorSetup } from './FactorSetup.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SecretFields } from './SecretFields.tsx';
import { required, useSecretForm } from './secretForm.ts';

type Factor = Account['secondFactor'];
/** The act under way in the card. */
type Act = 'set up' | 'renew' | 'turn off';

function sentence({ isRequired }: Factor): string {
  return `Asked at sign-in after the password.${isRequired ? ' Your company requires it of you.' : ''}`;
}

/** The second factor: how it stands, and in the same card the steps to set it up, renew its codes or turn it off. */
export function FactorCard({ factor }: { factor: Factor }) {
  const [act, setAct] = useState<Act>();
  const end = () => setAct(undefined);
  const isSetUp = act === 'set up' && !factor.isOn;
  return (
    <Card title="Second Factor" actions={<FactorBadge factor={factor} isSetUp={isSetUp} />}>
      <p className="ek-second">{sentence(factor)}</p>
      {isSetUp && <FactorSetup onDone={end} onCancel={end} />}
      {factor.isOn && act === 'renew' && <Renew onEnd={end} />}
      {factor.isOn && act === 'turn off' && <TurnOff factor={factor} onEnd={end} />}
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
  if (isSetUp) return <Status look="low">Being set up</Status>;
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
        <p>{codesLeft} of 10 recovery codes are left.</p>
      ) : (
        <InlineAlert kind="Info">
          {codesLeft === 0 ? 'No recovery code is left.' : `${codesLeft} of 10 recovery codes are left.`} Make new ones:
          they sign you in when the phone is lost.
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

const BLANK = { password: '', code: '' };
const LABELS = { password: 'Current Password', code: 'Code' };

interface ProofProps {
  onEnd: () => void;
  /** The button that sends it. */
  label: string;
  send: (body: typeof BLANK) => Promise<unknown>;
}

/** Password and code, which each change of the factor asks for. */
function Proof({ label, send, onEnd }: ProofProps) {
  const form = useSecretForm({ blank: BLANK, check: (values) => required(values, LABELS), send });
  return (
    <SecretFields form={form}>
      <div className="ac-two">
        <TextField
          label={LABELS.password}
          kind="password"
          autoComplete="current-password"
          autoFocus
          {...form.bind('password')}
        />
        <CodeField {...form.bind('code')} />
      </div>
      <div className="ac-foot">
        <Button variant="subtle" onClick={onEnd}>
          Cancel
        </Button>
        <Button type="submit" loading={form.isBusy}>
          {label}
        </Button>
      </div>
    </SecretFields>
  );
}

function TurnOff({ factor, onEnd }: { factor: Factor; onEnd: () => void }) {
  const alerts = useAlerts();
  const send = async (body: typeof BLANK) => {
    await call(accountCalls.removeFactor, { body });
    alerts.success('Your second factor is off; your other devices were signed out');
    onEnd();
  };
  return (
    <>
      <p>
        The password alone signs you in then.
        {factor.isRequired && ' Your company requires a second factor: you set up another one at once.'}
      </p>
      <Proof label="Turn Off" send={send} onEnd={onEnd} />
    </>
  );
}

function Renew({ onEnd }: { onEnd: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const send = async (body: typeof BLANK) =>
    setCodes((await call(accountCalls.newRecoveryCodes, { body })).recoveryCodes);
  if (codes === undefined) {
    return (
      <>
        <p>Ten new codes; the old ones work no more. Your other devices are signed out.</p>
        <Proof label="Make New Codes" send={send} onEnd={onEnd} />
      </>
    );
  }
  return (
    <>
      <p>Keep these. Each signs you in once, without the phone. They are shown only now.</p>
      <RecoveryCodes codes={codes} />
      <div className="ac-foot">
        <Button onClick={onEnd}>I Have Kept Them</Button>
      </div>
    </>
  );
}
