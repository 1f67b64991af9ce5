import { Entity, entityCalls, type EntityInput, type EntityRow } from '@evenkeel/contract/entities';
import { VENDOR } from '@evenkeel/core/entities';
import { ask } from '../../client/api.ts';
import { VENDORS as SOURCE } from '../../parts/choices/entities.ts';
import { asked, type ListedKind } from '../../parts/entities/kind.ts';
import { records } from '../../records/records.ts';

/** Vendors, with the alerts for loading and saving errors. */
export const vendors = records<EntityRow, Entity, EntityInput>({
  words: {
    one: 'vendor',
    many: 'vendors',
    loadAll: 'Error Loading Vendors',
    loadOne: 'Error Loading Vendor',
    create: 'Failure Saving Vendor',
    update: 'Failure Updating Vendor',
  },
  idOf: (one) => one.id,
  list: (inactive, page) => ask(entityCalls.listVendors, { query: asked(inactive, page) }),
  get: (id) => ask(entityCalls.getVendor, { params: { id } }),
  create: (body) => ask(entityCalls.createVendor, { body }),
  update: (id, body) => ask(entityCalls.updateVendor, { params: { id }, body }),
  remove: (id) => ask(entityCalls.deleteVendor, { params: { id } }),
});

export const VENDORS: ListedKind = {
  kind: VENDOR,
  name: 'vendor',
  records: vendors,
  manager: 'Manage Vendors',
  reply: Entity,
  choose: SOURCE.choose,
};
