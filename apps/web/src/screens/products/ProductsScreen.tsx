import './products.css';
import type { Discount, PackageDeal, ProductCategory, ProductRow } from '@evenkeel/contract/catalogue';
import type { ComponentType, ReactElement } from 'react';
import { ListScreen } from '../../records/ListScreen.tsx';
import { idInState, useAddressChoice, useAskedByState, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { type RecordsSpec, useList } from '../../records/records.ts';
import { useMay } from '../../client/session.ts';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import type { PageTabs } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { CategoryModal } from './CategoryModal.tsx';
import { DiscountModal } from './DiscountModal.tsx';
import { PackageModal } from './PackageModal.tsx';
import { ProductModal, type ProductModalProps } from './ProductModal.tsx';
import { categories, discounts, packages, products } from './products.ts';

const VALUES = ['products', 'discounts', 'packages', 'categories'] as const;
type TabValue = (typeof VALUES)[number];

/** One list of the catalogue. */
interface CatalogueList<Row extends object> {
  /** Its name in the address: `?product=12`. */
  kind: string;
  of: Pick<RecordsSpec<Row, never, never>, 'list' | 'words'> & { idOf: (row: Row) => number };
  nameOf: (row: Row) => string;
  isActive: (row: Row) => boolean;
  /** The first is the name, by which the list is sorted. */
  columns: readonly [Column<Row>, ...Column<Row>[]];
  phoneRow: (row: Row) => PhoneRow;
  search: string;
  add: string;
  hint: string;
  Modal: ComponentType<ProductModalProps>;
}

const DESC = { id: 'description', header: 'Desc', quiet: true } as const;
const CATEGORY = { id: 'categoryName', header: 'Category' } as const;

const PRODUCTS: CatalogueList<ProductRow> = {
  kind: 'product',
  of: products,
  nameOf: (row) => row.name,
  isActive: (row) => !row.deleted,
  columns: [
    { id: 'name', header: 'Name', value: (row) => row.name, width: '26%' },
    { ...DESC, value: (row) => row.description },
    { id: 'version', header: 'Model', value: (row) => row.version, width: '150px' },
    { ...CATEGORY, value: (row) => row.categoryName, width: '180px' },
    { id: 'salesPrice', header: 'Price', kind: 'amount', value: (row) => row.salesPrice },
  ],
  phoneRow: (row) => ({
    title: row.name,
    amount: <Amount value={row.salesPrice} />,
    detail: [row.categoryName, row.version].filter(Boolean).join(' · '),
  }),
  search: 'Search Products...',
  add: 'Add Product / Service',
  hint: 'Add what you sell: a billing line then fills itself in.',
  Modal: ProductModal,
};

const DISCOUNTS: CatalogueList<Discount> = {
  kind: 'discount',
  of: discounts,
  nameOf: (row) => row.name,
  isActive: (row) => !row.deleted,
  columns: [
    { id: 'name', header: 'Name', value: (row) => row.name, width: '30%' },
    { ...DESC, value: (row) => row.description },
    { ...CATEGORY, value: (row) => row.categoryName, width: '220px' },
  ],
  phoneRow: (row) => ({ title: row.name, detail: row.categoryName }),
  search: 'Search Discounts...',
  add: 'Add Discount',
  hint: 'Add what you take off: an amount or a percentage, for invoices and package deals.',
  Modal: DiscountModal,
};

const PACKAGES: CatalogueList<PackageDeal> = {
  kind: 'package',
  of: packages,
  nameOf: (row) => row.name,
  isActive: (row) => !row.deleted,
  columns: [
    { id: 'name', header: 'Name', value: (row) => row.name, width: '35%' },
    { ...DESC, value: (row) => row.description },
  ],
  phoneRow: (row) => ({ title: row.name, detail: row.description }),
  search: 'Search Package Deals...',
  add: 'Add Package Deal',
  hint: 'Put products together and sell them at one price.',
  Modal: PackageModal,
};

const CATEGORIES: CatalogueList<ProductCategory> = {
  kind: 'category',
  of: categories,
  nameOf: (row) => row.categoryName,
  isActive: (row) => row.active,
  columns: [{ ...CATEGORY, value: (row) => row.categoryName }],
  phoneRow: (row) => ({ title: row.categoryName }),
  search: 'Search Categories...',
  add: 'Add Category',
  hint: 'Add categories to group what you sell.',
  Modal: CategoryModal,
};

type Tabs = PageTabs<TabValue>;

/** Each list as the same part, so that changing the tab keeps the page and its focus. */
const LISTS: Record<TabValue, { label: string; show: (tabs: Tabs) => ReactElement }> = {
  products: { label: 'Products', show: (tabs) => <List<ProductRow> list={PRODUCTS} tabs={tabs} /> },
  discounts: { label: 'Discounts', show: (tabs) => <List<Discount> list={DISCOUNTS} tabs={tabs} /> },
  packages: { label: 'Package Deals', show: (tabs) => <List<PackageDeal> list={PACKAGES} tabs={tabs} /> },
  categories: { label: 'Categories', show: (tabs) => <List<ProductCategory> list={CATEGORIES} tabs={tabs} /> },
};

const TABS = VALUES.map((value) => ({ value, label: LISTS[value].label }));

/** The item that a navigation state names: a product opens on its tab, with `ispackage` a package on its own. */
export function askedItem(state: unknown): Readonly<Record<string, string | number>> | undefined {
  const id = idInState(state, 'itemId');
  if (id === undefined || typeof state !== 'object' || state === null) return undefined;
  if ('ispackage' in state && state.ispackage === true) return { tab: 'packages', package: id };
  return 'isproduct' in state && state.isproduct === false ? undefined : { tab: 'products', product: id };
}

/** Products, discounts, package deals and categories; the chosen tab is remembered. */
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

function List<Row extends object>({ list, tabs }: { list: CatalogueList<Row>; tabs: Tabs }) {
  const { of, columns, nameOf, isActive, Modal } = list;
  const mayManage = useMay()('Manage Products');
  const open = useOpenRecord(list.kind);
  const [show, setShow] = useAddressChoice('show', ['active', 'all']);
  const isAll = show === 'all';
  const [first, ...others] = columns;
  const named: Column<Row> = {
    ...first,
    render: (row) => <RecordLink kind={list.kind} id={of.idOf(row)} name={nameOf(row)} />,
  };
  const wordOf = (row: Row) => (isActive(row) ? 'Active' : 'Inactive');
  const status: Column<Row> = {
    id: 'active',
    header: 'Status',
    kind: 'status',
    value: wordOf,
    render: (row) => <Status look={isActive(row) ? 'plain' : 'void'}>{wordOf(row)}</Status>,
  };
  return (
    <ListScreen<Row, TabValue>
      title="Products"
      read={useList(of, isAll)}
      words={of.words}
      tabs={tabs}
      columns={isAll ? [named, ...others, status] : [named, ...others]}
      rowId={(row) => String(of.idOf(row))}
      sort={first.id}
      search={list.search}
      hint={list.hint}
      add={mayManage ? { label: list.add, onClick: () => open.open(0) } : undefined}
      inactive={{ isShown: isAll, onChange: (all) => setShow(all ? 'all' : 'active') }}
      onOpen={(row) => open.open(of.idOf(row))}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      phoneRow={list.phoneRow}
    >
      {open.id !== undefined && <Modal key={`${list.kind} ${open.id}`} id={open.id} onClose={open.close} />}
    </ListScreen>
  );
}

function RecordLink({ kind, id, name }: { kind: string; id: number; name: string }) {
  return <NameLink {...useOpenRecord(kind).link(id)}>{name}</NameLink>;
}
