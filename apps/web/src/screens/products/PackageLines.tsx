import { ActionIcon, Button } from '@mantine/core';
import { discountDisplay } from '@evenkeel/core/documents/discounts';
import { formatAmount } from '@evenkeel/core/money';
import { MY_DISCOUNTS, smartDisplay, TWICE_IN_PACKAGE } from '@evenkeel/core/documents/packages';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { QuantityField } from '../../ui/fields/QuantityField.tsx';
import { useNarrow } from '../../ui/hooks/media.ts';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { isFree, type PackageForm, type PackageGoods, packageTotals, withLine, withoutLine } from './packageForm.ts';

interface PackageLinesProps {
  form: RecordForm<PackageForm>;
  goods: PackageGoods;
  /** Whether the products and discounts are still loading. */
  isLoading: boolean;
}

/** The lines of a package and its total. The smart discount has its own row. */
export function PackageLines({ form, goods, isLoading }: PackageLinesProps) {
  const [isAdding, setAdding] = useState(false);
  const isPhone = useNarrow();
  const { values, isReadOnly } = form;
  const { items, values: amounts, total, smart } = packageTotals(values, goods);
  const lines = values.lines.map((line, index) => {
    const item = items[index];
    const name = item?.product?.name ?? item?.discount?.name ?? '';
    const free = item !== undefined && isFree(item);
    return { id: line.packageLineItemID, name, quantity: String(line.quantity), item, free, amount: amounts[index] };
  });
  const shown = lines.map((line) => ({ ...line, price: priceOf(line.item) }));
  const smartRow = smart === null ? [] : [smartLine(smart)];
  return (
    <div>
      <MiniTable
        label="Package items"
        rows={[...shown, ...smartRow]}
        keyOf={(row) => row.id}
        columns={[
          ...(isPhone
            ? [{ header: 'Product or Discount', render: (row: Shown) => <PhoneItem {...row} /> }]
            : [
                { header: 'Product or Discount', render: (row: Shown) => row.name },
                { header: 'Price', right: true, render: (row: Shown) => row.price },
                { header: 'Quantity', right: true, render: (row: Shown) => row.quantity },
              ]),
          {
            header: 'Amount',
            right: true,
            render: (row) => (row.free ? 'No charge' : <Amount value={row.amount ?? null} />),
          },
          ...(isReadOnly
            ? []
            : [
                {
                  header: 'Remove',
                  isHeaderHidden: true,
                  right: true,
                  render: (row: { id: number; name: string }) =>
                    row.id === SMART ? null : (
                      <ActionIcon
                        size={24}
                        aria-label={`Remove ${row.name}`}
                        onClick={() => form.onChange(withoutLine(values, row.id))}
                      >
                        <IconTrash {...ICON_SMALL} />
                      </ActionIcon>
                    ),
                },
              ]),
        ]}
        total={{
          label: 'Package Total',
          ...(isReadOnly ? { value: <Amount value={total} /> } : { before: <Amount value={total} />, value: null }),
        }}
      />
      {!isReadOnly && (
        <Button
          variant="subtle"
          className="ek-btn-link ek-lines-add"
          leftSection={<IconPlus {...ICON_SMALL} />}
          onClick={() => setAdding(true)}
        >
          {values.packageDealDiscountType === MY_DISCOUNTS ? 'Add Product or Discount' : 'Add Product'}
        </Button>
      )}
      {isAdding && <AddLine {...{ form, goods, isLoading }} onClose={() => setAdding(false)} />}
    </div>
  );
}

interface Shown {
  name: string;
  price: string;
  quantity: string;
}

/** The phone layout: the quantity and price appear below the name. */
function PhoneItem({ name, price, quantity }: Shown) {
  return (
    <>
      {name}
      <div className="ek-muted ek-small ek-num">{quantity === '' ? price : `${quantity} × ${price}`}</div>
    </>
  );
}

/** The key for the smart discount's row, which no line uses as its ID. */
const SMART = 0;

function smartLine(smart: NonNullable<ReturnType<typeof packageTotals>['smart']>) {
  const { displayPercentage } = smartDisplay(smart);
  return { id: SMART, name: smart.name, price: displayPercentage, quantity: '', free: false, amount: smart.cents };
}

function priceOf(item: ReturnType<typeof packageTotals>['items'][number] | undefined): string {
  if (item?.product) return formatAmount(item.product.salesPrice);
  return item?.discount ? discountDisplay(item.discount) : '';
}

/** The dialog that adds a product or, in "My Discounts" mode, a discount. A package contains each item only once. */
function AddLine({ form, goods, isLoading, onClose }: PackageLinesProps & { onClose: () => void }) {
  const { values } = form;
  const [key, setKey] = useState<string | null>(null);
  const [quantity, setQuantity] = useState<number | null>(1);
  const [isAsked, setAsked] = useState(false);
  const mine = values.packageDealDiscountType === MY_DISCOUNTS;
  const options = [
    ...goods.products.map((one) => {
      return { id: `p${one.productID}`, label: one.name, group: 'Products', aside: formatAmount(one.salesPrice) };
    }),
    ...(mine ? goods.discounts : []).map((one) => {
      return { id: `d${one.discountID}`, label: one.name, group: 'Discounts', aside: discountDisplay(one) };
    }),
  ];
  const id = Number(key?.slice(1) ?? 0);
  const line = {
    productID: key?.startsWith('p') === true ? id : null,
    discountID: key?.startsWith('d') === true ? id : null,
  };
  const isThere = values.lines.some(
    (one) => key !== null && one.productID === line.productID && one.discountID === line.discountID,
  );
  const missing = mine ? 'Please Select a Product or Discount' : 'Please Select a Product';
  const wrong = key === null ? missing : isThere ? TWICE_IN_PACKAGE : undefined;
  const noQuantity = quantity === null || quantity <= 0 ? 'The quantity must be more than zero' : undefined;
  const add = () => {
    setAsked(true);
    if (wrong !== undefined || noQuantity !== undefined) return;
    form.onChange(withLine(values, { ...line, quantity: quantity ?? 1 }));
    onClose();
  };
  return (
    <AppModal
      opened
      size="sm"
      enterSaves
      title={mine ? 'Add Product or Discount' : 'Add Product'}
      onClose={onClose}
      footer={{ primary: { label: 'Add', onClick: add } }}
    >
      <div className="ek-form">
        <Picker
          label={mine ? 'Product or Discount' : 'Product'}
          options={options}
          isLoading={isLoading}
          value={key}
          onChange={setKey}
          error={isAsked || isThere ? wrong : undefined}
          autoFocus
        />
        <QuantityField
          label="Quantity"
          value={quantity}
          onChange={setQuantity}
          error={isAsked ? noQuantity : undefined}
          span={6}
        />
      </div>
    </AppModal>
  );
}
