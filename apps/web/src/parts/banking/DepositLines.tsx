import { type KeyboardEvent, type Ref, useMemo } from 'react';
import type { RecordForm } from '../../records/useRecordForm.ts';
import type { LineColumn, LineTableHandle } from '../../ui/lines/lineColumns.ts';
import { LineTable } from '../../ui/lines/LineTable.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { useDimensions } from '../choices/dimensions.ts';
import { DESCRIPTION, moneyColumn, postingColumns } from '../documents/entry/lineColumns.tsx';
import { nextLine, withLine, workOf } from '../documents/entry/lineForm.ts';
import { usePostingAccounts } from './postingAccounts.ts';
import { type DepositForm, depositLineFaults, type DepositLineForm } from './depositForm.ts';
import { isKey } from '../../ui/keys/keys.ts';

const AMOUNT = moneyColumn<DepositLineForm>({
  id: 'amount',
  header: 'Amount',
  width: 140,
  show: (line) => <Amount value={line.amount} />,
  of: (line) => line.amount,
  patch: (amount) => ({ amount }),
});

function useColumns(bankGlAccountId: number): readonly LineColumn<DepositLineForm>[] {
  const accounts = usePostingAccounts(bankGlAccountId);
  const dimensions = useDimensions();
  return useMemo(() => {
    // A deposit doesn't require profit centers or locations, because most of its lines are cash back.
    const required = { useProfitCenters: false, useLocations: false };
    const posting = postingColumns({ ...dimensions, required }, { ...accounts, width: 240 });
    return [...posting, DESCRIPTION, AMOUNT];
  }, [accounts, dimensions]);
}

const cardOf = (line: DepositLineForm) => ({
  title: line.description === '' ? 'Other Funds' : line.description,
  amount: <Amount value={line.amount} />,
});

const isBlank = (line: DepositLineForm): boolean => line.accountId === null && line.amount === null;

interface DepositLinesProps {
  form: RecordForm<DepositForm>;
  /** The bank account's own GL account, which lines can't use. 0 if there is none. */
  bankGlAccountId: number;
  onSave: () => void;
  ref: Ref<LineTableHandle>;
}

/** The deposit's lines for money from other accounts. Cash back is negative. */
export function DepositLines({ form, bankGlAccountId, onSave, ref }: DepositLinesProps) {
  const { values, onChange, isReadOnly } = form;
  const columns = useColumns(bankGlAccountId);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'save') || values.working !== null) return;
    event.stopPropagation();
    onSave();
  };
  return (
    <section className="bk-part" aria-label="Other Funds" onKeyDownCapture={onKeyDown}>
      <h3>Other Funds</h3>
      <p className="ek-muted ek-small">
        Money that you didn't receive as a payment. Enter cash back as a negative amount.
      </p>
      <LineTable<DepositLineForm>
        ref={ref}
        label="Other Funds"
        columns={columns}
        card={cardOf}
        addLabel="Add Line"
        lines={values.lines}
        lineId={(line) => String(line.id)}
        blank={(before) => ({ ...nextLine(before, values), amount: null, entityId: null })}
        validate={depositLineFaults}
        onCommit={(line) => onChange({ ...values, lines: withLine(values.lines, line), working: null })}
        onRemove={(line) =>
          onChange({ ...values, lines: values.lines.filter(({ id }) => id !== line.id), working: null })
        }
        readOnly={isReadOnly}
        onWork={(line) => {
          const working = workOf(line, values.lines, isBlank);
          if (working !== values.working) onChange({ ...values, working });
        }}
      />
    </section>
  );
}
