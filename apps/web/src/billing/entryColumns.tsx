import type { ProductOrPackage } from '@evenkeel/contract/catalogue';
import { formatAmount } from '@evenkeel/core/money';
import { IconCheck } from '@tabler/icons-react';
import type { LineChoices } from '../choices/products.ts';
import { DESCRIPTION, postingColumns } from '../documents/lineColumns.tsx';
import { CheckField } from '../ui/fields/CheckField.tsx';
import { DateField } from '../ui/fields/DateField.tsx';
import { MoneyField } from '../ui/fields/MoneyField.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import type { PickerOption } from '../ui/fields/pickerOptions.ts';
import { QuantityField } from '../ui/fields/QuantityField.tsx';
import type { LineColumn } from '../ui/lines/lineColumns.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { type EntryLine, lineAmount } from './invoiceForm.ts';

type LineField = LineColumn<EntryLine>;

/**
 * What choosing a product fills in: name, description, price, account, profit center, taxability (Specification part 1
 * §5: the price is then disabled). None, free line gives the price back.
 */
export function productPatch(product: ProductOrPackage | undefined, line: EntryLine): Partial<EntryLine> {
  if (product === undefined) return { productId: null, productName: '' };
  return {
    productId: product.id,
    productName: product.name,
    description: product.description || product.name,
    price: product.calculatedTotal,
    taxable: product.taxable,
    accountId: product.GLAccountID,
    profitCenterId: product.profitCenterID ?? line.profitCenterId,
  };
}

/** The products that may be picked for the line's date, and the one it has. */
function productOptions(products: readonly ProductOrPackage[], line: EntryLine): PickerOption<number>[] {
  const date = line.serviceDate;
  const isOffered = ({ id, startDate, endDate }: ProductOrPackage) =>
    id === line.productId ||
    date === null ||
    ((startDate === null || startDate <= date) && (endDate === null || date <= endDate));
  const offered = products
    .filter(isOffered)
    .map((item) => ({ id: item.id, label: item.name, aside: formatAmount(item.calculatedTotal) }));
  const isMissing = line.productId !== null && !offered.some((option) => option.id === line.productId);
  return isMissing ? [{ id: line.productId ?? 0, label: line.productName, aside: '' }, ...offered] : offered;
}

const DATE: LineField = {
  id: 'serviceDate',
  header: 'Service/Sale Date',
  width: '132px',
  half: true,
  show: (line) => <DateText value={line.serviceDate} />,
  edit: ({ line, set, field }) => (
    <DateField {...field} value={line.serviceDate} onChange={(serviceDate) => set({ serviceDate })} />
  ),
};

const PRICE: LineField = {
  id: 'price',
  header: 'Price',
  right: true,
  width: '104px',
  half: true,
  show: (line) => <Amount value={line.price} />,
  edit: ({ line, set, field }) => (
    <MoneyField {...field} value={line.price} disabled={line.productId !== null} onChange={(price) => set({ price })} />
  ),
};

const QUANTITY: LineField = {
  id: 'quantity',
  header: 'Quantity',
  right: true,
  width: '84px',
  half: true,
  show: (line) => line.quantity,
  edit: ({ line, set, field }) => (
    <QuantityField {...field} places={6} value={line.quantity} onChange={(quantity) => set({ quantity })} />
  ),
};

const AMOUNT: LineField = {
  id: 'amount',
  header: 'Amount',
  right: true,
  width: '110px',
  half: true,
  show: (line) => <Amount value={lineAmount(line)} />,
};

function productColumn(choices: LineChoices): LineField {
  return {
    id: 'productId',
    header: 'Product/Package/Discount',
    width: choices.profitCenters && choices.locations ? '166px' : '190px',
    show: (line) => <span className="ek-medium">{line.productName}</span>,
    edit: ({ line, set, field }) => (
      <Picker
        {...field}
        options={productOptions(choices.products, line)}
        value={line.productId}
        noneLabel="None, free line"
        onChange={(id) =>
          set(
            productPatch(
              choices.products.find((item) => item.id === id),
              line,
            ),
          )
        }
      />
    ),
  };
}

function taxableColumn({ products }: LineChoices): LineField {
  return {
    id: 'taxable',
    header: 'Taxable',
    width: '72px',
    half: true,
    show: (line) => (line.taxable ? <IconCheck {...ICON_SMALL} aria-hidden={false} aria-label="Taxable" /> : null),
    edit: ({ line, set, field }) => {
      const product = products.find((item) => item.id === line.productId);
      return (
        <CheckField
          {...field}
          value={line.taxable}
          disabled={product !== undefined && !product.taxable && !line.taxable}
          onChange={(taxable) => set({ taxable })}
        />
      );
    },
  };
}

/** The billing line item form as columns (Specification part 1 §2): inline when wide, a sheet below 1224 px. */
export function entryColumns(choices: LineChoices): readonly LineField[] {
  return [
    DATE,
    productColumn(choices),
    DESCRIPTION,
    ...postingColumns(choices, { options: choices.revenue, every: choices.accounts }),
    PRICE,
    QUANTITY,
    taxableColumn(choices),
    AMOUNT,
  ];
}

/** The two lines of a line item's card below 1224 px. */
export function entryCard(line: EntryLine) {
  const price = line.price === null ? '' : formatAmount(line.price);
  return {
    title: line.description === '' ? line.productName : line.description,
    amount: <Amount value={lineAmount(line)} />,
    detail: `${line.quantity ?? ''} × ${price} · ${line.taxable ? 'taxable' : 'not taxable'}`,
  };
}
