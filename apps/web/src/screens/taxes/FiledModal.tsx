import { type TaxPayment, type TaxReturn, taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { formatDate } from '@evenkeel/core/dates';
import { cents, ZERO } from '@evenkeel/core/money';
import { type ReturnRow, returnRows } from '@evenkeel/core/taxes/summary';
import { NOTHING } from '@evenkeel/core/nothing';
import { type ReactNode, useState } from 'react';
import { ask, messageOf, send, useStale } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { useManages } from '../../records/active.tsx';
import { RecordModal } from '../../records/RecordModal.tsx';
import { useRemoval } from '../../records/useRemoval.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import type { BarAction } from '../../ui/overlay/ActionBar.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import { PaymentView } from './PaymentModal.tsx';
import { Changes, Documents, BadDebts, ItemTable, Payments } from './ReturnTables.tsx';

export interface FiledModalProps {
  filed: TaxReturn;
  onAmend: () => void;
  onPay: () => void;
  onClose: () => void;
}

/** A return as it was filed, the changes since then, and its payments. */
export function FiledModal({ filed, onAmend, onPay, onClose }: FiledModalProps) {
  const { id, name, isLast, changes, payments } = filed;
  const stale = useStale();
  const [payment, setPayment] = useState<TaxPayment>();
  const manages = useManages('Manage Accounting');
  const form = useRemoval({
    name: 'filed return',
    saved: filed,
    remove: async (reason) => {
      const query = reason === '' ? {} : { closingOverrideReason: reason };
      await send(ask(taxReturnCalls.undoTaxReturn, { params: { id }, query }));
      stale(ask(taxReturnCalls.getTaxReturn, { params: { id } }));
    },
    words: { removed: `Filing of ${name} undone`, failed: 'Error Undoing Filing' },
    onRemoved: onClose,
  });
  const undo = form.remove;
  const print = usePrint(filed);
  const actions: BarAction[] = [
    ...(isLast && undo !== undefined
      ? [
          {
            label: 'Undo Filing',
            onClick: undo,
            busy: form.busy,
            isRare: true,
            question: `Undo the filing of ${name}?`,
          },
        ]
      : []),
    ...(isLast ? [{ label: 'Amend Return', onClick: onAmend, isRare: changes.length === 0 }] : []),
    print,
  ];
  const isPaid = filed.paid >= filed.netDue;
  return (
    <>
      <RecordModal
        form={form}
        title={name}
        size="lg"
        onClose={onClose}
        footer={{
          actions: manages ? actions : [print],
          primary: manages && !isPaid ? { label: 'Record Payment', onClick: onPay } : undefined,
        }}
      >
        <p className="ek-second tx-for">{factsOf(filed)}</p>
        {changes.length > 0 && (
          <p className="ek-small tx-for">
            Documents in this period have changed since filing. The filed amounts stay the same, and the changes go on
            the next return or an amendment.
          </p>
        )}
        <Compared filed={filed} />
        <Changes rows={changes} />
        <Payments rows={payments} onOpen={setPayment} />
        <ItemTable rows={filed.items} />
        <BadDebts of={filed} />
        <Documents rows={filed.documents} />
      </RecordModal>
      {payment !== undefined && <PaymentView payment={payment} onClose={() => setPayment(undefined)} />}
    </>
  );
}

/** The action that saves the return as a PDF. */
function usePrint({ id, name }: TaxReturn): BarAction {
  const alerts = useAlerts();
  const onClick = (): void => {
    call(taxReturnCalls.printTaxReturn, { params: { id } }).then(
      (bytes) => saveFile(`${name}.pdf`, [new Uint8Array(bytes)]),
      (error: unknown) => alerts.error(messageOf(error)),
    );
  };
  return { label: 'Save as PDF', onClick, isRare: true };
}

function factsOf({ filedDate, filedBy, confirmation, basis }: TaxReturn): string {
  return [
    filedDate === null ? '' : `Filed ${formatDate(filedDate)}${filedBy === null ? '' : ` by ${filedBy}`}`,
    confirmation === '' ? '' : `confirmation ${confirmation}`,
    `${basis} basis`,
  ]
    .filter(Boolean)
    .join(' · ');
}

const boldDue = ({ key }: ReturnRow, value: ReactNode): ReactNode => (key === 'due' ? <strong>{value}</strong> : value);

/** The amounts as filed, since filing, and now. */
function Compared({ filed }: { filed: TaxReturn }) {
  const { changes } = filed;
  const rows = returnRows(filed);
  const since = (row: ReturnRow) => row.since ?? ZERO;
  const columns: MiniColumn<ReturnRow>[] = [
    { header: 'Amount', render: (row) => boldDue(row, row.label) },
    { header: 'As Filed', right: true, render: (row) => boldDue(row, <Amount value={row.filed} />) },
  ];
  const later: MiniColumn<ReturnRow>[] = [
    {
      header: 'Since Filing',
      right: true,
      render: (row) => (since(row) === 0 ? NOTHING : <Amount value={since(row)} />),
    },
    { header: 'Now', right: true, render: (row) => boldDue(row, <Amount value={cents(row.filed + since(row))} />) },
  ];
  return (
    <MiniTable
      label="Return"
      columns={changes.length === 0 ? columns : [...columns, ...later]}
      rows={rows}
      keyOf={({ key }) => key}
    />
  );
}
