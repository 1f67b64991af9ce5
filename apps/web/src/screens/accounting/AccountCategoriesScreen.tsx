import { AccountCategory, ledgerCalls } from '@evenkeel/contract/ledger';
import * as z from 'zod';
import { ask, askRow } from '../../client/api.ts';
import { type RecordWords, records } from '../../records/records.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { type ShortList, ShortListScreen } from './ShortListScreen.tsx';

const Form = z.object({ categoryName: z.string(), rowVersion: z.number().nullable() });
type Form = z.output<typeof Form>;
type Body = Form & { active?: boolean };

const SAVING = 'Error Updating Account Category';
const LOADING = 'Error Loading Account Categories';
const words: RecordWords = {
  one: 'account category',
  many: 'account categories',
  loadAll: LOADING,
  loadOne: LOADING,
  create: SAVING,
  update: SAVING,
};
const all = (inactive: boolean) =>
  ask(ledgerCalls.listAccountCategories, { query: inactive ? { inactive: 'true' } : {} });
const idOf = (one: AccountCategory): number => one.id;

const LIST: ShortList<AccountCategory, Form> = {
  title: 'Account Categories',
  label: 'Account Category',
  of: records<AccountCategory, AccountCategory, Body>({
    words,
    idOf,
    list: all,
    get: (id) => askRow(all(true), id, idOf),
    create: (form) => ask(ledgerCalls.createAccountCategory, { body: { ...form, id: 0 } }),
    update: (id, form) => ask(ledgerCalls.updateAccountCategory, { params: { id }, body: { ...form, id } }),
    remove: (id) => ask(ledgerCalls.deleteAccountCategory, { params: { id } }),
  }),
  columns: [{ id: 'categoryName', header: 'Category', value: (row) => row.categoryName }],
  nameOf: (row) => row.categoryName,
  hint: 'Add categories to group the accounts of the chart.',
  reply: AccountCategory,
  schema: Form,
  blank: { categoryName: '', rowVersion: null },
  check: ({ categoryName }): Record<string, string> =>
    categoryName.trim() === '' ? { categoryName: 'Please enter a name' } : {},
  fields: ({ bind }) => <TextField {...bind('categoryName')} label="Name" maxLength={100} autoFocus />,
};

/** Account categories. */
export function AccountCategoriesScreen() {
  return <ShortListScreen list={LIST} />;
}
