import { createBrowserRouter, Link, Outlet, type RouteObject } from 'react-router';
import { Guard, Private } from './shell/Private.tsx';
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

/**
 * Private screens are fetched when they are drawn, not when their address is matched: who still has to sign in does not
 * pay for them.
 */
const inside: RouteObject[] = [
  {
    element: <Guard needs="View Dashboard" otherwise={<FirstScreen />} />,
    children: [
      {
        index: true,
        Component: lazyPart(async () => (await import('./dashboard/Dashboard.tsx')).Dashboard),
      },
    ],
  },
  {
    element: <Guard needs="View Billing" />,
    children: [
      {
        path: '/billing',
        Component: lazyPart(async () => (await import('./billing/BillingScreen.tsx')).BillingScreen),
      },
    ],
  },
  {
    element: <Guard needs="View Customers" />,
    children: [
      {
        path: '/customers/:customerId?/:fromsearch?',
        Component: lazyPart(async () => (await import('./customers/CustomersScreen.tsx')).CustomersScreen),
      },
    ],
  },
  {
    element: <Guard needs="View Products" />,
    children: [
      {
        path: '/products',
        Component: lazyPart(async () => (await import('./products/ProductsScreen.tsx')).ProductsScreen),
      },
    ],
  },
  {
    element: <Guard needs="View Accounting" />,
    children: [
      {
        path: '/accounting',
        Component: lazyPart(async () => (await import('./accounting/AccountingScreen.tsx')).AccountingScreen),
      },
    ],
  },
  {
    element: <Guard needs="View Reports" />,
    children: [
      {
        path: '/reports',
        Component: lazyPart(async () => (await import('./reports/ReportsScreen.tsx')).ReportsScreen),
      },
    ],
  },
  {
    element: <Guard needs="Administrator" />,
    children: [
      {
        path: '/settings',
        Component: lazyPart(async () => (await import('./settings/SettingsScreen.tsx')).SettingsScreen),
      },
    ],
  },
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
