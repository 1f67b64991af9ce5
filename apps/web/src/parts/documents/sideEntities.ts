import { entityCalls } from '@evenkeel/contract/entities';
import { CUSTOMER, VENDOR } from '@evenkeel/core/entities';
import { ask } from '../../client/api.ts';
import { CUSTOMERS, VENDORS } from '../choices/entities.ts';
import type { SideEntities } from './side.ts';

/** The customers, with the functions that invoices need. */
export const BILLED_CUSTOMERS: SideEntities = {
  ...CUSTOMERS,
  kind: CUSTOMER,
  path: '/customers',
  view: 'View Customers',
  manage: 'Manage Customers',
  create: (body) => ask(entityCalls.createCustomer, { body }),
  failed: 'Failure Saving Customer',
};

/** The vendors, with the functions that bills need. */
export const PAID_VENDORS: SideEntities = {
  ...VENDORS,
  kind: VENDOR,
  path: '/vendors',
  view: 'View Vendors',
  manage: 'Manage Vendors',
  create: (body) => ask(entityCalls.createVendor, { body }),
  failed: 'Failure Saving Vendor',
};
