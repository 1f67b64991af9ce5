import './rules.css';
import { BankRule } from '@evenkeel/contract/bankRules';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import { ask, useRead } from '../../../client/api.ts';
import { useBanks } from '../../../parts/banking/moves.ts';
import { usePostingAccounts } from '../../../parts/banking/postingAccounts.ts';
import { keeping } from '../../../parts/choices/choice.ts';
import { useDimensions } from '../../../parts/choices/dimensions.ts';
import { CUSTOMERS, useEntityOptions, VENDORS } from '../../../parts/choices/entities.ts';
import { useManages } from '../../../records/active.tsx';
import { LoadedModal, recordFooter, RecordModal } from '../../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../../records/records.ts';
import { binderOf, type RecordForm, telling, useRecordForm } from '../../../records/useRecordForm.ts';
import { CheckField } from '../../../ui/fields/CheckField.tsx';
import { MoneyField } from '../../../ui/fields/MoneyField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { QuantityField } from '../../../ui/fields/QuantityField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useSettled } from '../../../ui/hooks/settled.ts';
import { Choice } from '../../../ui/show/Choice.tsx';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import { bankRules } from '../statements/statements.ts';
import { Rehearsal } from './Rehearsal.tsx';
import {
  RuleForm,
  rehearsalInput,
  ruleFaults,
  ruleFormOf,
  ruleInput,
  type RuleLineForm,
  withRuleLine,
} from './ruleForm.ts';

export interface RuleModalProps {
  /** The ID of the rule. 0 for a new one. */
  id: number;
  /** The initial values of a new rule, as suggested after two similar actions. */
  starts?: Partial<RuleForm> | undefined;
  onClose: () => void;
}

/** The Rule modal, which previews the rule before the user saves it. */
export function RuleModal(props: RuleModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(bankRules, props.id)} title="Rule" size="lg" onClose={props.onClose}>
      {(saved) => <Loaded {...props} saved={saved} />}
    </LoadedModal>
  );
}

function useRuleForm({ id, saved, starts, onClose }: RuleModalProps & { saved: BankRule | undefined }) {
  const save = useSave(bankRules);
  return useRecordForm<BankRule, RuleForm>({
    name: 'bankrule',
    id,
    saved,
    schema: RuleForm,
    reply: BankRule,
    formOf: (one) => ruleFormOf(one, starts),
    check: ruleFaults,
    send: (typed, { place }) => save(id, ruleInput(typed), place),
    remove: useRemove(bankRules),
    words: { saved: (one) => `Rule ${one.name} saved` },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: !useManages('Manage Banking'),
  });
}

const REST_MS = 300;

/** Loads the preview after the user stops typing, if the rule is complete. */
function useRehearsal(form: RuleForm) {
  const { name: _, ...faults } = ruleFaults({ ...form });
  const isWaiting = Object.keys(faults).length > 0;
  const typed = JSON.stringify(rehearsalInput(form));
  const edited = useMemo(() => ({ typed, body: rehearsalInput(form) }), [form, typed]);
  // With a timer for each value, the previous, incomplete rule could be sent after the first timer ended.
  const settled = useSettled(edited, REST_MS);
  const isSettled = settled.typed === typed;
  const preview = ask(calls.rehearseBankRule, { body: settled.body });
  const read = useRead(preview, { enabled: !isWaiting && isSettled, keep: true });
  const isShown = !isWaiting && isSettled && !read.isStale && read.value !== undefined;
  return { read, isWaiting, isShown };
}

const FIELDS = ['name', 'text', 'from', 'to', 'memo', 'entityId', 'bankAccountId'];
const isOfLine = (path: string) => /^lines\.\d+\./.test(path);

function Loaded(props: RuleModalProps & { saved: BankRule | undefined }) {
  const { saved, onClose } = props;
  const form = useRuleForm(props);
  const rehearsal = useRehearsal(form.values);
  const shown = [...FIELDS, ...Object.keys(form.fields).filter(isOfLine)];
  const question = saved && `Delete ${saved.name}?`;
  const footer = form.isReadOnly ? null : recordFooter(form, question, rehearsal.isWaiting || rehearsal.isShown);
  return (
    <RecordModal
      form={telling(form, shown)}
      title={saved?.name ?? 'Add Rule'}
      size="lg"
      onClose={onClose}
      footer={footer}
    >
      <div className="ek-form">
        <Test form={form} />
        <Booking form={form} />
      </div>
      <section className="ru-rehearsal" aria-label="Rehearsal">
        <h3>In the last twelve months</h3>
        <Rehearsal read={rehearsal.read} isWaiting={rehearsal.isWaiting} />
      </section>
    </RecordModal>
  );
}

const SIDES = [
  { id: 'out' as const, label: 'Money out' },
  { id: 'in' as const, label: 'Money in' },
  { id: 'both' as const, label: 'Money in or out' },
];
const OPERATORS = [
  { id: 'contains' as const, label: 'contains' },
  { id: 'begins' as const, label: 'begins with' },
  { id: 'is' as const, label: 'is' },
];

