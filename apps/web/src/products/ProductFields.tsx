import type { IsoDate } from '@evenkeel/core/dates';
import { PRODUCT, SERVICE } from '@evenkeel/core/products';
import { CheckField } from '../ui/fields/CheckField.tsx';
import { DateField } from '../ui/fields/DateField.tsx';
import { MoneyField } from '../ui/fields/MoneyField.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { CategoryField } from './CategoryField.tsx';
import type { ProductFieldsProps, ProductForm } from './productForm.ts';

const TYPES = [
  { id: PRODUCT, label: 'Product' },
  { id: SERVICE, label: 'Service' },
];

/** Info of a product or service, in the order of its walkthrough. */
export function ProductFields(props: ProductFieldsProps) {
  const { form, onChange, fields, isReadOnly } = props;
  const set = (change: Partial<ProductForm>) => onChange({ ...form, ...change });
  return (
    <div className="ek-form">
      <div className="ek-c6" id="product-name">
        <TextField
          label="Name"
          value={form.name}
          onChange={(name) => set({ name })}
          error={fields['name']}
          maxLength={200}
          readOnly={isReadOnly}
          autoFocus={!isReadOnly}
        />
      </div>
      <CategoryField {...props} />
      <div className="ek-c6" id="product-type">
        <Picker
          label="Type"
          options={TYPES}
          value={form.productServiceType}
          onChange={(type) => set({ productServiceType: type ?? PRODUCT })}
          readOnly={isReadOnly}
          disabled={props.isAddingCategory}
        />
      </div>
      <div className="ek-c6" id="product-model">
        <TextField
          label="Model"
          value={form.version}
          onChange={(version) => set({ version })}
          error={fields['version']}
          maxLength={100}
          readOnly={isReadOnly}
        />
      </div>
      <div id="product-description">
        <TextField
          label="Description"
          kind="lines"
          value={form.description}
          onChange={(description) => set({ description })}
          error={fields['description']}
          maxLength={2000}
          readOnly={isReadOnly}
        />
      </div>
      <SalesFields {...props} />
      <OfferDate {...props} which="start" />
      <OfferDate {...props} which="end" />
    </div>
  );
}

function SalesFields({ form, onChange, fields, choices, isReadOnly, isAddingCategory }: ProductFieldsProps) {
  const set = (change: Partial<ProductForm>) => onChange({ ...form, ...change });
  return (
    <>
      <div className="ek-c6" id="product-account">
        <Picker
          label="Revenue Account"
          options={choices.accounts}
          value={form.GLAccountID}
          onChange={(GLAccountID) => set({ GLAccountID })}
          error={fields['GLAccountID']}
          readOnly={isReadOnly}
          disabled={isAddingCategory}
        />
      </div>
      {choices.usesProfitCenters && (
        <div className="ek-c6" id="product-profit-center">
          <Picker
            label="Profit Center"
            options={choices.profitCenters}
            value={form.profitCenterID}
            onChange={(profitCenterID) => set({ profitCenterID })}
            error={fields['profitCenterID']}
            noneLabel="None"
            readOnly={isReadOnly}
            disabled={isAddingCategory}
          />
        </div>
      )}
      <div className="ek-c3" id="product-price">
        <MoneyField
          label="Price"
          value={form.salesPrice}
          onChange={(salesPrice) => set({ salesPrice })}
          error={fields['salesPrice']}
          readOnly={isReadOnly}
        />
      </div>
      <div className="ek-c3 pr-check" id="product-taxable">
        <CheckField
          label="Taxable"
          value={form.taxable}
          onChange={(taxable) => set({ taxable })}
          disabled={isReadOnly}
        />
      </div>
    </>
  );
}

const DATES = {
  start: { check: 'Use a start date', label: 'Start Date' },
  end: { check: 'Use an end date', label: 'End Date' },
} as const;

/** From when or until when it is offered, only while its switch is on. */
function OfferDate({ form, onChange, fields, isReadOnly, which }: ProductFieldsProps & { which: 'start' | 'end' }) {
  const isStart = which === 'start';
  const inUse = isStart ? form.startDateInUse : form.endDateInUse;
  const setInUse = (on: boolean) => onChange(isStart ? { ...form, startDateInUse: on } : { ...form, endDateInUse: on });
  const setDate = (date: IsoDate | null) =>
    onChange(isStart ? { ...form, startDate: date } : { ...form, endDate: date });
  return (
    <div className="ek-c6 pr-offer">
      <CheckField label={DATES[which].check} value={inUse} onChange={setInUse} disabled={isReadOnly} />
      <DateField
        label={DATES[which].label}
        value={isStart ? form.startDate : form.endDate}
        onChange={setDate}
        error={inUse ? fields[isStart ? 'startDate' : 'endDate'] : undefined}
        disabled={!inUse}
        readOnly={isReadOnly}
      />
    </div>
  );
}
