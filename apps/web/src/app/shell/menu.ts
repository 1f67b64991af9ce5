import {
  IconBox,
  IconBuildingBank,
  IconCalendarCheck,
  IconChartBar,
  IconCheck,
  IconCreditCard,
  IconHeartbeat,
  IconHistory,
  IconLayoutDashboard,
  IconReceipt,
  IconReceiptTax,
  IconScale,
  IconSettings,
  IconTruck,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { type SessionUser, useSession } from '../../client/session.ts';
import type { MenuSection } from '../../ui/frame/SideMenu.tsx';
import { mayOpen, type ScreenNeeds } from './access.ts';

interface Screen {
  to: string;
  label: string;
  icon: MenuSection['items'][number]['icon'];
  needs: ScreenNeeds;
}

const APPROVALS = '/approvals';

const SECTIONS: readonly { label?: string; items: readonly Screen[] }[] = [
  { items: [{ to: '/', label: 'Dashboard', icon: IconLayoutDashboard, needs: 'View Dashboard' }] },
  {
    label: 'Money in',
    items: [
      { to: '/billing', label: 'Billing', icon: IconReceipt, needs: 'View Billing' },
      { to: '/customers', label: 'Customers', icon: IconUser, needs: 'View Customers' },
      { to: '/products', label: 'Products', icon: IconBox, needs: 'View Products' },
    ],
  },
  {
    label: 'Money out',
    items: [
      { to: '/expenses', label: 'Expenses', icon: IconCreditCard, needs: 'View Expenses' },
      { to: '/vendors', label: 'Vendors', icon: IconTruck, needs: 'View Vendors' },
    ],
  },
  {
    label: 'Books',
    items: [
      { to: '/banking', label: 'Banking', icon: IconBuildingBank, needs: 'View Banking' },
      { to: APPROVALS, label: 'Approvals', icon: IconCheck, needs: 'changes' },
      { to: '/accounting', label: 'Accounting', icon: IconScale, needs: 'View Accounting' },
      { to: '/taxes', label: 'Taxes', icon: IconReceiptTax, needs: 'View Accounting' },
      { to: '/reports', label: 'Reports', icon: IconChartBar, needs: 'View Reports' },
      { to: '/monthend', label: 'Month End', icon: IconCalendarCheck, needs: 'Administrator' },
    ],
  },
  {
    label: 'Company',
    items: [
      { to: '/users', label: 'Users', icon: IconUsers, needs: 'Administrator' },
      { to: '/audit', label: 'Audit Log', icon: IconHistory, needs: 'Administrator' },
      { to: '/health', label: 'Health', icon: IconHeartbeat, needs: 'Administrator' },
      { to: '/settings', label: 'Settings', icon: IconSettings, needs: 'Administrator' },
    ],
  },
];

/** Returns the screens in the menu as a flat list without sections. */
export function useMenuItems(): MenuSection['items'] {
  return menuFor(useSession()).flatMap(({ items }) => items);
}

/** Returns whether the menu contains more than one screen. */
export function useHasOthers(): boolean {
  return useMenuItems().length > 1;
}

/** Returns a function that checks whether the menu has a screen at a path and the user can open it. */
export function useOpens(): (path: string) => boolean {
  const paths = useMenuItems().map(({ to }) => to);
  return (path) => paths.includes(path);
}

/**
 * Returns the side menu for a user. Sections without items are omitted. Approvals is shown only if an agent can propose
 * changes, and includes the number of waiting changes.
 */
export function menuFor(user: SessionUser | null, waiting?: string): MenuSection[] {
  return SECTIONS.flatMap(({ label, items }) => {
    const shown = items
      .filter(({ to, needs }) => mayOpen(user, needs) && (to !== APPROVALS || waiting !== undefined))
      .map((item) => (item.to === APPROVALS ? { ...item, count: waiting } : item));
    return shown.length === 0 ? [] : [{ ...(label === undefined ? {} : { label }), items: shown }];
  });
}
