import './account.css';
import { accountCalls, type NewFactor } from '@evenkeel/contract/account';
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type * as z from 'zod';
import { updateSession } from '../../client/session.ts';
import { call } from '../../client/transport.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { QrCode } from './QrCode.tsx';
import { type Has, proofLabels, proofOf } from '../../client/passkeys.ts';
import { passkeyHint, ProofFields } from './Proof.tsx';
import { CopyButton } from '../../ui/show/CopyButton.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SecretFields } from './SecretFields.tsx';
import { required, useSecretForm } from '../../records/secretForm.ts';

type Begun = z.output<typeof NewFactor>;

export interface FactorSetupProps {
  /** The methods that the user can use to confirm the change. An authenticator app isn't one of them yet. */
  has?: Has;
  onDone: () => void;
  /** Cancels the setup. Omitted if setup is required. */
  onCancel?: (() => void) | undefined;
}

/** Sets up two-step verification in three steps: password, authenticator app, and recovery codes. */
export function FactorSetup(props: FactorSetupProps) {
  const [begun, setBegun] = useState<Begun>();
  return begun === undefined ? <First {...props} onBegun={setBegun} /> : <Rest {...props} begun={begun} />;
}

interface StepProps {
  /** The step number, from 1 to 3. */
  no: number;
  title: string;
  isDone?: boolean;
  children?: ReactNode;
}

function Step({ no, title, isDone = false, children }: StepProps) {
  return (
    <li className="ac-step">
      <span className="ac-step-no" data-done={isDone ? '' : undefined} aria-hidden="true">
        {isDone ? <IconCheck {...ICON_SMALL} /> : no}
      </span>
      <div className="ac-step-body">
        <b className="ek-medium">{title}</b>
        {children}
      </div>
    </li>
  );
}

const NONE: Has = { code: false, passkey: false };

function First({ has = NONE, onBegun, onCancel }: FactorSetupProps & { onBegun: (begun: Begun) => void }) {
  const form = useSecretForm({
    blank: { password: '', code: '' },
    check: (values) => required(values, proofLabels(has)),
    send: async (values) => onBegun(await call(accountCalls.beginFactor, { body: await proofOf(has, values) })),
  });
  const hint = passkeyHint(has);
  return (
    <SecretFields form={form}>
      <ol className="ac-steps">
        <Step no={1} title="Confirm your password">
          <ProofFields form={form} has={has} autoFocus />
          {hint !== undefined && <p className="ek-second">{hint}</p>}
        </Step>
        <Step no={2} title="Scan a QR code with your authenticator app" />
        <Step no={3} title="Save your recovery codes" />
      </ol>
      <div className="ac-foot">
        {onCancel !== undefined && (
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={form.isBusy}>
          Continue
        </Button>
      </div>
    </SecretFields>
  );
}

/** Formats the key in groups of four characters, as authenticator apps show it. */
const inFours = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

function Rest({ begun, onDone, onCancel }: FactorSetupProps & { begun: Begun }) {
  const alerts = useAlerts();
  const [isKept, setKept] = useState(false);
  const form = useSecretForm({
    blank: { code: '' },
    send: async (body) => {
      await call(accountCalls.confirmFactor, { body });
      updateSession({ secondFactorMissing: false });
      alerts.success('Two-step verification is on. You were signed out on your other devices.');
      onDone();
    },
  });
  const isReady = isKept && /^\d{6}$/.test(form.values.code.replace(/\s/g, ''));
  return (
    <SecretFields form={form}>
      <ol className="ac-steps">
        <Step no={1} title="Password confirmed" isDone />
        <Step no={2} title="Scan this QR code with your authenticator app">
          <div className="ac-scan">
            <QrCode text={begun.address} label="QR code for the authenticator app" />
            <div className="ac-scan-words">
              <span className="ek-second">Or enter this key</span>
              <span className="ac-key">{inFours(begun.secret)}</span>
              <CopyButton label="Copy key" text={begun.secret} />
              <TextField
                label="Enter the 6-digit code from the app"
                autoComplete="one-time-code"
                inputMode="numeric"
                maxLength={7}
                {...form.bind('code')}
              />
            </div>
          </div>
        </Step>
        <Step no={3} title="Save these recovery codes">
          <p className="ek-second">
            You can use each code once to sign in without your phone. They are shown only once.
          </p>
          <RecoveryCodes codes={begun.recoveryCodes} />
        </Step>
      </ol>
      <div className="ac-foot">
        <CheckField label="I saved my recovery codes" value={isKept} onChange={setKept} />
        <span className="ek-grow" />
        {onCancel !== undefined && (
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" disabled={!isReady} loading={form.isBusy}>
          Turn On
        </Button>
      </div>
    </SecretFields>
  );
}
