import { ledgerCalls, ProfitCenter } from '@evenkeel/contract/ledger';
import * as z from 'zod';
import { ask } from '../../client/api.ts';
import { needsName, sameFields } from '../../records/formFields.ts';
import { inactiveQuery } from '../../records/reads.ts';
import { listedRecords } from '../../records/records.ts';
import { type Restoring, shortList } from '../../records/shortList.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { SubPage } from './SubPage.tsx';

const Form = z.object({ profitcentername: z.string(), rowVersion: z.number().nullable() });
type Form = z.output<typeof Form>;
type Body = Form | Restoring;

const POSTING = 'Error Posting Profit Center:';
const LOADING = 'Error Loading Pfcs';
const ALERTS = { loadAll: LOADING, loadOne: LOADING, create: POSTING, update: POSTING };
const bodyOf = (profitcenterid: number, body: Body) => ({ body: { ...body, profitcenterid } });

const LIST = shortList<ProfitCenter, Form>({
  title: 'Profit Centers',
  label: 'Profit Center',
  manager: 'Manage Accounting',
  of: listedRecords<ProfitCenter, Body>({
    words: { one: 'profit center', many: 'profit centers', ...ALERTS },
    idOf: (one) => one.profitcenterid,
    list: (inactive) => ask(ledgerCalls.listProfitCenters, { query: inactiveQuery(inactive) }),
    create: (body) => ask(ledgerCalls.createProfitCenter, bodyOf(0, body)),
    update: (id, body) => ask(ledgerCalls.updateProfitCenter, bodyOf(id, body)),
    remove: (profitcenterid) => ask(ledgerCalls.deleteProfitCenter, { params: { profitcenterid } }),
  }),
  columns: [{ id: 'profitcentername', header: 'Profit Center', value: (row) => row.profitcentername }],
  nameOf: (row) => row.profitcentername,
  hint: 'Add the parts of your business whose profit you want to track separately.',
  reply: ProfitCenter,
  schema: Form,
  formOf: sameFields(Form),
  check: needsName('profitcentername'),
  fields: ({ bind }) => <TextField {...bind('profitcentername')} label="Name" maxLength={100} autoFocus />,
});

/** The list of profit centers. */
export function ProfitCentersScreen() {
  return <SubPage list={LIST} />;
}
