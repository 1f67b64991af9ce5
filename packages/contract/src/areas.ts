/** The areas that a role grants View or Manage on; `GET roles` answers them. */
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

/**
 * Who may call an endpoint: anyone, a session whose terms are still open, any signed-in user, a user with one of the
 * named permissions, or an administrator. Manage includes View. 'by record': the record that is asked for says which
 * permissions they are.
 */
export type Needs =
  | 'public'
  | 'session'
  | 'signed-in'
  | 'by record'
  | 'Administrator'
  | Permission
  | readonly Permission[];
