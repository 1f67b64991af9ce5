import { ledgerCalls, ProfitCenter } from '@evenkeel/contract/ledger';
import * as z from 'zod';
import { ask, askRow } from '../../client/api.ts';
import { type RecordWords, records } from '../../records/records.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { type ShortList, ShortListScreen } from './ShortListScreen.tsx';

const Form = z.object({ profitcentername: z.string(), rowVersion: z.number().nullable() });
type Form = z.output<typeof Form>;
type Body = Form & { active?: boolean };

const POSTING = 'Error Posting Profit Center:';
const LOADING = 'Error Loading Pfcs';
const words: RecordWords = {
  one: 'profit center',
  many: 'profit centers',
  loadAll: LOADING,
  loadOne: LOADING,
  create: POSTING,
  update: POSTING,
};
const all = (inactive: boolean) => ask(ledgerCalls.listProfitCenters, { query: inactive ? { inactive: 'true' } : {} });
const idOf = (one: ProfitCenter): number => one.profitcenterid;
const bodyOf = (profitcenterid: number, form: Body) => ({ body: { ...form, profitcenterid } });

const LIST: ShortList<ProfitCenter, Form> = {
  title: 'Profit Centers',
  label: 'Profit Center',
  of: records<ProfitCenter, ProfitCenter, Body>({
    words,
    idOf,
    list: all,
    get: (id) => askRow(all(true), id, idOf),
    create: (form) => ask(ledgerCalls.createProfitCenter, bodyOf(0, form)),
    update: (id, form) => ask(ledgerCalls.updateProfitCenter, bodyOf(id, form)),
    remove: (profitcenterid) => ask(ledgerCalls.deleteProfitCenter, { params: { profitcenterid } }),
  }),
  columns: [{ id: 'profitcentername', header: 'Profit Center', value: (row) => row.profitcentername }],
  nameOf: (row) => row.profitcentername,
  hint: 'Add the parts of the business whose profit you want to see apart.',
  reply: ProfitCenter,
  schema: Form,
  blank: { profitcentername: '', rowVersion: null },
  check: ({ profitcentername }): Record<string, string> =>
    profitcentername.trim() === '' ? { profitcentername: 'Please enter a name' } : {},
  fields: ({ bind }) => <TextField {...bind('profitcentername')} label="Name" maxLength={100} autoFocus />,
};

/** Profit centers. */
export function ProfitCentersScreen() {
  return <ShortListScreen list={LIST} />;
}
