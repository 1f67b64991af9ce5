import { PRODUCT, SERVICE } from '@evenkeel/core/documents/products';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { CategoryField, type ProductFieldsProps } from './CategoryField.tsx';
import { OfferDates } from './OfferDates.tsx';

const TYPES = [
  { id: PRODUCT, label: 'Product' },
  { id: SERVICE, label: 'Service' },
];

/** The Info tab of a product or service, in the order of its walkthrough. */
export function ProductFields(props: ProductFieldsProps) {
  const { choices, isAddingCategory: disabled } = props;
  const { bind, isReadOnly, patch } = props.form;
  return (
    <div className="ek-form">
      <TextField {...bind('name')} id="product-name" label="Name" span={6} maxLength={200} autoFocus={!isReadOnly} />
      <CategoryField {...props} />
      <Picker
        {...{ ...bind('productServiceType'), options: TYPES, disabled }}
        id="product-type"
        label="Type"
        span={6}
        onChange={(type) => patch({ productServiceType: type ?? PRODUCT })}
      />
      <TextField {...bind('version')} id="product-model" label="Model" span={6} maxLength={100} />
      <TextField {...bind('description')} id="product-description" label="Description" kind="lines" maxLength={2000} />
      <Picker
        {...{ ...bind('GLAccountID'), options: choices.accounts, disabled }}
        id="product-account"
        isLoading={choices.isLoadingAccounts}
        label="Revenue Account"
        span={6}
      />
      {choices.profitCenters !== undefined && (
        <Picker
          {...{ ...bind('profitCenterID'), options: choices.profitCenters, disabled }}
          id="product-profit-center"
          label="Profit Center"
          span={6}
          noneLabel="None"
        />
      )}
      <MoneyField {...bind('salesPrice')} id="product-price" label="Price" span={3} />
      <div className="ek-c3 pr-check" id="product-taxable">
        <CheckField {...bind('taxable')} label="Taxable" />
      </div>
      <OfferDates form={props.form} />
    </div>
  );
}
