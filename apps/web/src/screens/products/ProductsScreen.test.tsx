// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeNetwork, signedIn } from '../billing/testing/answers.tsx';
import { makeQueryClient } from '../../client/api.ts';
import { signOut, updateSession } from '../../client/session.ts';
import { show } from '../../testing/show.tsx';
import { ProductsScreen } from './ProductsScreen.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  signOut();
});

const offer = { entityID: 3, description: '', deleted: false, rowVersion: 1 };
const discount = (id: number) => ({
  ...offer,
  discountID: id,
  name: `Row ${id}`,
  discountType: 0,
  discountTypeTarget: 1,
  discountPercentage: 0,
  discountFlatValue: 5,
  productCategoryID: null,
  categoryName: '',
  GLAccountID: 140,
  profitCenterID: null,
  startDate: null,
  startDateInUse: false,
  endDate: null,
  endDateInUse: false,
});
const deal = (id: number) => ({
  ...offer,
  packageID: id,
  name: `Row ${id}`,
  packageDealDiscountType: 0,
  goalPrice: 0,
  packageTotalPrice: 0,
  packageLineItems: [],
  smartDiscount: null,
  documentLinks: [],
});
const category = (id: number) => ({ productCategoryID: id, categoryName: `Row ${id}`, active: true, rowVersion: 1 });

const LISTS = [
  ['discounts', '/discount', 'discounts', discount],
  ['packages', '/package', 'package deals', deal],
  ['categories', '/ProductCategory', 'categories', category],
] as const;

it.each(LISTS)(
  'a list of 501 %s loads one page, counts all of them, and searches on the server',
  async (tab, path, words, row) => {
    signedIn();
    // Without a height, no rows of a long list are visible.
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
    const items = Array.from({ length: 100 }, (_, index) => row(index + 1));
    fakeNetwork({
      [`GET ${path}`]: [{ status: 200, body: { items, next: 'behind', total: 501 } }],
      [`GET ${path}?limit=100&q=row+9`]: [{ status: 200, body: { items: [row(9)], next: null, total: 1 } }],
    });
    const screenOf = (
      <QueryClientProvider client={makeQueryClient()}>
        <ProductsScreen />
      </QueryClientProvider>
    );
    show(screenOf, `/products?tab=${tab}`);
    await screen.findByText('Row 1');
    expect(document.querySelector('tfoot')?.textContent).toBe(`501 ${words}`);
    await userEvent.type(screen.getByRole('textbox', { name: /^Search/ }), 'row 9');
    await waitFor(() => expect(document.querySelector('tfoot')?.textContent).toMatch(/^1 /));
  },
);

it("a tab that is loading doesn't show the previous tab's rows, and its table has the tab's name", async () => {
  signedIn();
  fakeNetwork({
    'GET /discount': [{ status: 200, body: [discount(1)] }],
    'GET /ProductCategory': [new Promise(() => undefined)],
  });
  const screenOf = (
    <QueryClientProvider client={makeQueryClient()}>
      <ProductsScreen />
    </QueryClientProvider>
  );
  show(screenOf, '/products?tab=discounts');
  await screen.findByText('Row 1');
  expect(within(screen.getByRole('table', { name: 'Discounts' })).getByText('Row 1')).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Categories' }));
  await waitFor(() => expect(screen.queryByText('Row 1')).toBeNull());
  expect(screen.getByRole('table', { name: 'Categories' })).toBeTruthy();
  expect(screen.getByRole('tab', { name: 'Categories' }).getAttribute('aria-selected')).toBe('true');
});

it('adding a category returns the focus to its field, so that keyboard shortcuts reach the dialog', async () => {
  signedIn();
  updateSession({ permissions: ['Manage Products', 'Manage Accounting'] });
  const network = fakeNetwork({
    'GET /ProductCategory': [{ status: 200, body: [] }],
    'GET /product': [{ status: 200, body: [] }],
    'POST /ProductCategory/CreateProductCategory': [{ status: 200, body: category(4) }],
  });
  const screenOf = (
    <QueryClientProvider client={makeQueryClient()}>
      <ProductsScreen />
    </QueryClientProvider>
  );
  show(screenOf, '/products?tab=products&product=0');
  await userEvent.click(await screen.findByRole('button', { name: 'Add Category' }));
  await userEvent.keyboard('Grounds{Enter}');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Category' })));
});
