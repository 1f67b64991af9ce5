import type { ProductOrPackage } from '@evenkeel/contract/catalogue';
import { discountDisplay, PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { type Cents, formatAmount, ZERO } from '@evenkeel/core/money';
import { sellPackage } from '@evenkeel/core/documents/packages';
import { formatDate } from '@evenkeel/core/dates';
import { useMemo } from 'react';
import { labelOf } from '../../../parts/choices/choice.ts';
import { discountOf, type LineChoices } from '../../../parts/choices/products.ts';
import { checkColumn, DESCRIPTION, moneyColumn, postingColumns } from '../../../parts/documents/entry/lineColumns.tsx';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import type { PickerOption } from '../../../ui/fields/pickerOptions.ts';
import { QuantityField } from '../../../ui/fields/QuantityField.tsx';
import type { LineColumn, LineEdit, TwoRows } from '../../../ui/lines/lineColumns.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { type EntryLine, isNamed, lineAmount } from './invoiceForm.ts';

type LineField = LineColumn<EntryLine>;

const NOTHING = { productId: null, packageId: null, discountId: null, deal: null, terms: null };

/**
 * Returns the fields that a selected product, package, or discount fills in: name, description, price, account, profit
 * center, and taxability. The price field is then disabled. Selecting "None (custom line)" enables it again.
 */
export function itemPatch(item: ProductOrPackage | undefined, line: EntryLine): Partial<EntryLine> {
  if (item === undefined) return { ...NOTHING, productName: '', ...(isPriced(line) ? { price: null } : {}) };
  const { id, name, profitCenterID } = item;
  const common = {
    ...NOTHING,
    productName: name,
    description: item.description || name,
    price: item.calculatedTotal,
    taxable: item.taxable,
    accountId: item.GLAccountID,
    profitCenterId: profitCenterID ?? line.profitCenterId,
  };
  if (item.isProduct) return { ...common, productId: id };
  if (item.isPackage) return { ...common, packageId: id, deal: dealOf(item) };
  const { discountPercentage, ...terms } = discountOf(item);
  return {
    ...common,
    discountId: id,
    terms: { ...terms, discountPercentage: discountPercentage.toString() },
    taxable: true,
    ...(terms.discountType === PERCENTAGE ? { quantity: 1 } : {}),
  };
}

/** Returns whether the line has the price of a package or discount, which a free-form line can't have. */
const isPriced = ({ deal, terms }: EntryLine): boolean => Boolean(deal ?? terms);

/** Returns the current terms of a package, calculated with the same function as on the server. */
function dealOf({ packageDealDiscountType, goalPrice, packageLineItems }: ProductOrPackage) {
  const deal = sellPackage({
    packageDealDiscountType: packageDealDiscountType ?? 0,
    goalPrice: goalPrice ?? ZERO,
    items: packageLineItems,
  });
  return { ...deal, itemAmount: deal.itemAmount.toString() };
}

type Key = string;

function keyOf({ productId, packageId, discountId }: EntryLine): Key | null {
  if (productId !== null) return `product-${productId}`;
  if (packageId) return `package-${packageId}`;
  return discountId ? `discount-${discountId}` : null;
}

/** Returns the items available on the line's date, and the line's current item with the key `own`. */
function itemOptions(
  items: readonly ProductOrPackage[],
  own: Key | null,
  { serviceDate: date, productName }: Pick<EntryLine, 'serviceDate' | 'productName'>,
): PickerOption<Key>[] {
  const isOffered = ({ itemKey, startDate, endDate }: ProductOrPackage) =>
    itemKey === own ||
    date === null ||
    ((startDate === null || startDate <= date) && (endDate === null || date <= endDate));
  const isMixed = items.some((item) => !item.isProduct);
  const offered = items.filter(isOffered).map((item) => ({
    id: item.itemKey,
    label: item.name,
    aside: item.isDiscount ? item.discountDisplay : formatAmount(item.calculatedTotal),
    ...(isMixed ? { group: item.isProduct ? 'Products' : item.isPackage ? 'Package Deals' : 'Discounts' } : {}),
  }));
  const isMissing = own !== null && !offered.some((option) => option.id === own);
  return isMissing ? [{ id: own, label: productName, aside: '' }, ...offered] : offered;
}

const DATE: LineField = {
  id: 'serviceDate',
  header: 'Service/Sale Date',
  width: 132,
  half: true,
  show: (line) => <DateText value={line.serviceDate} />,
  edit: ({ line, set, field }) => (
    <DateField {...field} value={line.serviceDate} onChange={(serviceDate) => set({ serviceDate })} />
  ),
};

const isPercentage = ({ terms }: EntryLine): boolean => terms?.discountType === PERCENTAGE;

const PRICE = moneyColumn<EntryLine>({
  id: 'price',
  header: 'Price',
  width: 132,
  show: (line) => (line.terms && isPercentage(line) ? discountDisplay(line.terms) : <Amount value={line.price} />),
  of: (line) => line.price,
  patch: (price) => ({ price }),
  isFixed: isNamed,
});

const QUANTITY: LineField = {
  id: 'quantity',
  header: 'Quantity',
  right: true,
  width: 84,
  half: true,
  show: (line) => line.quantity,
  edit: ({ line, set, field }) => (
    <QuantityField
      {...field}
      places={6}
      value={line.quantity}
      disabled={isPercentage(line)}
      onChange={(quantity) => set({ quantity })}
    />
  ),
};

const AMOUNT: LineField = {
  id: 'amount',
  header: 'Amount',
  right: true,
  width: 116,
  half: true,
  show: (line, amount = lineAmount(line)) => <Amount value={amount} />,
};

/** Shows the quantity and price of a committed line in one cell. */
const FACTORS: LineField = {
  id: 'factors',
  header: 'Quantity × Price',
  right: true,
  width: 200,
  show: (line) => factors(line),
};

function factors({ terms, quantity, price }: EntryLine): string {
  if (terms?.discountType === PERCENTAGE) return discountDisplay(terms);
  return `${quantity ?? ''} × ${price === null ? '' : formatAmount(price)}`;
}

function itemColumn(choices: LineChoices): LineField {
  return {
    id: 'productId',
    header: 'Product/Package/Discount',
    width: 190,
    isName: true,
    show: (line) => line.productName,
    edit: (edit) => <ItemPicker {...edit} choices={choices} />,
  };
}

function ItemPicker({ line, set, field, choices }: LineEdit<EntryLine> & { choices: LineChoices }) {
  const { items, isLoadingItems } = choices;
  const { serviceDate, productName } = line;
  const own = keyOf(line);
  const options = useMemo(
    () => itemOptions(items, own, { serviceDate, productName }),
    [items, own, serviceDate, productName],
  );
  const choose = (key: Key | null) => {
    const item = items.find(({ itemKey }) => itemKey === key);
    set(itemPatch(item, line));
  };
  return (
    <Picker
      {...field}
      options={options}
      value={own}
      isLoading={isLoadingItems}
      noneLabel="None (custom line)"
      onChange={choose}
    />
  );
}

function taxableColumn({ items }: LineChoices): LineField {
  return checkColumn({
    id: 'taxable',
    header: 'Taxable',
    width: 72,
    of: (line) => line.taxable,
    patch: (taxable) => ({ taxable }),
    isFixed: (line) => {
      const item = items.find(({ itemKey }) => itemKey === keyOf(line));
      return line.terms ? true : item !== undefined && !item.taxable && !line.taxable;
    },
  });
}

/** Returns the line item form as columns, which are inline on wide screens and in a sheet below 1224 px. */
export function entryColumns(choices: LineChoices): readonly LineField[] {
  return [
    DATE,
    itemColumn(choices),
    DESCRIPTION,
    ...postingColumns(choices, {
      options: choices.revenue,
      every: choices.accounts,
      isLoading: choices.isLoadingAccounts,
    }),
    PRICE,
    QUANTITY,
    taxableColumn(choices),
    AMOUNT,
  ];
}

/**
 * Returns the two-row layout of a line. The product, description, quantity × price, and amount are above. The date,
 * account, dimensions, and taxability are below in small type.
 */
export function entryTwoRows(choices: LineChoices): TwoRows<EntryLine> {
  const { accounts, profitCenters, locations } = choices;
  return {
    columns: [{ ...itemColumn(choices), width: 300 }, DESCRIPTION, FACTORS, { ...AMOUNT, width: 132 }],
    above: [
      { id: 'productId', width: 300 },
      { id: 'description' },
      { id: 'quantity', width: 92 },
      { id: 'price', width: 140 },
      { id: 'amount', width: 116 },
    ],
    below: [
      { id: 'serviceDate', width: 136 },
      { id: 'accountId' },
      { id: 'profitCenterId', width: 144 },
      { id: 'locationId', width: 144 },
      { id: 'taxable', width: 96 },
    ],
    beneath: (line) => [
      line.serviceDate === null ? '' : formatDate(line.serviceDate),
      labelOf(accounts, line.accountId),
      labelOf(profitCenters, line.profitCenterId),
      labelOf(locations, line.locationId),
      line.taxable ? 'Taxable' : '',
    ],
  };
}

const isDate = ({ id }: { id: string }): boolean => id === DATE.id;

/** Returns the columns for a scheduled invoice, whose lines always have the invoice date. */
export const undatedColumns = (choices: LineChoices) => entryColumns(choices).filter((one) => !isDate(one));

export function undatedTwoRows(choices: LineChoices): TwoRows<EntryLine> {
  const rows = entryTwoRows(choices);
  return {
    ...rows,
    below: rows.below.filter((one) => !isDate(one)),
    beneath: (line) => rows.beneath({ ...line, serviceDate: null }),
  };
}

/** Returns the two lines of text on a line item's card below 1224 px. */
export function entryCard(line: EntryLine, amount: Cents = lineAmount(line)) {
  return {
    title: line.description === '' ? line.productName : line.description,
    amount: <Amount value={amount} />,
    detail: `${factors(line)} · ${line.taxable ? 'taxable' : 'not taxable'}`,
  };
}

/** Returns the contents of a package, shown below its line. */
export function entryParts({ deal }: EntryLine) {
  if (!deal) return null;
  const words = deal.parts.map(({ productID, quantity, name }) => {
    return productID === null ? name : `${quantity.toString()} × ${name}`;
  });
  return <span className="ek-muted ek-small">{words.join(', ')}</span>;
}
