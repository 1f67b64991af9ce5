import { Button } from '@mantine/core';
import { type ComponentType, Suspense } from 'react';
import { Link, Outlet, type RouteObject, useRoutes } from 'react-router';
import { Private } from './shell/Private.tsx';
import { screen } from './shell/screen.tsx';
import { Alerts } from '../ui/alerts/Alerts.tsx';
import { lazyPart } from '../ui/lazy/lazyPart.tsx';
import { EmptyState } from '../ui/show/EmptyState.tsx';
import { RouteBoundary } from '../ui/show/RouteError.tsx';

/** The layout of all screens, with a reserved area for alerts. */
function Root() {
  return (
    <>
      <RouteBoundary>
        <Suspense>
          <Outlet />
        </Suspense>
      </RouteBoundary>
      <Alerts />
    </>
  );
}

function NotFound() {
  const action = (
    <Button component={Link} to="/">
      Go to the dashboard
    </Button>
  );
  return <EmptyState isPage title="This page does not exist" hint="Check the address for typos." action={action} />;
}

/** Returns a page that needs no session. */
function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  const Body = lazyPart(load);
  return { path, element: <Body /> };
}

const open: RouteObject[] = [
  page('/login', async () => (await import('../screens/auth/Login.tsx')).Login),
  page('/register', async () => (await import('../screens/auth/Register.tsx')).Register),
  page('/verify-email', async () => (await import('../screens/auth/VerifyEmail.tsx')).VerifyEmail),
  page('/forgot-password', async () => (await import('../screens/auth/ForgotPassword.tsx')).ForgotPassword),
  page('/reset-password', async () => (await import('../screens/auth/ResetPassword.tsx')).ResetPassword),
  page('/second-factor', async () => (await import('../screens/auth/RequiredTwoStep.tsx')).RequiredTwoStep),
  page('/first-time-setup', async () => {
    const [{ FirstTimeSetup }, { CompanySwitch }] = await Promise.all([
      import('../screens/setup/FirstTimeSetup.tsx'),
      import('../screens/auth/CompanySwitch.tsx'),
    ]);
    return () => <FirstTimeSetup Companies={CompanySwitch} />;
  }),
  page('/TOS', async () => (await import('../screens/auth/Terms.tsx')).Terms),
  page('/privacy-policy', async () => (await import('../screens/auth/Privacy.tsx')).Privacy),
];

const FirstScreen = lazyPart(async () => (await import('./shell/FirstScreen.tsx')).FirstScreen);

/**
 * The screens within the app frame, each with its required permission. The subpages of accounting are not in the menu.
 */
