import type { Product } from '@evenkeel/contract/catalogue';
import { Amount } from '../ui/show/Amount.tsx';
import type { Column } from '../ui/table/columns.ts';
import type { PhoneRow } from '../ui/table/RowList.tsx';

/** Columns of the products list (Specification part 2 §2). */
export const PRODUCT_COLUMNS: readonly Column<Product>[] = [
  { id: 'name', header: 'Name', value: (row) => row.name, width: '26%' },
  { id: 'description', header: 'Desc', value: (row) => row.description, quiet: true },
  { id: 'version', header: 'Model', value: (row) => row.version, width: '150px' },
  { id: 'categoryName', header: 'Category', value: (row) => row.categoryName, width: '180px' },
  { id: 'salesPrice', header: 'Price', kind: 'amount', value: (row) => row.salesPrice },
];

export const productRowId = (row: Product): string => String(row.productID);

/** A product on a phone: name and price, then category and model. */
export function productPhoneRow(row: Product): PhoneRow {
  return {
    title: row.name,
    amount: <Amount value={row.salesPrice} />,
    detail: [row.categoryName, row.version].filter(Boolean).join(' · '),
  };
}
