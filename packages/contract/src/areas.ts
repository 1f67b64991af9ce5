/** The areas for which a role grants View or Manage. `GET roles` returns them. */
export const AREAS = [
  'Dashboard',
  'Billing',
  'Expenses',
  'Customers',
  'Vendors',
  'Products',
  'Banking',
  'Reports',
  'Accounting',
] as const;

export type Area = (typeof AREAS)[number];
export type Permission = `View ${Area}` | `Manage ${Area}`;

/** A description of the actions that each permission allows. Manage includes View. */
export const ALLOWS: Readonly<Record<Area, { View: string; Manage: string }>> = {
  Dashboard: { View: 'View the cards and arrange them.', Manage: 'View the cards, arrange them, and set targets.' },
  Billing: {
    View: 'View and print invoices and customer payments.',
    Manage: 'Create, edit, and delete invoices and customer payments.',
  },
  Expenses: {
    View: 'View bills and vendor payments.',
    Manage: 'Create, edit, and delete bills and vendor payments.',
  },
  Customers: {
    View: 'View customers, their contacts, and balances.',
    Manage: 'Create, edit, and delete customers and their contacts.',
  },
  Vendors: {
    View: 'View vendors, their contacts, and balances.',
    Manage: 'Create, edit, and delete vendors and their contacts.',
  },
  Products: {
    View: 'View products, discounts, and package deals.',
    Manage: 'Create, edit, and delete products, discounts, and package deals.',
  },
  Banking: {
    View: 'View bank accounts and their balances.',
    Manage: 'Create and edit bank accounts.',
  },
  Reports: {
    View: 'Run, print, and export every report.',
    Manage: 'Run, print, export, and email every report.',
  },
  Accounting: {
    View: 'View accounts, journal entries, and budgets.',
    Manage: 'Create and edit accounts and budgets, and post and reverse journal entries.',
  },
};

/**
 * The users who may call an endpoint: anyone, a user who has not accepted the terms yet, any signed-in user, a user
 * with one of the named permissions, or an administrator. Manage includes View. With 'by record', the requested record
 * determines the required permissions.
 */
export type Needs =
  | 'public'
  | 'session'
  | 'signed-in'
  | 'by record'
  | 'Administrator'
  | Permission
  | readonly Permission[];
