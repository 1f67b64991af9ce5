import './products.css';
import type { Product } from '@evenkeel/contract/catalogue';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useMay } from '../session.ts';
import { useLocalChoice } from '../ui/hooks/localState.ts';
import { FilterBox } from '../ui/page/FilterBox.tsx';
import { Page } from '../ui/page/Page.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { PRODUCT_COLUMNS, productPhoneRow, productRowId } from './productColumns.tsx';
import { ProductModal } from './ProductModal.tsx';
import { useProducts } from './queries.ts';

/** Further tabs of the catalogue stand here beside it; the chosen one is remembered. */
const TABS = [{ value: 'products', label: 'Products' }] as const;
const TAB_NAMES = ['products'] as const;
const BY_NAME = { id: 'name' };
const ADD = 'Add Product / Service';
const counted = (rows: number): string => `${rows} ${rows === 1 ? 'item' : 'items'}`;

/** Products and services; a row opens the form (Specification part 2 §2 "Products area"). */
export function ProductsScreen() {
  const mayManage = useMay()('Manage Products');
  const [tab, setTab] = useLocalChoice('productsTab', TAB_NAMES, 'products');
  const [filter, setFilter] = useState('');
  const [openId, setOpenId] = useAskedProduct();
  const { rows, error, retry } = useProducts();
  const add = mayManage ? () => setOpenId(0) : undefined;
  return (
    <>
      <Page
        title="Products"
        tabs={{ tabs: TABS, value: tab, onChange: setTab }}
        primary={add === undefined ? undefined : { label: ADD, onClick: add }}
        filter={<FilterBox placeholder="Search Products..." value={filter} onChange={setFilter} />}
      >
        <DataTable<Product>
          label="Products"
          columns={PRODUCT_COLUMNS}
          rows={rows}
          rowId={productRowId}
          defaultSort={BY_NAME}
          filter={filter}
          error={error}
          onRetry={retry}
          empty={{
            title: 'No products or services',
            hint: 'Add what you sell: a billing line then fills itself in.',
            action: add === undefined ? undefined : <Button onClick={add}>{ADD}</Button>,
          }}
          onOpen={(row) => setOpenId(row.productID)}
          selectedId={openId === undefined ? undefined : String(openId)}
          count={counted}
          phoneRow={productPhoneRow}
        />
      </Page>
      {openId !== undefined && <ProductModal key={openId} id={openId} onClose={() => setOpenId(undefined)} />}
    </>
  );
}

/** The product that the navigation state names; an item of another kind is not this tab's. */
export function askedProduct(state: unknown): number | undefined {
  if (typeof state !== 'object' || state === null || !('itemId' in state)) return undefined;
  if ('isproduct' in state && state.isproduct === false) return undefined;
  if ('ispackage' in state && state.ispackage === true) return undefined;
  return typeof state.itemId === 'number' && state.itemId > 0 ? state.itemId : undefined;
}

/** Opens what the navigation asks for and clears the state, so that a reload does not open it again. */
function useAskedProduct() {
  const location = useLocation();
  const navigate = useNavigate();
  const asked = askedProduct(location.state);
  const [openId, setOpenId] = useState<number | undefined>(asked);
  useEffect(() => {
    if (asked === undefined) return;
    setOpenId(asked);
    void navigate('/products', { replace: true, state: null });
  }, [asked, navigate]);
  return [openId, setOpenId] as const;
}
