import './keys.css';
import { accountCalls } from '@evenkeel/contract/account';
import {
  agentCalls,
  type KeyPolicy,
  KeyPolicyRecord,
  MOST_COUNT,
  POLICY_GROUPS,
  type PolicyGroup,
  policyGroups,
} from '@evenkeel/contract/agents';
import type { PasskeyAnswer } from '@evenkeel/contract/passkeys';
import { type Cents, formatAmount } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { ask, inAlert, messageOf, useRead, useWrite } from '../../client/api.ts';
import { answerPasskey, canUsePasskeys } from '../../client/passkeys.ts';
import { useAccountChoices } from '../../parts/choices/accounts.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { QuantityField } from '../../ui/fields/QuantityField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useOnce } from '../../ui/hooks/once.ts';
import { Bar } from '../../ui/show/Bar.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import {
  canBeAllowed,
  policyFaults,
  PolicyForm,
  policyFormOf,
  policyInput,
  type RuleForm,
  ruleIn,
} from './policyForm.ts';

const TITLE = 'Agent Policy';

/**
 * The form for an API key's policy: the changes that its agent can make without approval, and the changes that it can
 * never make.
 */
export function PolicyModal({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useRead(ask(agentCalls.getKeyPolicy, { params: { id } }), { alert: 'Error Loading Agent Policy' });
  return (
    <LoadedModal id={id} read={read} title={TITLE} onClose={onClose} size="lg">
      {(saved) => saved !== undefined && <Policy saved={saved} onClose={onClose} />}
    </LoadedModal>
  );
}

function Policy({ saved, onClose }: { saved: KeyPolicy; onClose: () => void }) {
  const { keyId, keyName, isSaved } = saved;
  const update = useWrite(agentCalls.setKeyPolicy);
  // The password and the passkey are not part of the form, because drafts are stored on the device.
  const [password, setPassword] = useState('');
  const passkey = useRef<PasskeyAnswer>(undefined);
  const form = useRecordForm<Pick<KeyPolicy, 'policy' | 'rowVersion'>, PolicyForm>({
    name: 'agent policy',
    id: keyId,
    saved,
    formOf: (one) => policyFormOf(one ?? saved),
    reply: KeyPolicyRecord,
    schema: PolicyForm,
    check: policyFaults,
    send: (typed) =>
      update.mutateAsync({ params: { id: keyId }, body: policyInput(typed, { password, passkey: passkey.current }) }),
    words: { saved: () => `Policy for ${keyName} saved`, update: 'Error Saving Agent Policy' },
    onSaved: onClose,
  });
  /** Saves with the password, or with a passkey's response, which is valid for one request. */
  const save = (answer?: PasskeyAnswer) => {
    passkey.current = answer;
    form.save();
  };
  return (
    <RecordModal
      form={form}
      title={TITLE}
      size="lg"
      onClose={onClose}
      footer={{ primary: { label: 'Save Policy', onClick: () => save(), busy: form.busy } }}
    >
      <p className="ek-second ky-note">
        An agent can read and propose anything that <b>{keyName}</b> has permission for. Everything that the agent can’t
        do without approval waits in Approvals.
        {!isSaved && ' After you save a policy, the key can make changes only through proposals.'}
      </p>
      <div className="ky-rules" role="group" aria-label="Changes that the agent can make">
        <Fixed label="Read reports, documents, and registers" words="Allowed" />
        {policyGroups.map((group) => (
          <Rule key={group} group={group} form={form} used={saved.used.find((one) => one.group === group)} />
        ))}
        <Fixed label="Users, roles, keys, and closing dates" words="Never allowed for any key" />
      </div>
      <Accounts form={form} locked={saved.locked} />
      <LastDays lastDays={saved.lastDays} />
      <div className="ek-form">
        <TextField
          label="Your Password"
          kind="password"
          value={password}
          onChange={setPassword}
          error={form.errorOf('password')}
          readOnly={form.busy}
          autoComplete="current-password"
          maxLength={1000}
          span={6}
          hint="Required if this policy allows more than the previous policy."
        />
        <PasskeyButton busy={form.busy} error={form.errorOf('passkey')} onAnswer={save} />
      </div>
    </RecordModal>
  );
}

interface PasskeyButtonProps {
  busy: boolean;
  error: string | undefined;
  onAnswer: (answer: PasskeyAnswer) => void;
}

/** Saves with a passkey instead of the password. Shown only to users who have a passkey. */
function PasskeyButton({ busy, error, onAnswer }: PasskeyButtonProps) {
  const alerts = useAlerts();
  const once = useOnce();
  const { value: account } = useRead(ask(accountCalls.getAccount, {}), inAlert('Error Loading Passkeys'));
  if (account === undefined || account.passkeys.length === 0 || !canUsePasskeys()) return null;
  const onClick = () =>
    void once.run(async () => {
      try {
        onAnswer(await answerPasskey('sign in'));
      } catch (failure) {
        alerts.error(messageOf(failure));
      }
      return undefined;
    });
  return (
    <div className="ek-c12 ky-passkey">
      <Button variant="default" disabled={busy} onClick={onClick}>
        Save with Passkey
      </Button>
      {error !== undefined && <InlineAlert kind="Error">{error}</InlineAlert>}
    </div>
  );
}

interface RuleProps {
  group: PolicyGroup;
  form: RecordForm<PolicyForm>;
  used: KeyPolicy['used'][number] | undefined;
}

const MODES = [
  { value: 'never', label: 'Never' },
  { value: 'approval', label: 'Approval' },
  { value: 'upTo', label: 'Up To' },
] as const;

/**
 * Whether the agent can make changes in a group, the limits for changes without approval, and how much of the limits
 * was used today.
 */
function Rule({ group, form, used }: RuleProps) {
  const { values, errorOf, busy } = form;
  const { label, isCounted } = POLICY_GROUPS[group];
  const rule = ruleIn(values, group);
  const isAllowed = rule.mode === 'upTo';
  const patch = (part: Partial<typeof rule>) =>
    form.patch({ rules: { ...values.rules, [group]: { ...rule, ...part } } });
  const shared = (name: 'each' | 'day' | 'count') => ({ error: errorOf(`${group}.${name}`), readOnly: busy });
  return (
    <fieldset className="ky-rule">
      <legend className="ek-vh">{label}</legend>
      <div>
        <span className="ek-medium">{label}</span>
        {used !== undefined && <UsedToday {...used} label={label} isCounted={isCounted} rule={rule} />}
      </div>
      <Choice
        label={`Policy for ${label}`}
        labelHidden
        options={canBeAllowed(group) ? MODES : MODES.slice(0, 2)}
        value={rule.mode}
        disabled={busy}
        onChange={(mode) => patch({ mode })}
      />
      {isAllowed && isCounted && (
        <QuantityField
          {...shared('count')}
          label="Maximum per Day"
          value={rule.count}
          onChange={(count) => patch({ count })}
          places={0}
          max={MOST_COUNT}
        />
      )}
      {isAllowed && !isCounted && (
        <>
          <MoneyField
            {...shared('each')}
            label="Maximum per Change"
            value={rule.each}
            onChange={(each) => patch({ each })}
          />
          <MoneyField {...shared('day')} label="Maximum per Day" value={rule.day} onChange={(day) => patch({ day })} />
        </>
      )}
    </fieldset>
  );
}

interface UsedTodayProps {
  label: string;
  amount: Cents;
  count: number;
  isCounted: boolean;
  rule: RuleForm;
}

/** The used share of a limit at which the limit's bar turns amber. */
const NEAR = 0.8;

/** The changes that the agent made today without approval, with a bar if there is a limit. */
function UsedToday({ label, amount, count, isCounted, rule: { mode, day, count: most } }: UsedTodayProps) {
  const words = isCounted ? `${count} today` : `${formatAmount(amount)} today`;
  const max = mode !== 'upTo' ? 0 : ((isCounted ? most : day) ?? 0);
  const value = isCounted ? count : amount;
  return (
    <div className="ky-used" data-near={value >= max * NEAR ? '' : undefined}>
      <span className="ek-muted ek-small ek-num">{words}</span>
      {max > 0 && <Bar label={`${label} today`} value={Math.min(value, max)} max={max} />}
    </div>
  );
}

/** A rule that no policy can change. */
function Fixed({ label, words }: { label: string; words: string }) {
  return (
    <div className="ky-rule">
      <span className="ek-medium">{label}</span>
      <span className="ek-muted">{words}</span>
    </div>
  );
}

function LastDays({ lastDays: { committed, approved, rejected, undone } }: Pick<KeyPolicy, 'lastDays'>) {
  return (
    <div className="ek-stack ky-accounts">
      <h3>Last 30 Days</h3>
      <Facts
        facts={[
          { label: 'Made without approval', value: committed },
          { label: 'Approved by a user', value: approved },
          { label: 'Rejected', value: rejected },
          { label: 'Undone later', value: undone },
        ]}
      />
    </div>
  );
}

/** The accounts that the agent can never use. Accounts that are locked for every key can't be removed. */
function Accounts({ form, locked }: { form: RecordForm<PolicyForm>; locked: KeyPolicy['locked'] }) {
  const { accounts } = useAccountChoices();
  const { accountIds } = form.values;
  const isTaken = (id: number) => accountIds.includes(id) || locked.some(({ accountId }) => accountId === id);
  const set = (ids: number[]) => form.patch({ accountIds: ids });
  const labelOf = (id: number) => accounts.find((one) => one.id === id)?.label ?? '';
  return (
    <div className="ek-stack ky-accounts">
      <h3>Accounts the Agent Can't Use</h3>
      <p className="ek-muted">
        {locked.map(({ account }) => account).join(', ')}: locked for every key, because agents could use these accounts
        to force the books to balance.
      </p>
      {accountIds.map((id) => (
        <div key={id} className="ky-account">
          {labelOf(id)}
          <button
            type="button"
            className="ek-link"
            disabled={form.busy}
            aria-label={`Allow ${labelOf(id)}`}
            onClick={() => set(accountIds.filter((one) => one !== id))}
          >
            Allow
          </button>
        </div>
      ))}
      <div className="ek-form">
        <Picker
          label="Add Account"
          span={6}
          value={null}
          readOnly={form.busy}
          options={accounts.filter(({ id }) => !isTaken(id))}
          onChange={(id) => id !== null && set([...accountIds, id])}
        />
      </div>
    </div>
  );
}