export const privateRoutes: readonly RouteObject[] = [
  screen('Dashboard', '/', {
    needs: 'View Dashboard',
    otherwise: <FirstScreen />,
    load: async () => {
      const [{ Dashboard }, { useHasOthers, useOpens }] = await Promise.all([
        import('../screens/dashboard/Dashboard.tsx'),
        import('./shell/menu.ts'),
      ]);
      return function Start() {
        return <Dashboard hasOthers={useHasOthers()} opens={useOpens()} />;
      };
    },
  }),
  screen('Billing', '/billing', {
    needs: 'View Billing',
    load: async () => (await import('../screens/billing/BillingScreen.tsx')).BillingScreen,
  }),
  screen('Expenses', '/expenses', {
    needs: 'View Expenses',
    load: async () => (await import('../screens/expenses/ExpensesScreen.tsx')).ExpensesScreen,
  }),
  screen('Customers', '/customers/:customerId?/:fromsearch?', {
    needs: 'View Customers',
    load: async () => (await import('./Customers.tsx')).Customers,
  }),
  screen('Vendors', '/vendors/:vendorId?/:fromsearch?', {
    needs: 'View Vendors',
    load: async () => (await import('./Vendors.tsx')).Vendors,
  }),
  screen('Products', '/products', {
    needs: 'View Products',
    load: async () => (await import('../screens/products/ProductsScreen.tsx')).ProductsScreen,
  }),
  screen('Banking', '/banking', {
    needs: 'View Banking',
    load: async () => {
      const [{ BankingScreen }, { ReportViewer }] = await Promise.all([
        import('../screens/banking/BankingScreen.tsx'),
        import('../screens/reports/ReportViewer.tsx'),
      ]);
      return () => <BankingScreen Report={ReportViewer} />;
    },
  }),
  screen('Approvals', '/approvals', {
    needs: 'changes',
    load: async () => (await import('../screens/approvals/ApprovalsScreen.tsx')).ApprovalsScreen,
  }),
  screen('Accounting', '/accounting', {
    needs: 'View Accounting',
    load: async () => (await import('../screens/accounting/AccountingScreen.tsx')).AccountingScreen,
  }),
  screen('Budgets', '/budgets', {
    needs: 'View Accounting',
    load: async () => (await import('../screens/accounting/budgets/BudgetsScreen.tsx')).BudgetsScreen,
  }),
  screen('Taxes', '/taxes', {
    needs: 'View Accounting',
    load: async () => (await import('../screens/taxes/TaxesScreen.tsx')).TaxesScreen,
  }),
  screen('Profit Centers', '/profitcenters', {
    needs: 'View Accounting',
    load: async () => (await import('../screens/accounting/ProfitCentersScreen.tsx')).ProfitCentersScreen,
  }),
  screen('Locations', '/locations', {
    needs: 'View Accounting',
    load: async () => (await import('../screens/accounting/LocationsScreen.tsx')).LocationsScreen,
  }),
  screen('GL Accounts', '/glaccounts', {
    needs: 'View Accounting',
    load: async () => (await import('../screens/accounting/GlAccountsScreen.tsx')).GlAccountsScreen,
  }),
  screen('Account Categories', '/accountcategories', {
    needs: 'View Accounting',
    load: async () => (await import('../screens/accounting/AccountCategoriesScreen.tsx')).AccountCategoriesScreen,
  }),
  screen('Reports', '/reports', {
    needs: 'View Reports',
    load: async () => (await import('../screens/reports/ReportsScreen.tsx')).ReportsScreen,
  }),
  screen('Month End', '/monthend', {
    needs: 'Administrator',
    load: async () => (await import('../screens/monthend/MonthEndScreen.tsx')).MonthEndScreen,
  }),
  screen('Users', '/users', {
    needs: 'Administrator',
    load: async () => (await import('../screens/users/UsersScreen.tsx')).UsersScreen,
  }),
  screen('API Keys', '/apikeys', {
    needs: 'Administrator',
    load: async () => (await import('../screens/users/KeysScreen.tsx')).KeysScreen,
  }),
  screen('Webhooks', '/webhooks', {
    needs: 'Administrator',
    load: async () => (await import('../screens/users/WebhooksScreen.tsx')).WebhooksScreen,
  }),
  screen('Online Payments', '/onlinepayments', {
    needs: 'View Billing',
    load: async () => (await import('../screens/settings/PaymentsScreen.tsx')).PaymentsScreen,
  }),
  screen('Audit Log', '/audit', {
    needs: 'Administrator',
    load: async () => (await import('../screens/audit/AuditScreen.tsx')).AuditScreen,
  }),
  screen('Health', '/health', {
    needs: 'Administrator',
    load: async () => (await import('../screens/health/HealthScreen.tsx')).HealthScreen,
  }),
  screen('Opening Balances', '/openingbalances', {
    needs: 'Manage Accounting',
    load: async () => (await import('../screens/opening/OpeningScreen.tsx')).OpeningScreen,
  }),
  screen('Settings', '/settings', {
    needs: 'Administrator',
    load: async () => (await import('../screens/settings/SettingsScreen.tsx')).SettingsScreen,
  }),
  screen('Move In', '/movein', {
    needs: 'Administrator',
    load: async () => (await import('../screens/moving/MoveInScreen.tsx')).MoveInScreen,
  }),
  screen('Account', '/account', {
    needs: 'session',
    load: async () => {
      const [{ AccountScreen }, { useMenuItems }] = await Promise.all([
        import('../screens/auth/AccountScreen.tsx'),
        import('./shell/menu.ts'),
      ]);
      return function Account() {
        return <AccountScreen starts={useMenuItems().map(({ to: id, label }) => ({ id, label }))} />;
      };
    },
  }),
];

const ROUTES: RouteObject[] = [
  {
    path: '/',
    element: <Root />,
    children: [...open, { element: <Private />, children: [...privateRoutes, { path: '*', element: <NotFound /> }] }],
  },
];

/** The page at the current URL. */
export function Routes() {
  return useRoutes(ROUTES);
}
