import './products.css';
import type { Product } from '@evenkeel/contract/catalogue';
import { ListScreen } from '../records/ListScreen.tsx';
import { useAddressChoice, useAskedByState, useOpenRecord } from '../records/openRecord.ts';
import { useList } from '../records/records.ts';
import { useMay } from '../session.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { NameLink } from '../ui/show/NameLink.tsx';
import type { Column } from '../ui/table/columns.ts';
import type { PhoneRow } from '../ui/table/RowList.tsx';
import { ProductModal } from './ProductModal.tsx';
import { products } from './products.ts';

/** Further tabs of the catalogue stand here beside it. */
const TABS = [{ value: 'products', label: 'Products' }] as const;

const COLUMNS: readonly Column<Product>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (row) => row.name,
    render: (row) => <ProductLink product={row} />,
    width: '26%',
  },
  { id: 'description', header: 'Desc', value: (row) => row.description, quiet: true },
  { id: 'version', header: 'Model', value: (row) => row.version, width: '150px' },
  { id: 'categoryName', header: 'Category', value: (row) => row.categoryName, width: '180px' },
  { id: 'salesPrice', header: 'Price', kind: 'amount', value: (row) => row.salesPrice },
];

function ProductLink({ product }: { product: Product }) {
  return <NameLink {...useOpenRecord('product').link(product.productID)}>{product.name}</NameLink>;
}

const rowId = (row: Product): string => String(row.productID);

const phoneRow = (row: Product): PhoneRow => ({
  title: row.name,
  amount: <Amount value={row.salesPrice} />,
  detail: [row.categoryName, row.version].filter(Boolean).join(' · '),
});

/** The product that a navigation state names; an item of another kind is not this tab's. */
export function askedProduct(state: unknown): { product: number } | undefined {
  if (typeof state !== 'object' || state === null || !('itemId' in state)) return undefined;
  if ('isproduct' in state && state.isproduct === false) return undefined;
  if ('ispackage' in state && state.ispackage === true) return undefined;
  return typeof state.itemId === 'number' && state.itemId > 0 ? { product: state.itemId } : undefined;
}

/** Products and services; a row opens the form (Specification part 2 §2 "Products area"). */
export function ProductsScreen() {
  const mayManage = useMay()('Manage Products');
  const [tab, setTab] = useAddressChoice('tab', ['products']);
  const open = useOpenRecord('product');
  useAskedByState(askedProduct);
  return (
    <ListScreen
      title="Products"
      read={useList(products)}
      words={products.words}
      tabs={{ tabs: TABS, value: tab, onChange: setTab }}
      columns={COLUMNS}
      rowId={rowId}
      sort="name"
      search="Search Products..."
      hint="Add what you sell: a billing line then fills itself in."
      add={mayManage ? { label: 'Add Product / Service', onClick: () => open.open(0) } : undefined}
      onOpen={(row) => open.open(row.productID)}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      phoneRow={phoneRow}
    >
      {open.id !== undefined && <ProductModal key={open.id} id={open.id} onClose={open.close} />}
    </ListScreen>
  );
}
