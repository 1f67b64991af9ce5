import type { AccountItem } from '@evenkeel/contract/ledger';
import { SalesTaxScenario } from '@evenkeel/contract/settings';
import { decode } from '@evenkeel/contract/wire';
import { decimal } from '@evenkeel/core/money';
import type { FieldMessages } from '@evenkeel/core/failure';
import { filingFrequencies, salesTaxTypes } from '@evenkeel/core/salestax';
import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useFormSave } from '../records/formSave.ts';
import { StaleChoice } from '../records/StaleChoice.tsx';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { QuantityField } from '../ui/fields/QuantityField.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { useDraft } from '../ui/hooks/draft.ts';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { useSaveSalesTax } from './queries.ts';
import {
  readTaxDraft,
  taxFaults,
  type TaxForm,
  taxFormOf,
  taxInput,
  type TaxItemForm,
  totalPercentage,
  withNewItem,
  withoutTaxItem,
  withTaxItem,
} from './taxForm.ts';

export interface SalesTaxModalProps {
  /** Undefined makes a new scenario. */
  scenario: SalesTaxScenario | undefined;
  accounts: readonly AccountItem[];
  onClose: () => void;
}

/** The 'Sales Tax' modal: account, frequency and items (Specification part 2 §2, §4). */
export function SalesTaxModal({ scenario, accounts, onClose }: SalesTaxModalProps) {
  const id = scenario?.id ?? 0;
  const draft = useDraft<TaxForm>({ name: `salestax:${id}`, initial: taxFormOf(scenario), read: readTaxDraft });
  const save = useFormSave(taxFaults(draft.value));
  const sendTax = useSaveSalesTax();
  const alerts = useAlerts();
  const send = async (form: TaxForm) => {
    const saved = await save.attempt(() => sendTax(id, taxInput(form)));
    if (saved === undefined) return;
    draft.clear();
    alerts.success('Sales Tax saved');
    onClose();
  };
  const theirs = () => decode(SalesTaxScenario, save.current);
  const keepMine = () => {
    const mine = { ...draft.value, rowVersion: theirs().rowVersion };
    draft.set(mine);
    void send(mine);
  };
  const takeTheirs = () => {
    draft.clear(taxFormOf(theirs()));
    save.forget();
  };
  return (
    <AppModal
      opened
      onClose={onClose}
      title="Sales Tax"
      size="md"
      dirty={draft.dirty}
      onDiscard={() => draft.clear()}
      footer={{ primary: { label: 'Save', onClick: () => void send(draft.value), busy: save.busy } }}
    >
      <div className="ek-stack">
        <FormErrorSummary problems={save.problems.map((message) => ({ message }))} />
        {save.current !== undefined && <StaleChoice onTheirs={takeTheirs} onMine={keepMine} />}
        <TaxFields
          form={draft.value}
          accounts={accounts}
          fields={save.fields}
          onChange={(form) => {
            save.touched();
            draft.set(form);
          }}
        />
      </div>
    </AppModal>
  );
}

interface TaxFieldsProps {
  form: TaxForm;
  accounts: readonly AccountItem[];
  fields: FieldMessages;
  onChange: (form: TaxForm) => void;
}

type Option = { id: number; label: string };
const FREQUENCIES: readonly Option[] = filingFrequencies.map(({ id, displayName }) => ({ id, label: displayName }));
const TYPES: readonly Option[] = salesTaxTypes.map(({ id, displayName }) => ({ id, label: displayName }));

function TaxFields({ form, accounts, fields, onChange }: TaxFieldsProps) {
  const live = form.items.filter((item) => !item.deleted);
  return (
    <>
      <div className="ek-form">
        <div className="ek-c6">
          <Picker
            label="GL Account"
            options={taxAccounts(accounts, form.glAccountId)}
            value={form.glAccountId}
            onChange={(glAccountId) => onChange({ ...form, glAccountId })}
            error={fields['glAccountId']}
            autoFocus
          />
        </div>
        <div className="ek-c6">
          <Picker
            label="Filing Frequency"
            options={FREQUENCIES}
            value={form.filingFrequency}
            onChange={(filingFrequency) => onChange({ ...form, filingFrequency })}
            error={fields['filingFrequency']}
          />
        </div>
      </div>
      <div className="st-items">
        {form.items.map((item, index) =>
          item.deleted ? null : (
            <TaxItemRow
              key={item.id}
              item={item}
              fields={fields}
              path={`salesTaxItems.${index}`}
              onChange={(next) => onChange(withTaxItem(form, next))}
              onRemove={() => onChange(withoutTaxItem(form, item.id))}
            />
          ),
        )}
      </div>
      <div className="st-items-foot">
        <Button
          variant="default"
          leftSection={<IconPlus {...ICON_SMALL} />}
          onClick={() => onChange(withNewItem(form))}
        >
          Add Sales Tax Item
        </Button>
        <span className="ek-semi ek-num">
          Total {totalPercentage(live.map((item) => decimal(item.percentage ?? 0)))}
        </span>
      </div>
      <p className="ek-second ek-small">Invoices that are already saved keep the rates they were made with.</p>
    </>
  );
}

/** Sales tax is owed until it is filed: accounts for it first, then the other short-term liabilities. */
function taxAccounts(accounts: readonly AccountItem[], chosen: number | null) {
  const wanted = ['Sales Tax Payable', 'Other Current Liability'];
  return accounts
    .filter((one) => wanted.includes(one.displayAccountType) || one.customerAccountID === chosen)
    .toSorted((a, b) => wanted.indexOf(a.displayAccountType) - wanted.indexOf(b.displayAccountType))
    .map((one) => ({ id: one.customerAccountID, label: one.displayAccountLabel }));
}

interface TaxItemRowProps {
  item: TaxItemForm;
  fields: FieldMessages;
  path: string;
  onChange: (item: TaxItemForm) => void;
  onRemove: () => void;
}

function TaxItemRow({ item, fields, path, onChange, onRemove }: TaxItemRowProps) {
  return (
    <div className="st-item">
      <Picker
        label="Type"
        options={TYPES}
        value={item.salesTaxType}
        onChange={(salesTaxType) => onChange({ ...item, salesTaxType })}
        error={fields[`${path}.salesTaxType`]}
      />
      <TextField
        label="Label"
        placeholder={TYPES.find((type) => type.id === item.salesTaxType)?.label ?? ''}
        value={item.label}
        onChange={(label) => onChange({ ...item, label })}
        error={fields[`${path}.label`]}
        maxLength={100}
      />
      <QuantityField
        label="Percentage"
        value={item.percentage}
        onChange={(percentage) => onChange({ ...item, percentage })}
        error={fields[`${path}.percentage`]}
        places={6}
      />
      <ActionIcon aria-label={`Delete item ${item.label}`} onClick={onRemove}>
        <IconTrash {...ICON_SMALL} />
      </ActionIcon>
    </div>
  );
}
