import { Discount } from '@evenkeel/contract/catalogue';
import { FIXED, PERCENTAGE } from '@evenkeel/core/discounts';
import { PRODUCT, SERVICE } from '@evenkeel/core/products';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import { type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { useMay } from '../../client/session.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { QuantityField } from '../../ui/fields/QuantityField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { WalkthroughButton } from '../../ui/tour/Walkthrough.tsx';
import { DiscountForm, discountFaults, discountFormOf, discountInput } from './discountForm.ts';
import { OfferDates } from './OfferDates.tsx';
import { discounts, type ProductChoices, useProductChoices } from './products.ts';
import { DISCOUNT_TOUR } from './productTour.ts';
import type { ProductModalProps } from './ProductModal.tsx';

/** The Discount modal. */
export function DiscountModal(props: ProductModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(discounts, props.id)} title="Discount" onClose={props.onClose}>
      {(discount) => <LoadedDiscount {...props} discount={discount} />}
    </LoadedModal>
  );
}

function LoadedDiscount({ id, discount, onClose }: ProductModalProps & { discount: Discount | undefined }) {
  const mayManage = useMay()('Manage Products');
  const alerts = useAlerts();
  const choices = useProductChoices(discount);
  const save = useSave(discounts);
  const isGone = discount?.deleted === true;
  const form = useRecordForm<Discount, DiscountForm>({
    name: 'discount',
    id,
    saved: discount,
    formOf: discountFormOf,
    schema: DiscountForm,
    check: discountFaults,
    reply: Discount,
    send: (typed, { place }) => save(id, discountInput(typed), place),
    remove: useRemove(discounts),
    words: { saved: (one) => `${one.name} saved` },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: !mayManage || isGone,
  });
  const restore = async () => {
    const back = await form.attempt(() => save(id, { deleted: false, rowVersion: discount?.rowVersion }));
    if (back !== undefined) alerts.success(`${back.name} restored`);
  };
  const restoring = { primary: { label: 'Restore', onClick: () => void restore(), busy: form.busy } };
  return (
    <RecordModal
      form={form}
      onClose={onClose}
      title={discount?.name ?? 'Add Discount'}
      beside={isGone && <Status look="void">Inactive</Status>}
      tools={form.isReadOnly ? undefined : <WalkthroughButton steps={DISCOUNT_TOUR} />}
      size="lg"
      footer={!mayManage ? null : isGone ? restoring : recordFooter(form, discount && `Delete ${discount.name}?`)}
    >
      <DiscountFields form={form} choices={choices} />
    </RecordModal>
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

function DiscountFields({ form, choices }: { form: RecordForm<DiscountForm>; choices: ProductChoices }) {
  const { bind, isReadOnly, patch, values } = form;
  return (
    <div className="ek-form">
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
    </div>
  );
}
