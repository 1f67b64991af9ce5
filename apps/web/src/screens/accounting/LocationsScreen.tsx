import { ledgerCalls, Location } from '@evenkeel/contract/ledger';
import * as z from 'zod';
import { ask } from '../../client/api.ts';
import { needsName, sameFields } from '../../records/formFields.ts';
import { inactiveQuery } from '../../records/reads.ts';
import { listedRecords } from '../../records/records.ts';
import { type Restoring, shortList } from '../../records/shortList.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { SubPage } from './SubPage.tsx';

const Form = z.object({
  locationName: z.string(),
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  county: z.string(),
  country: z.string(),
  postalCode: z.string(),
  rowVersion: z.number().nullable(),
});
type Form = z.output<typeof Form>;
type Body = Form | Restoring;

const POSTING = 'Error Posting Location:';
const LOADING = 'Error Loading locations';
const ALERTS = { loadAll: LOADING, loadOne: LOADING, create: POSTING, update: POSTING };
const bodyOf = (locationId: number, body: Body) => ({ body: { ...body, locationId } });
const placeOf = ({ city, state }: Location): string => [city, state].filter((part) => part !== '').join(', ');

const LIST = shortList<Location, Form>({
  title: 'Locations',
  label: 'Location',
  manager: 'Manage Accounting',
  of: listedRecords<Location, Body>({
    words: { one: 'location', many: 'locations', ...ALERTS },
    idOf: (one) => one.locationId,
    list: (inactive) => ask(ledgerCalls.listLocations, { query: inactiveQuery(inactive) }),
    create: (body) => ask(ledgerCalls.createLocation, bodyOf(0, body)),
    update: (id, body) => ask(ledgerCalls.updateLocation, bodyOf(id, body)),
    remove: (locationId) => ask(ledgerCalls.deleteLocation, { params: { locationId } }),
  }),
  columns: [
    { id: 'locationName', header: 'Location', value: (row) => row.locationName, width: '30%' },
    { id: 'address1', header: 'Address', value: (row) => row.address1, quiet: true },
    { id: 'city', header: 'City', value: placeOf, width: '30%', quiet: true },
  ],
  nameOf: (row) => row.locationName,
  detailOf: placeOf,
  hint: 'Add the places where you sell or work.',
  reply: Location,
  schema: Form,
  formOf: sameFields(Form),
  check: needsName('locationName'),
  fields: ({ bind }) => (
    <>
      <TextField {...bind('locationName')} label="Name" maxLength={100} autoFocus />
      <TextField {...bind('address1')} label="Address 1" span={6} maxLength={200} />
      <TextField {...bind('address2')} label="Address 2" span={6} maxLength={200} />
      <TextField {...bind('city')} label="City" span={6} maxLength={100} />
      <TextField {...bind('state')} label="State or Province" span={6} maxLength={100} />
      <TextField {...bind('county')} label="County" span={4} maxLength={100} />
      <TextField {...bind('postalCode')} label="Postal Code" span={4} maxLength={20} />
      <TextField {...bind('country')} label="Country" span={4} maxLength={100} />
    </>
  ),
});

/** The list of locations. */
export function LocationsScreen() {
  return <SubPage list={LIST} />;
}
