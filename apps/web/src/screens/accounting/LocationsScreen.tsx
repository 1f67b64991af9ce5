import { ledgerCalls, Location } from '@evenkeel/contract/ledger';
import * as z from 'zod';
import { ask, askRow } from '../../client/api.ts';
import { type RecordWords, records } from '../../records/records.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { type ShortList, ShortListScreen } from './ShortListScreen.tsx';

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
type Body = Form & { active?: boolean };

const POSTING = 'Error Posting Location:';
const LOADING = 'Error Loading locations';
const words: RecordWords = {
  one: 'location',
  many: 'locations',
  loadAll: LOADING,
  loadOne: LOADING,
  create: POSTING,
  update: POSTING,
};
const all = (inactive: boolean) => ask(ledgerCalls.listLocations, { query: inactive ? { inactive: 'true' } : {} });
const idOf = (one: Location): number => one.locationId;
const bodyOf = (locationId: number, form: Body) => ({ body: { ...form, locationId } });
const placeOf = ({ city, state }: Location): string => [city, state].filter((part) => part !== '').join(', ');

const LIST: ShortList<Location, Form> = {
  title: 'Locations',
  label: 'Location',
  of: records<Location, Location, Body>({
    words,
    idOf,
    list: all,
    get: (id) => askRow(all(true), id, idOf),
    create: (form) => ask(ledgerCalls.createLocation, bodyOf(0, form)),
    update: (id, form) => ask(ledgerCalls.updateLocation, bodyOf(id, form)),
    remove: (locationId) => ask(ledgerCalls.deleteLocation, { params: { locationId } }),
  }),
  columns: [
    { id: 'locationName', header: 'Location', value: (row) => row.locationName, width: '30%' },
    { id: 'address1', header: 'Address', value: (row) => row.address1, quiet: true },
    { id: 'city', header: 'City', value: placeOf, width: '30%', quiet: true },
  ],
  nameOf: (row) => row.locationName,
  detailOf: placeOf,
  hint: 'Add the places that you sell from or work at.',
  reply: Location,
  schema: Form,
  blank: {
    locationName: '',
    address1: '',
    address2: '',
    city: '',
    state: '',
    county: '',
    country: '',
    postalCode: '',
    rowVersion: null,
  },
  check: ({ locationName }): Record<string, string> =>
    locationName.trim() === '' ? { locationName: 'Please enter a name' } : {},
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
};

/** Locations. */
export function LocationsScreen() {
  return <ShortListScreen list={LIST} />;
}
