import type { AccountItem } from '@evenkeel/contract/ledger';
import { SalesTaxScenario, settingsCalls } from '@evenkeel/contract/settings';
import { formatDate } from '@evenkeel/core/dates';
import { decimal } from '@evenkeel/core/money';
import { taxRoundings } from '@evenkeel/core/taxes/law';
import { filingFrequencies, salesTaxTypes } from '@evenkeel/core/documents/salestax';
import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { ask, send, useStale } from '../../client/api.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { binderOf, type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { QuantityField } from '../../ui/fields/QuantityField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import {
  taxFaults,
  TaxForm,
  type TaxItemForm,
  taxFormOf,
  taxInput,
  totalPercentage,
  withLaterRate,
  withNewItem,
  withoutTaxItem,
  withTaxItem,
} from './taxForm.ts';

export interface SalesTaxModalProps {
  /** The scenario to edit. Undefined for a new scenario. */
  scenario: SalesTaxScenario | undefined;
  accounts: readonly AccountItem[];
  onClose: () => void;
}

/** The Sales Tax modal with account, frequency, and items. */
export function SalesTaxModal({ scenario, accounts, onClose }: SalesTaxModalProps) {
  const id = scenario?.id ?? 0;
  const stale = useStale();
  const form = useRecordForm<SalesTaxScenario, TaxForm>({
    name: 'salestax',
    id,
    saved: scenario,
    formOf: taxFormOf,
    schema: TaxForm,
    check: taxFaults,
    reply: SalesTaxScenario,
    send: async (typed, { place }) => {
      const body = taxInput(typed);
      const { createSalesTax, updateSalesTax } = settingsCalls;
      const isNew = id === 0;
      const saved = await send(
        isNew ? ask(createSalesTax, { body }) : ask(updateSalesTax, { params: { id }, body }),
        place,
      );
      stale();
      return saved;
    },
    words: { saved: () => 'Sales Tax saved' },
    onSaved: onClose,
  });
  return (
    <RecordModal form={form} title="Sales Tax" onClose={onClose}>
      <TaxFields form={form} accounts={accounts} />
    </RecordModal>
  );
}

type Option = { id: number; label: string };
const FREQUENCIES: readonly Option[] = filingFrequencies.map(({ id, displayName }) => ({ id, label: displayName }));
const TYPES: readonly Option[] = salesTaxTypes.map(({ id, displayName }) => ({ id, label: displayName }));

interface TaxFieldsProps {
  form: RecordForm<TaxForm>;
  accounts: readonly AccountItem[];
}

function TaxFields({ form, accounts }: TaxFieldsProps) {
  const { bind, values, onChange } = form;
  const live = values.items.filter((item) => !item.deleted);
  const total = totalPercentage(live.map((item) => decimal(item.percentage ?? 0)));
  const options = taxAccounts(accounts, values.glAccountId);
  return (
    <>
      <div className="ek-form">
        <TextField
          {...bind('name')}
          label="Scenario Name"
          hint="Required if you have several scenarios"
          maxLength={100}
        />
        <Picker {...bind('glAccountId')} label="GL Account" span={6} options={options} autoFocus />
        <Picker {...bind('filingFrequency')} label="Filing Frequency" span={6} options={FREQUENCIES} />
        <Picker
          {...bind('taxRounding')}
          label="Tax Rounding"
          hint="Ohio and Washington require the combined rate"
          options={taxRoundings}
        />
      </div>
      <div className="st-items">
        {values.items.map((item, index) => (item.deleted ? null : <TaxItemRow key={item.id} {...{ form, index }} />))}
      </div>
      <div className="st-items-foot">
        <Button
          variant="default"
          leftSection={<IconPlus {...ICON_SMALL} />}
          onClick={() => onChange(withNewItem(values))}
        >
          Add Sales Tax Item
        </Button>
        <span className="ek-semi ek-num">Total {total}</span>
      </div>
      <p className="ek-second ek-small">New invoices use the rate for their date. Saved invoices keep their rates.</p>
    </>
  );
}

/**
 * Sales tax is a liability until it is filed, so accounts for sales tax come first, followed by other short-term
 * liabilities.
 */
function taxAccounts(accounts: readonly AccountItem[], chosen: number | null) {
  const wanted = ['Sales Tax Payable', 'Other Current Liability'];
  return accounts
    .filter((one) => wanted.includes(one.displayAccountType) || one.customerAccountID === chosen)
    .toSorted((a, b) => wanted.indexOf(a.displayAccountType) - wanted.indexOf(b.displayAccountType))
    .map((one) => ({ id: one.customerAccountID, label: one.displayAccountLabel }));
}

function TaxItemRow({ form, index }: { form: RecordForm<TaxForm>; index: number }) {
  const item = form.values.items[index];
  if (item === undefined) return null;
  const bind = binderOf({
    values: item,
    onChange: (next) => form.onChange(withTaxItem(form.values, next)),
    errorOf: (name) => form.errorOf(`salesTaxItems.${index}.${name}`),
    isReadOnly: form.isReadOnly,
  });
  const named = TYPES.find((type) => type.id === item.salesTaxType)?.label ?? '';
  const remove = () => form.onChange(withoutTaxItem(form.values, item.id));
  const change = (next: TaxItemForm) => form.onChange(withTaxItem(form.values, next));
  return (
    <div className="st-item">
      <Picker {...bind('salesTaxType')} label="Type" options={TYPES} />
      <TextField {...bind('label')} label="Label" placeholder={named} maxLength={100} />
      <QuantityField {...bind('percentage')} label="Percentage" places={6} />
      <ActionIcon aria-label={`Delete item ${item.label}`} onClick={remove}>
        <IconTrash {...ICON_SMALL} />
      </ActionIcon>
      {item.rates.map((rate, at) => (
        <LaterRate
          key={rate.id}
          rate={rate}
          errorOf={(name) => form.errorOf(`salesTaxItems.${index}.rates.${at}.${name}`)}
          isReadOnly={form.isReadOnly}
          onChange={(next) =>
            change({ ...item, rates: item.rates.flatMap((each) => (each.id === rate.id ? (next ?? []) : each)) })
          }
        />
      ))}
      {form.isReadOnly ? null : (
        <Button className="st-rate-add" variant="subtle" size="compact-sm" onClick={() => change(withLaterRate(item))}>
          Add Later Rate
        </Button>
      )}
    </div>
  );
}

interface LaterRateProps {
  rate: TaxItemForm['rates'][number];
  errorOf: (name: string) => string | undefined;
  isReadOnly: boolean;
  /** Undefined deletes the rate. */
  onChange: (rate: TaxItemForm['rates'][number] | undefined) => void;
}

/** An item's rate that takes effect on a given day. */
function LaterRate({ rate, errorOf, isReadOnly, onChange }: LaterRateProps) {
  const bind = binderOf({ values: rate, onChange, errorOf, isReadOnly });
  return (
    <div className="st-rate">
      <DateField {...bind('from')} label="From" />
      <QuantityField {...bind('percentage')} label="Percentage" places={6} />
      {isReadOnly ? null : (
        <ActionIcon
          aria-label={rate.from === null ? 'Delete rate' : `Delete the rate effective ${formatDate(rate.from)}`}
          onClick={() => onChange(undefined)}
        >
          <IconTrash {...ICON_SMALL} />
        </ActionIcon>
      )}
    </div>
  );
}
