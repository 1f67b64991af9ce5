import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { TaxAgency, taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { MONTHS } from '@evenkeel/core/dates';
import { filingFrequencies } from '@evenkeel/core/documents/salestax';
import type { FieldMessages } from '@evenkeel/core/failure';
import { usStates } from '@evenkeel/core/geography.data';
import * as z from 'zod';
import { ask, inAlert, send, useRead, useStale } from '../../client/api.ts';
import { useManages } from '../../records/active.tsx';
import { Day } from '../../records/formFields.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';

const AgencyForm = z.object({
  name: z.string(),
  state: z.string().nullable(),
  accountId: z.number().nullable(),
  itemIds: z.array(z.number()),
  frequency: z.number().nullable(),
  firstMonth: z.number().nullable(),
  basis: z.enum(['accrual', 'cash']),
  startDate: Day.nullable(),
  rowVersion: z.number().nullable(),
});
type AgencyForm = z.output<typeof AgencyForm>;

function faultsOf(form: AgencyForm): FieldMessages {
  return {
    ...(form.name.trim() === '' && { name: 'Please enter a name' }),
    ...(form.state === null && { state: 'Please Select a State' }),
    ...(form.accountId === null && { accountId: 'Please Select an Account' }),
    ...(form.frequency === null && { frequency: 'Please Select a Frequency' }),
    ...(form.startDate === null && { startDate: 'Please enter a date' }),
    ...(form.itemIds.length === 0 && { itemIds: 'Please select the tax items that you report to the agency' }),
  };
}

const { createTaxAgency, updateTaxAgency } = taxReturnCalls;

/** The form for a tax agency. */
export function AgencyModal({ agency, onClose }: { agency: TaxAgency | undefined; onClose: () => void }) {
  const id = agency?.id ?? 0;
  const today = useToday();
  const stale = useStale();
  const form = useRecordForm<TaxAgency, AgencyForm>({
    name: 'tax agency',
    id,
    saved: agency,
    formOf: (saved) =>
      saved === undefined
        ? {
            name: '',
            state: null,
            accountId: null,
            itemIds: [],
            frequency: null,
            firstMonth: 1,
            basis: 'accrual',
            startDate: today,
            rowVersion: null,
          }
        : saved,
    schema: AgencyForm,
    check: faultsOf,
    reply: TaxAgency,
    send: async (typed, { place }) => {
      const body = {
        ...typed,
        state: typed.state ?? '',
        accountId: typed.accountId ?? 0,
        frequency: typed.frequency ?? -1,
        startDate: typed.startDate ?? today,
      };
      const saved = await send(
        id === 0 ? ask(createTaxAgency, { body }) : ask(updateTaxAgency, { params: { id }, body }),
        place,
      );
      stale();
      return saved;
    },
    words: { saved: ({ name }) => `${name} saved` },
    onSaved: onClose,
    isReadOnly: !useManages('Manage Accounting'),
  });
  return (
    <RecordModal form={form} title={agency?.name ?? 'Add Agency'} onClose={onClose}>
      <Fields form={form} />
    </RecordModal>
  );
}

const STATES = usStates.map(({ abbrev, displayName }) => ({ id: abbrev, label: displayName }));
const FREQUENCIES = filingFrequencies.map(({ id, displayName }) => ({ id, label: displayName }));
const MONTH_OPTIONS = MONTHS.map((label, at) => ({ id: at + 1, label }));
const BASES = [
  { id: 'accrual' as const, label: 'Accrual (invoice date)' },
  { id: 'cash' as const, label: 'Cash (payment date)' },
];
const LIABILITIES = ['Sales Tax Payable', 'Other Current Liability'];

function Fields({ form }: { form: RecordForm<AgencyForm> }) {
  const { bind, values, patch } = form;
  const { value: scenarios } = useRead(
    ask(settingsCalls.listSalesTax, {}),
    inAlert('Error Loading Sales Tax Scenario'),
  );
  const { value: accounts } = useRead(ask(ledgerCalls.listAccounts, { query: {} }), inAlert('Error Loading Accounts'));
  const options = (accounts ?? [])
    .filter((one) => LIABILITIES.includes(one.displayAccountType) || one.customerAccountID === values.accountId)
    .map((one) => ({ id: one.customerAccountID, label: one.displayAccountLabel }));
  const items = (scenarios ?? []).flatMap(({ name, salesTaxItems }) =>
    salesTaxItems.map(({ id, displayLabel, displayValue }) => ({
      id,
      label: [`${displayLabel} ${displayValue}`, name].filter(Boolean).join(', '),
    })),
  );
  const toggle = (id: number, isOn: boolean) =>
    patch({ itemIds: isOn ? [...values.itemIds, id] : values.itemIds.filter((each) => each !== id) });
  const fault = form.errorOf('itemIds');
  return (
    <div className="ek-form">
      <TextField {...bind('name')} label="Name" span={6} maxLength={100} autoFocus />
      <Picker {...bind('state')} label="State" span={6} options={STATES} />
      <Picker {...bind('accountId')} label="GL Account" span={6} options={options} />
      <Picker
        {...bind('basis')}
        onChange={(basis) => basis && patch({ basis })}
        label="Accounting Basis"
        span={6}
        options={BASES}
      />
      <Picker {...bind('frequency')} label="Filing Frequency" span={6} options={FREQUENCIES} />
      <Picker {...bind('firstMonth')} label="First Month of a Period" span={6} options={MONTH_OPTIONS} />
      <DateField
        {...bind('startDate')}
        label="First Return"
        hint="A date in the first period that you file here"
        span={6}
      />
      <fieldset className="tx-items">
        <legend>Tax Items</legend>
        {items.map(({ id, label }) => (
          <CheckField
            key={id}
            label={label}
            value={values.itemIds.includes(id)}
            onChange={(isOn) => toggle(id, isOn)}
            readOnly={form.isReadOnly}
          />
        ))}
        {scenarios !== undefined && items.length === 0 && (
          <p className="ek-muted">No tax items yet. Add them in Settings under Taxes.</p>
        )}
        {fault !== undefined && (
          <p className="tx-fault" role="alert">
            {fault}
          </p>
        )}
      </fieldset>
    </div>
  );
}
