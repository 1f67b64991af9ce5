import './products.css';
import { type Discount, type PackageDeal, ProductCategory, type ProductRow } from '@evenkeel/contract/catalogue';
import type { ReactElement } from 'react';
import * as z from 'zod';
import type { Kept } from '../../records/active.tsx';
import { needsName, sameFields } from '../../records/formFields.ts';
import { type KeptList, KeptListScreen } from '../../records/KeptList.tsx';
import { idInState, useAskedByState, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { shortList } from '../../records/shortList.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import type { PageTabs } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DiscountModal } from './DiscountModal.tsx';
import { PackageModal } from './PackageModal.tsx';
import { ProductModal } from './ProductModal.tsx';
import { categories, discounts, packages, products } from './products.ts';

const VALUES = ['products', 'discounts', 'packages', 'categories'] as const;
type TabValue = (typeof VALUES)[number];

/** Returns a column whose cells link to their records, for example `?product=12`. */
function linked<Row>(kind: string, column: Column<Row>, { idOf }: { idOf: (row: Row) => number }): Column<Row> {
  const name = (row: Row) => String(column.value?.(row) ?? '');
  return { ...column, render: (row) => <RecordLink kind={kind} id={idOf(row)} name={name(row)} /> };
}

function RecordLink({ kind, id, name }: { kind: string; id: number; name: string }) {
  return <NameLink {...useOpenRecord(kind).link(id)}>{name}</NameLink>;
}

const manager = 'Manage Products';
const DESC = { id: 'description', header: 'Desc', quiet: true } as const;
const CATEGORY = { id: 'categoryName', header: 'Category' } as const;

const PRODUCTS: KeptList<ProductRow> = {
  title: 'Products',
  of: products,
  manager,
  columns: [
    linked('product', { id: 'name', header: 'Name', value: (row) => row.name, width: '26%' }, products),
    { ...DESC, value: (row) => row.description },
    { id: 'version', header: 'Model', value: (row) => row.version, width: '150px' },
    { ...CATEGORY, value: (row) => row.categoryName, width: '184px' },
    { id: 'salesPrice', header: 'Price', kind: 'amount', value: (row) => row.salesPrice },
  ],
  phoneRow: (row) => ({
    title: row.name,
    amount: <Amount value={row.salesPrice} />,
    detail: [row.categoryName, row.version].filter(Boolean).join(' · '),
  }),
  add: 'Add Product / Service',
  hint: 'Add the products and services you sell. Evenkeel then fills in the line items for you.',
  Modal: ProductModal,
};

const DISCOUNTS: KeptList<Discount> = {
  title: 'Discounts',
  of: discounts,
  manager,
  columns: [
    linked('discount', { id: 'name', header: 'Name', value: (row) => row.name, width: '30%' }, discounts),
    { ...DESC, value: (row) => row.description },
    { ...CATEGORY, value: (row) => row.categoryName, width: '220px' },
  ],
  phoneRow: (row) => ({ title: row.name, detail: row.categoryName }),
  add: 'Add Discount',
  hint: 'Add amounts or percentages to deduct from invoices and package deals.',
  Modal: DiscountModal,
};

const PACKAGES: KeptList<PackageDeal> = {
  title: 'Package Deals',
  of: packages,
  manager,
  columns: [
    linked('package', { id: 'name', header: 'Name', value: (row) => row.name, width: '35%' }, packages),
    { ...DESC, value: (row) => row.description },
  ],
  phoneRow: (row) => ({ title: row.name, detail: row.description }),
  add: 'Add Package Deal',
  hint: 'Bundle products and sell them at one price.',
  Modal: PackageModal,
};

const CategoryForm = z.object({ categoryName: z.string(), rowVersion: z.number().nullable() });
const CATEGORY_NAME: Column<ProductCategory> = { ...CATEGORY, value: (row) => row.categoryName };

/** Save requires a name. */
const CATEGORIES = shortList<ProductCategory, z.output<typeof CategoryForm>>({
  title: 'Categories',
  label: 'Category',
  draft: 'productcategory',
  of: categories,
  manager,
  columns: [linked('category', CATEGORY_NAME, categories)],
  nameOf: (row) => row.categoryName,
  hint: 'Add categories to group your products and services.',
  reply: ProductCategory,
  schema: CategoryForm,
  formOf: sameFields(CategoryForm),
  check: needsName('categoryName'),
  canSave: ({ categoryName }) => categoryName.trim() !== '',
  fields: ({ bind, isReadOnly }) => (
    <TextField {...bind('categoryName')} label="Category" maxLength={100} autoFocus={!isReadOnly} />
  ),
});

type Tabs = PageTabs<TabValue>;

/** Every list uses the same component, so that changing the tab keeps the page and its focus. */
const LISTS: Record<TabValue, { label: string; show: (tabs: Tabs) => ReactElement }> = {
  products: shown('product', PRODUCTS),
  discounts: shown('discount', DISCOUNTS),
  packages: shown('package', PACKAGES),
  categories: shown('category', CATEGORIES),
};

function shown<Row extends Kept>(address: string, list: KeptList<Row>) {
  const show = (tabs: Tabs) => <KeptListScreen<Row, TabValue> title="Products" {...{ address, list, tabs }} />;
  return { label: list.title, show };
}

const TABS = VALUES.map((value) => ({ value, label: LISTS[value].label }));

/**
 * Returns the item that the navigation state identifies. A product opens on the products tab, and a package (with
 * `ispackage`) opens on the packages tab.
 */
export function askedItem(state: unknown): Readonly<Record<string, string | number>> | undefined {
  const id = idInState(state, 'itemId');
  if (id === undefined || typeof state !== 'object' || state === null) return undefined;
  if ('ispackage' in state && state.ispackage === true) return { tab: 'packages', package: id };
  return 'isproduct' in state && state.isproduct === false ? undefined : { tab: 'products', product: id };
}

/** The screen for products, discounts, package deals, and categories. The selected tab is remembered. */
export function ProductsScreen() {
  const { query, go } = usePlace();
  const [kept, keep] = useLocalChoice<TabValue>('productsTab', VALUES, 'products');
  const tab = VALUES.find((value) => value === query.get('tab')) ?? kept;
  const onChange = (next: TabValue) => {
    keep(next);
    go({ tab: next, q: undefined, sort: undefined, show: undefined });
  };
  useAskedByState(askedItem);
  return LISTS[tab].show({ tabs: TABS, value: tab, onChange });
}
