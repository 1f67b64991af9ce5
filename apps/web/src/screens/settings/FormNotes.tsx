import { FoldedHistory, historyOf } from '../../records/History.tsx';
import { StaleChoice } from '../../records/StaleChoice.tsx';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { FormErrorSummary } from '../../ui/show/FormErrorSummary.tsx';

/** The messages for a form on the page, and the choice between two versions. */
export function FormNotes<Form>({ form }: { form: RecordForm<Form> }) {
  return (
    <>
      <FormErrorSummary problems={form.problems.map((message) => ({ message }))} />
      {form.stale !== undefined && <StaleChoice onTheirs={form.stale.theirs} onMine={form.stale.mine} />}
    </>
  );
}

/** The history of a form's settings, which loads when it is expanded. */
export function FormHistory({ name }: { name: string }) {
  const history = historyOf({ name, id: 1 });
  return history !== undefined && <FoldedHistory {...history} />;
}
