import { createBrowserRouter, Link, Outlet, type RouteObject } from 'react-router';
import { Private } from './shell/Private.tsx';
import { screen } from './shell/screen.tsx';
import { Alerts } from './ui/alerts/Alerts.tsx';
import { lazyPart } from './ui/lazy/lazyPart.tsx';
import { EmptyState } from './ui/show/EmptyState.tsx';
import { RouteError } from './ui/show/RouteError.tsx';

/** What every screen shares: the reserved place of the alerts. */
function Root() {
  return (
    <>
      <Outlet />
      <Alerts />
    </>
  );
}

/** Nothing for the moment it takes to fetch the first screen. */
function Blank() {
  return null;
}

function NotFound() {
  return <EmptyState isPage title="This page does not exist" action={<Link to="/">Go to the dashboard</Link>} />;
}

/** The shared parts in their states: in development, and in a build with `--mode gallery`. */
const gallery: RouteObject[] =
  import.meta.env.DEV || import.meta.env.MODE === 'gallery'
    ? [
        { path: '/ui', lazy: async () => ({ Component: (await import('./ui/gallery/Gallery.tsx')).Gallery }) },
        { path: '/ui/*', lazy: async () => ({ Component: (await import('./ui/gallery/Frame.tsx')).GalleryFrame }) },
      ]
    : [];

const open: RouteObject[] = [
  { path: '/login', lazy: async () => ({ Component: (await import('./auth/Login.tsx')).Login }) },
  { path: '/register', lazy: async () => ({ Component: (await import('./auth/Register.tsx')).Register }) },
  { path: '/verify-email', lazy: async () => ({ Component: (await import('./auth/VerifyEmail.tsx')).VerifyEmail }) },
  {
    path: '/forgot-password',
    lazy: async () => ({ Component: (await import('./auth/ForgotPassword.tsx')).ForgotPassword }),
  },
  {
    path: '/reset-password',
    lazy: async () => ({ Component: (await import('./auth/ResetPassword.tsx')).ResetPassword }),
  },
  { path: '/TOS', lazy: async () => ({ Component: (await import('./auth/Terms.tsx')).Terms }) },
  { path: '/privacy-policy', lazy: async () => ({ Component: (await import('./auth/Privacy.tsx')).Privacy }) },
];

const FirstScreen = lazyPart(async () => (await import('./shell/FirstScreen.tsx')).FirstScreen);

/** What stands in the frame, by what a session needs to open it. Pages of accounting stand in no menu. */
const inside: RouteObject[] = [
  screen('Dashboard', '/', {
    needs: 'View Dashboard',
    otherwise: <FirstScreen />,
    load: async () => (await import('./dashboard/Dashboard.tsx')).Dashboard,
  }),
  screen('Billing', '/billing', {
    needs: 'View Billing',
    load: async () => (await import('./billing/BillingScreen.tsx')).BillingScreen,
  }),
  screen('Expenses', '/expenses', {
    needs: 'View Expenses',
    load: async () => (await import('./expenses/ExpensesScreen.tsx')).ExpensesScreen,
  }),
  screen('Customers', '/customers/:customerId?/:fromsearch?', {
    needs: 'View Customers',
    load: async () => (await import('./customers/CustomersScreen.tsx')).CustomersScreen,
  }),
  screen('Vendors', '/vendors/:vendorId?/:fromsearch?', {
    needs: 'View Vendors',
    load: async () => {
      const [{ VendorsScreen }, { VendorInvoices }] = await Promise.all([
        import('./vendors/VendorsScreen.tsx'),
        import('./expenses/VendorInvoices.tsx'),
      ]);
      return () => <VendorsScreen Invoices={VendorInvoices} />;
    },
  }),
  screen('Products', '/products', {
    needs: 'View Products',
    load: async () => (await import('./products/ProductsScreen.tsx')).ProductsScreen,
  }),
  screen('Accounting', '/accounting', {
    needs: 'View Accounting',
    load: async () => (await import('./accounting/AccountingScreen.tsx')).AccountingScreen,
  }),
  screen('Profit Centers', '/profitcenters', {
    needs: 'View Accounting',
    load: async () => (await import('./accounting/ProfitCentersScreen.tsx')).ProfitCentersScreen,
  }),
  screen('Locations', '/locations', {
    needs: 'View Accounting',
    load: async () => (await import('./accounting/LocationsScreen.tsx')).LocationsScreen,
  }),
  screen('GL Accounts', '/glaccounts', {
    needs: 'View Accounting',
    load: async () => (await import('./accounting/GlAccountsScreen.tsx')).GlAccountsScreen,
  }),
  screen('Account Categories', '/accountcategories', {
    needs: 'View Accounting',
    load: async () => (await import('./accounting/AccountCategoriesScreen.tsx')).AccountCategoriesScreen,
  }),
  screen('Reports', '/reports', {
    needs: 'View Reports',
    load: async () => (await import('./reports/ReportsScreen.tsx')).ReportsScreen,
  }),
  screen('Settings', '/settings', {
    needs: 'Administrator',
    load: async () => (await import('./settings/SettingsScreen.tsx')).SettingsScreen,
  }),
];

export const router = createBrowserRouter([
  {
    path: '/',
    Component: Root,
    HydrateFallback: Blank,
    ErrorBoundary: RouteError,
    children: [
      ...gallery,
      ...open,
      { Component: Private, HydrateFallback: Blank, children: [...inside, { path: '*', Component: NotFound }] },
    ],
  },
]);