function Test({ form }: { form: RecordForm<RuleForm> }) {
  const { bind, patch, values, isReadOnly: readOnly } = form;
  const banks = useBanks();
  const options = (banks.value ?? []).map(({ bankingAccountID: id, name: label }) => ({ id, label }));
  return (
    <>
      <TextField {...bind('name')} label="Name" span={8} maxLength={100} autoFocus={!readOnly} />
      <Picker
        {...bind('bankAccountId')}
        options={options}
        isLoading={banks.isLoading}
        label="Bank Account"
        noneLabel="All accounts"
        span={4}
      />
      <Picker
        label="Transactions with"
        options={SIDES}
        value={values.direction}
        onChange={(next) => next !== null && patch({ direction: next, entityId: null })}
        {...{ readOnly }}
        span={4}
      />
      <Picker
        label="Text"
        options={OPERATORS}
        value={values.operator}
        onChange={(next) => next !== null && patch({ operator: next })}
        {...{ readOnly }}
        span={4}
      />
      <TextField {...bind('text')} label="Words" span={4} maxLength={200} />
      <MoneyField {...bind('from')} label="Minimum Amount" span="half" />
      <MoneyField {...bind('to')} label="Maximum Amount" span="half" />
    </>
  );
}

function Booking({ form }: { form: RecordForm<RuleForm> }) {
  const { bind, change, patch, values, errorOf, isReadOnly } = form;
  const isOne = values.lines.length === 1;
  const entities = useEntityOptions(values.direction === 'in' ? CUSTOMERS : VENDORS, values.entityId);
  return (
    <>
      <div className="ru-lines">
        {values.lines.map((line, at) => (
          <RuleLine
            key={line.id}
            form={form}
            at={at}
            line={line}
            onRemove={
              isOne || isReadOnly
                ? undefined
                : () => change((typed) => ({ ...typed, lines: typed.lines.filter(({ id }) => id !== line.id) }))
            }
          />
        ))}
        {errorOf('lines') !== undefined && (
          <p role="alert" className="ru-wrong">
            {errorOf('lines')}
          </p>
        )}
        {!isReadOnly && (
          <Button
            className="ek-btn-link"
            variant="subtle"
            leftSection={<IconPlus {...ICON_SMALL} />}
            onClick={() => change(withRuleLine)}
          >
            Split
          </Button>
        )}
      </div>
      {values.direction !== 'both' && (
        <Picker
          {...bind('entityId')}
          {...entities}
          label={values.direction === 'in' ? 'Customer' : 'Vendor'}
          noneLabel="None"
          span={6}
        />
      )}
      <TextField {...bind('memo')} label="Description" placeholder="Bank Description" span={6} maxLength={500} />
      <Choice
        label="Then"
        options={[
          { value: 'suggest', label: 'Suggest' },
          { value: 'post', label: 'Categorize Automatically' },
        ]}
        value={values.posts ? 'post' : 'suggest'}
        onChange={(next) => patch({ posts: next === 'post' })}
        disabled={isReadOnly}
      />
      <CheckField
        label="Rule is on"
        value={values.active}
        onChange={(active) => patch({ active })}
        disabled={isReadOnly}
      />
    </>
  );
}

interface RuleLineProps {
  form: RecordForm<RuleForm>;
  at: number;
  line: RuleLineForm;
  onRemove: (() => void) | undefined;
}

/** An account with its share, and with the profit center and location if they have options. */
function RuleLine({ form, at, line, onRemove }: RuleLineProps) {
  const accounts = usePostingAccounts(0);
  const { profitCenters, locations } = useDimensions();
  const bind = binderOf<RuleLineForm>({
    values: line,
    onChange: (next) =>
      form.change((typed) => ({ ...typed, lines: typed.lines.map((one) => (one.id === next.id ? next : one)) })),
    errorOf: (name) => form.errorOf(`lines.${at}.${name}`),
    isReadOnly: form.isReadOnly,
  });
  const every = (id: number | null) => accounts.every.find((one) => one.id === id);
  return (
    <div className="ru-line">
      <Picker
        {...bind('accountID')}
        options={keeping(accounts.options, every(line.accountID))}
        isLoading={accounts.isLoading}
        label="Account"
      />
      {profitCenters !== undefined && (
        <Picker {...bind('profitcenterid')} options={profitCenters} label="Profit Center" noneLabel="None" />
      )}
      {locations !== undefined && (
        <Picker {...bind('locationid')} options={locations} label="Location" noneLabel="None" />
      )}
      <QuantityField {...bind('percent')} label="Percent" places={2} max={100} />
      {onRemove !== undefined && (
        <ActionIcon aria-label={`Remove line ${at + 1}`} onClick={onRemove}>
          <IconX {...ICON_SMALL} />
        </ActionIcon>
      )}
    </div>
  );
}
