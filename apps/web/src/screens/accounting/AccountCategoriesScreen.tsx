import { AccountCategory, ledgerCalls } from '@evenkeel/contract/ledger';
import * as z from 'zod';
import { ask } from '../../client/api.ts';
import { needsName, sameFields } from '../../records/formFields.ts';
import { inactiveQuery } from '../../records/reads.ts';
import { listedRecords } from '../../records/records.ts';
import { type Restoring, shortList } from '../../records/shortList.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { SubPage } from './SubPage.tsx';

const Form = z.object({ categoryName: z.string(), rowVersion: z.number().nullable() });
type Form = z.output<typeof Form>;
type Body = Form | Restoring;

const SAVING = 'Error Updating Account Category';
const LOADING = 'Error Loading Account Categories';
const ALERTS = { loadAll: LOADING, loadOne: LOADING, create: SAVING, update: SAVING };

const LIST = shortList<AccountCategory, Form>({
  title: 'Account Categories',
  label: 'Account Category',
  manager: 'Manage Accounting',
  of: listedRecords<AccountCategory, Body>({
    words: { one: 'account category', many: 'account categories', ...ALERTS },
    idOf: (one) => one.id,
    list: (inactive) => ask(ledgerCalls.listAccountCategories, { query: inactiveQuery(inactive) }),
    create: (body) => ask(ledgerCalls.createAccountCategory, { body: { ...body, id: 0 } }),
    update: (id, body) => ask(ledgerCalls.updateAccountCategory, { params: { id }, body: { ...body, id } }),
    remove: (id) => ask(ledgerCalls.deleteAccountCategory, { params: { id } }),
  }),
  columns: [{ id: 'categoryName', header: 'Category', value: (row) => row.categoryName }],
  nameOf: (row) => row.categoryName,
  hint: 'Add categories to group your accounts.',
  reply: AccountCategory,
  schema: Form,
  formOf: sameFields(Form),
  check: needsName('categoryName'),
  fields: ({ bind }) => <TextField {...bind('categoryName')} label="Name" maxLength={100} autoFocus />,
});

/** The list of account categories. */
export function AccountCategoriesScreen() {
  return <SubPage list={LIST} />;
}
