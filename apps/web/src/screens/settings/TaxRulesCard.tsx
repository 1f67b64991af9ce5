import { type TaxRule, taxRuleCalls } from '@evenkeel/contract/taxrules';
import { filingFrequencies } from '@evenkeel/core/documents/salestax';
import { formatDate } from '@evenkeel/core/dates';
import { includedStates } from '@evenkeel/core/taxes/law.data';
import { partName } from '@evenkeel/core/taxes/forms1099';
import { formPartIds } from '@evenkeel/core/taxes/ids';
import { lawTopics, lawTopicsOf, lawValueOf, lawWords } from '@evenkeel/core/taxes/law';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { useOpenRecord } from '../../records/openRecord.ts';
import { LoadedModal } from '../../records/RecordModal.tsx';
import { oneOf } from '../../records/records.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import { Section } from './Section.tsx';
import { RULE_STATES, TaxRuleModal } from './TaxRuleModal.tsx';

const RULES = ask(taxRuleCalls.listTaxRules, {});
const HINT =
  "Each state's requirements and the federal rules for 1099 forms, with their effective dates and sources. " +
  "If a rule is missing or doesn't apply to you, add your own.";

const nameOf = (state: string): string => RULE_STATES.find(({ id }) => id === state)?.label ?? state;

/**
 * The rules of sales tax law by state, and the federal rules for 1099 forms: the rules that are included with the
 * product, and the company's own rules, which are marked.
 */
export function TaxRulesCard({ home }: { home: string }) {
  const read = useRead(RULES, { alert: 'Error Loading Tax Rules' });
  const { value: rules, error, retry } = read;
  const [state, setState] = useState(RULE_STATES.some(({ id }) => id === home) ? home : (includedStates[0] ?? null));
  const [based, setBased] = useState<TaxRule>();
  const edited = useOpenRecord('taxrule');
  const openNew = (rule: TaxRule | undefined) => {
    setBased(rule);
    edited.open(0);
  };
  const shown = rules?.filter((rule) => rule.state === state) ?? [];
  const onEdit = (rule: TaxRule) => (rule.isOwn ? edited.open(rule.id) : openNew(rule));
  return (
    <Section
      title="Tax Rules"
      hint={HINT}
      anchor="taxrules"
      actions={
        <Button variant="default" size="xs" onClick={() => openNew(undefined)}>
          Add Tax Rule
        </Button>
      }
    >
      {error !== undefined && <ErrorState message={error} onRetry={() => void retry()} />}
      {rules !== undefined && (
        <div className="ek-stack">
          <Picker label="State" options={RULE_STATES} value={state} onChange={setState} />
          {shown.length === 0 ? (
            <p className="ek-muted">
              {state === null ? 'Select a state.' : `No rules for ${nameOf(state)} yet. Add the rules you need.`}
            </p>
          ) : (
            <>
              <MiniTable
                label={`Tax rules for ${state === null ? '' : nameOf(state)}`}
                className="st-law"
                columns={columnsOf(onEdit)}
                rows={byTopic(shown)}
                keyOf={(rule) => `${rule.id} ${rule.topic} ${rule.forFrequency} ${rule.forForm} ${rule.from}`}
              />
              <Missing rules={shown} state={state} />
            </>
          )}
        </div>
      )}
      {edited.id !== undefined && (
        <LoadedModal
          id={edited.id}
          read={oneOf(read, ({ id, isOwn }) => isOwn && id === edited.id)}
          title="Tax Rule"
          onClose={edited.close}
        >
          {(rule) => <TaxRuleModal rule={rule} based={based} onClose={edited.close} />}
        </LoadedModal>
      )}
    </Section>
  );
}

const topicAt = ({ topic }: TaxRule): number => lawTopics.findIndex(({ id }) => id === topic);
const formAt = ({ forForm }: TaxRule): number => formPartIds.findIndex((id) => id === forForm);

/**
 * Sorts rules by topic, frequency, and form. The company's own rules come before the included ones, and later rules
 * before earlier ones.
 */
function byTopic(rules: readonly TaxRule[]): TaxRule[] {
  return rules.toSorted(
    (a, b) =>
      topicAt(a) - topicAt(b) ||
      (b.forFrequency ?? -1) - (a.forFrequency ?? -1) ||
      formAt(a) - formAt(b) ||
      Number(b.isOwn) - Number(a.isOwn) ||
      (a.from < b.from ? 1 : -1),
  );
}

/** The topics that have no rule, because no official source is known. */
function Missing({ rules, state }: { rules: readonly TaxRule[]; state: string | null }) {
  const missing = lawTopicsOf(state).filter(({ id }) => !rules.some(({ topic }) => topic === id));
  if (missing.length === 0) return null;
  return (
    <p className="ek-muted ek-small">
      Not included, because Evenkeel has no official source: {missing.map(({ label }) => label).join(', ')}.
    </p>
  );
}

/** Returns the filing frequency or the form that a rule applies to, or undefined if the rule applies to all. */
const appliesTo = ({ forFrequency, forForm }: TaxRule): string | undefined =>
  forForm === null ? filingFrequencies.find(({ id }) => id === forFrequency)?.displayName : partName(forForm);

/** Returns the topic of a rule with its frequency or form, for example "Due Date, Form 1099-NEC". */
const nameOfRule = (rule: TaxRule): string =>
  [lawTopics[topicAt(rule)]?.label, appliesTo(rule)].filter(Boolean).join(', ');

const effectiveWords = ({ from, to }: TaxRule): string =>
  to === null ? `From ${formatDate(from)}` : `${formatDate(from)} to ${formatDate(to)}`;

function columnsOf(onEdit: (rule: TaxRule) => void): readonly MiniColumn<TaxRule>[] {
  return [
    {
      header: 'Rule',
      render: (rule) => (
        <>
          {lawTopics[topicAt(rule)]?.label}
          {appliesTo(rule) !== undefined && <span className="ek-second ek-small st-sub">{appliesTo(rule)}</span>}
          <span className="ek-second ek-small st-sub ek-num">{effectiveWords(rule)}</span>
        </>
      ),
    },
    {
      header: 'Value',
      render: (rule) => (
        <>
          {rule.value === null ? <span className="ek-muted">Not included</span> : lawWords(lawValueOf(rule.value))}
          {rule.note !== '' && <span className="ek-second ek-small st-sub">{rule.note}</span>}
          <span className="ek-second ek-small st-sub">
            {rule.isOwn && <Status look="note">Your rule</Status>} {rule.source}
          </span>
        </>
      ),
    },
    {
      header: 'Actions',
      isHeaderHidden: true,
      right: true,
      render: (rule) => (
        <Button
          variant="default"
          size="xs"
          onClick={() => onEdit(rule)}
          aria-label={`Edit ${rule.isOwn ? 'your rule, ' : ''}${nameOfRule(rule)} effective ${formatDate(rule.from)}`}
        >
          Edit
        </Button>
      ),
    },
  ];
}
