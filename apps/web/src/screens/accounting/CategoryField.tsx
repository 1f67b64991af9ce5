import { ledgerCalls } from '@evenkeel/contract/ledger';
import { useRead } from '../../client/api.ts';
import { useLoadAlert } from '../../records/reads.ts';
import type { RecordForm } from '../../records/useRecordForm.ts';
import type { Span } from '../../ui/fields/field.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import type { AccountForm } from './accountForm.ts';

/** The category of an account, under which reports group it. */
export function CategoryField({ form, span }: { form: RecordForm<AccountForm>; span: Span }) {
  const read = useRead(ledgerCalls.listAccountCategories, { query: { inactive: 'true' } });
  useLoadAlert(read.error, 'Error Loading Account Categories', read.refetch);
  const options = (read.data ?? []).map(({ id, categoryName: label, active }) => ({ id, label, isRetired: !active }));
  return <Picker {...form.bind('accountCategoryId')} label="Category" options={options} span={span} />;
}
