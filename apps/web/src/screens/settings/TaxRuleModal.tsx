import { TaxRule, taxRuleCalls } from '@evenkeel/contract/taxrules';
import { filingFrequencies } from '@evenkeel/core/documents/salestax';
import { MONTHS } from '@evenkeel/core/dates';
import { usStates } from '@evenkeel/core/geography.data';
import { partName } from '@evenkeel/core/taxes/forms1099';
import {
  badDebtOrders,
  FEDERAL,
  lawBases,
  lawParts,
  type LawTopic,
  lawTopicsOf,
  taxRoundings,
} from '@evenkeel/core/taxes/law';
import { ask, send, useStale } from '../../client/api.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { QuantityField } from '../../ui/fields/QuantityField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import {
  placedTaxRule,
  taxRuleFaults,
  TaxRuleForm,
  taxRuleFormOf,
  taxRuleInput,
  withState,
  withTopic,
} from './taxRuleForm.ts';

export interface TaxRuleModalProps {
  /** The company's rule to edit. Undefined for a new one. */
  rule: TaxRule | undefined;
  /** The included rule that a new rule replaces. */
  based: TaxRule | undefined;
  onClose: () => void;
}

const { createTaxRule, updateTaxRule, deleteTaxRule } = taxRuleCalls;

/** The form for a company's own tax rule. */
export function TaxRuleModal({ rule, based, onClose }: TaxRuleModalProps) {
  const id = rule?.id ?? 0;
  const today = useToday();
  const stale = useStale();
  const form = useRecordForm<TaxRule, TaxRuleForm>({
    name: 'taxrule',
    id,
    saved: rule,
    formOf: (saved) => taxRuleFormOf(saved, { from: today, based }),
    schema: TaxRuleForm,
    check: taxRuleFaults,
    placed: placedTaxRule,
    reply: TaxRule,
    send: async (typed, { place }) => {
      const body = taxRuleInput(typed, typed.from ?? today);
      const saved = await send(
        id === 0 ? ask(createTaxRule, { body }) : ask(updateTaxRule, { params: { id }, body }),
        place,
      );
      stale();
      return saved;
    },
    remove: async () => {
      await send(ask(deleteTaxRule, { params: { id } }));
      stale();
    },
    words: { saved: () => 'Tax rule saved' },
    onSaved: onClose,
    onRemoved: onClose,
  });
  return (
    <RecordModal form={form} title="Tax Rule" question="Delete this rule?" onClose={onClose}>
      <Fields form={form} />
    </RecordModal>
  );
}

/** The United States, for federal rules, followed by the states. */
export const RULE_STATES = [
  { id: FEDERAL, label: 'United States (1099 forms)' },
  ...usStates.map(({ abbrev, displayName }) => ({ id: abbrev, label: displayName })),
];
const FREQUENCIES = filingFrequencies.map(({ id, displayName }) => ({ id, label: displayName }));
const MONTH_OPTIONS = MONTHS.map((label, at) => ({ id: at + 1, label }));

function Fields({ form }: { form: RecordForm<TaxRuleForm> }) {
  const { bind, values, onChange } = form;
  const isFederal = values.state === FEDERAL;
  const chooseTopic = (topic: LawTopic | null) => {
    if (topic !== null && topic !== values.topic) onChange(withTopic(values, topic));
  };
  return (
    <div className="ek-form">
      <Picker
        {...bind('state')}
        onChange={(state) => onChange(withState(values, state))}
        label="State"
        span={6}
        options={RULE_STATES}
        autoFocus
      />
      <Picker {...bind('topic')} onChange={chooseTopic} label="Rule" span={6} options={lawTopicsOf(values.state)} />
      <DateField {...bind('from')} label="Effective From" span={6} />
      {isFederal ? (
        <FormPicker form={form} />
      ) : (
        <Picker
          {...bind('forFrequency')}
          label="For Filing Frequency"
          span={6}
          options={FREQUENCIES}
          noneLabel="All frequencies"
          placeholder="All frequencies"
        />
      )}
      <ValueFields form={form} />
      <TextField
        {...bind('source')}
        label="Source"
        hint="A statute, a regulation, an official page, or a letter from the agency"
        maxLength={200}
      />
      <TextField {...bind('note')} label="Note" maxLength={300} />
    </div>
  );
}

/** The form or box that a federal rule applies to. Empty if the rule applies to all forms or boxes. */
function FormPicker({ form: { bind, values } }: { form: RecordForm<TaxRuleForm> }) {
  const parts = lawParts(values.topic).map((id) => ({ id, label: partName(id) }));
  if (parts.length === 0) return null;
  return (
    <Picker {...bind('forForm')} label={values.topic === 'due' ? 'For Form' : 'For Box'} span={6} options={parts} />
  );
}

/** The fields of the rule's topic. */
function ValueFields({ form: { bind, values } }: { form: RecordForm<TaxRuleForm> }) {
  switch (values.topic) {
    case 'frequency':
      return (
        <>
          <Picker {...bind('frequency')} label="Filing Frequency" span={6} options={FREQUENCIES} />
          <Picker {...bind('firstMonth')} label="First Month of a Period" span={6} options={MONTH_OPTIONS} />
        </>
      );
    case 'due':
      return (
        <>
          <QuantityField {...bind('day')} label="Day" hint="31 is the last day of the month" span={6} places={0} />
          <QuantityField {...bind('months')} label="Months After the Period" span={6} places={0} />
        </>
      );
    case 'discount':
      return (
        <>
          <QuantityField {...bind('percent')} label="Percentage" span={6} places={6} />
          <MoneyField {...bind('upTo')} label="First Amount" hint="Leave empty for all tax" span={6} />
          <QuantityField {...bind('restPercent')} label="Percentage of the Remainder" span={6} places={6} />
          <MoneyField {...bind('most')} label="Maximum" hint="Leave empty for no maximum" span={6} />
        </>
      );
    case 'prepayment':
      return (
        <>
          <MoneyField {...bind('threshold')} label="From" hint="The amount that requires prepayments" span={6} />
          <QuantityField {...bind('percent')} label="Percentage" span={6} places={6} />
        </>
      );
    case 'basis':
      return <Picker {...bind('basis')} label="Accounting Basis" options={lawBases} />;
    case 'rounding':
      return <Picker {...bind('rounding')} label="Rounding" options={taxRoundings} />;
    case 'threshold':
      return (
        <MoneyField {...bind('threshold')} label="From" hint="The payments to a vendor in a calendar year" span={6} />
      );
    case 'withholding':
      return <QuantityField {...bind('percent')} label="Percentage" span={6} places={6} />;
    case 'badDebt':
      return <Picker {...bind('order')} label="Order of Payments" options={badDebtOrders} />;
  }
}
