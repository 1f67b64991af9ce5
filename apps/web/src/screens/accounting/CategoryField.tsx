import { ledgerCalls } from '@evenkeel/contract/ledger';
import { ask, inAlert, useRead } from '../../client/api.ts';
import type { RecordForm } from '../../records/useRecordForm.ts';
import type { Span } from '../../ui/fields/field.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import type { AccountForm } from './accountForm.ts';

/** The account's category, which reports use to group accounts. */
export function CategoryField({ form, span }: { form: RecordForm<AccountForm>; span: Span }) {
  const read = useRead(
    ask(ledgerCalls.listAccountCategories, { query: { inactive: 'true' } }),
    inAlert('Error Loading Account Categories'),
  );
  const options = (read.value ?? []).map(({ id, categoryName: label, active }) => ({ id, label, isRetired: !active }));
  return <Picker {...form.bind('accountCategoryId')} label="Category" options={options} span={span} />;
}
