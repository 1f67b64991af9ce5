import { AccountCategory, Location, ProfitCenter } from '@evenkeel/contract/ledger';
import { CATEGORY_TAKEN } from '@evenkeel/core/documents/products';
import type { RecordKind } from '../../platform/db/records.ts';
import { table } from '../../platform/db/table.ts';

/** The lists that users maintain in accounting, as configured for platform/db/records.ts. */

const kept = { active: true, rowVersion: 0 };

export const profitCenters: RecordKind<ProfitCenter> = {
  label: 'Profit Center',
  table: table('profit_center', {
    profitcenterid: 'id',
    profitcentername: 'name',
    active: 'active',
    rowVersion: 'row_version',
  }),
  schema: ProfitCenter,
  id: 'profitcenterid',
  name: 'profitcentername',
  blank: { profitcenterid: 0, profitcentername: '', ...kept },
};

export const locations: RecordKind<Location> = {
  label: 'Location',
  table: table('location', {
    locationId: 'id',
    locationName: 'name',
    address1: 'address1',
    address2: 'address2',
    city: 'city',
    state: 'state',
    county: 'county',
    country: 'country',
    postalCode: 'postal_code',
    active: 'active',
    rowVersion: 'row_version',
  }),
  schema: Location,
  id: 'locationId',
  name: 'locationName',
  blank: {
    locationId: 0,
    locationName: '',
    address1: '',
    address2: '',
    city: '',
    state: '',
    county: '',
    country: '',
    postalCode: '',
    ...kept,
  },
};

export const accountCategories: RecordKind<AccountCategory> = {
  label: 'Account Category',
  table: table('account_category', {
    id: 'id',
    categoryName: 'category_name',
    active: 'active',
    rowVersion: 'row_version',
  }),
  schema: AccountCategory,
  id: 'id',
  name: 'categoryName',
  blank: { id: 0, categoryName: '', ...kept },
  taken: CATEGORY_TAKEN,
};
