import { Discount, type DiscountInput } from '@evenkeel/contract/catalogue';
import { FIXED, PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { PRODUCT, SERVICE } from '@evenkeel/core/documents/products';
import { KeptModal } from '../../records/KeptModal.tsx';
import type { KeptKind, KeptModalProps } from '../../records/useKeptForm.ts';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { QuantityField } from '../../ui/fields/QuantityField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { WalkthroughButton } from '../../ui/tour/Walkthrough.tsx';
import { DiscountForm, discountFaults, discountFormOf, discountInput } from './discountForm.ts';
import { OfferDates } from './OfferDates.tsx';
import { discounts, useProductChoices } from './products.ts';
import { DISCOUNT_TOUR } from './productTour.ts';

const DISCOUNT: KeptKind<Discount, DiscountForm, DiscountInput> = {
  label: 'Discount',
  of: discounts,
  manager: 'Manage Products',
  nameOf: (one) => one.name,
  reply: Discount,
  schema: DiscountForm,
  formOf: discountFormOf,
  check: discountFaults,
  bodyOf: discountInput,
  restoring: { deleted: false },
};

const discountFields = (form: RecordForm<DiscountForm>, saved: Discount | undefined) => (
  <DiscountFields form={form} saved={saved} />
);

/** The Discount modal. */
export function DiscountModal(props: KeptModalProps) {
  return (
    <KeptModal<Discount, DiscountForm, DiscountInput>
      {...props}
      kind={DISCOUNT}
      size="lg"
      tools={<WalkthroughButton steps={DISCOUNT_TOUR} />}
      fields={discountFields}
    />
  );
}

const TYPES = [
  { value: String(FIXED), label: 'Fixed Amount' },
  { value: String(PERCENTAGE), label: 'Percentage' },
];
const TARGETS = [
  { id: PRODUCT, label: 'Products' },
  { id: SERVICE, label: 'Services' },
];

function DiscountFields({ form, saved }: { form: RecordForm<DiscountForm>; saved: Discount | undefined }) {
  const choices = useProductChoices(saved);
  const { bind, isReadOnly, patch, values } = form;
  return (
    <>
      <TextField {...bind('name')} id="discount-name" label="Name" span={6} maxLength={200} autoFocus={!isReadOnly} />
      <div className="ek-c3" id="discount-type">
        <Choice
          label="Type"
          options={TYPES}
          value={String(values.discountType)}
          onChange={(type) => patch({ discountType: Number(type) })}
          disabled={isReadOnly}
        />
      </div>
      {values.discountType === PERCENTAGE ? (
        <QuantityField
          {...bind('discountPercentage')}
          id="discount-value"
          label="Percentage"
          span={3}
          places={6}
          max={100}
        />
      ) : (
        <MoneyField {...bind('discountFlatValue')} id="discount-value" label="Fixed Amount" span={3} />
      )}
      <Picker
        {...bind('discountTypeTarget')}
        onChange={(target) => patch({ discountTypeTarget: target ?? PRODUCT })}
        options={TARGETS}
        id="discount-target"
        label="For"
        span={6}
      />
      <Picker
        {...bind('productCategoryID')}
        options={choices.categories}
        isLoading={choices.isLoadingCategories}
        id="discount-category"
        label="Category"
        span={6}
        noneLabel="All"
      />
      <TextField {...bind('description')} id="discount-description" label="Description" kind="lines" maxLength={2000} />
      <Picker
        {...bind('GLAccountID')}
        options={choices.accounts}
        isLoading={choices.isLoadingAccounts}
        id="discount-account"
        label="Account"
        span={choices.profitCenters && 6}
      />
      {choices.profitCenters !== undefined && (
        <Picker
          {...bind('profitCenterID')}
          options={choices.profitCenters}
          label="Profit Center"
          span={6}
          noneLabel="None"
        />
      )}
      <OfferDates form={form} />
    </>
  );
}
