import { type TaxPayment, type TaxReturn, taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { formatDate } from '@evenkeel/core/dates';
import { type Cents, cents, negate, sum, ZERO } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { type ReactNode, useState } from 'react';
import { ask, send, useStale } from '../../client/api.ts';
import { useManages } from '../../records/active.tsx';
import { RecordModal } from '../../records/RecordModal.tsx';
import { useRemoval } from '../../records/useRemoval.ts';
import type { BarAction } from '../../ui/overlay/ActionBar.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import { adjustmentName } from './PrepareModal.tsx';
import { PaymentView } from './PaymentModal.tsx';
import { Changes, Documents, ItemTable, Payments } from './ReturnTables.tsx';

export interface FiledModalProps {
  filed: TaxReturn;
  onAmend: () => void;
  onPay: () => void;
  onClose: () => void;
}

/** A filed return as it was filed, the changes since, and its payments. */
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
  ];
  const isPaid = filed.paid >= filed.netDue;
  return (
    <>
      <RecordModal
        form={form}
        title={name}
        size="lg"
        onClose={onClose}
        footer={manages ? { actions, primary: isPaid ? undefined : { label: 'Record Payment', onClick: onPay } } : null}
      >
        <p className="ek-second tx-for">{factsOf(filed)}</p>
        {changes.length > 0 && (
          <p className="ek-small tx-for">
            Documents in this period have changed since filing. The filed amounts stay the same, and the changes are on
            the next return or on an amendment.
          </p>
        )}
        <Compared filed={filed} />
        <Changes rows={changes} />
        <Payments rows={payments} onOpen={setPayment} />
        <ItemTable rows={filed.items} />
        <Documents rows={filed.documents} />
      </RecordModal>
      {payment !== undefined && <PaymentView payment={payment} onClose={() => setPayment(undefined)} />}
    </>
  );
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

interface Row {
  key: string;
  label: string;
  filed: Cents;
  /** The change since filing. Undefined if the row can't change. */
  since?: Cents;
}

const boldDue = ({ key }: Row, value: ReactNode): ReactNode => (key === 'due' ? <strong>{value}</strong> : value);

/** The amounts as filed, since filing, and now. */
function Compared({ filed }: { filed: TaxReturn }) {
  const { changes } = filed;
  const changed = (amountOf: (row: TaxReturn['changes'][number]) => number) =>
    sum(changes.map((row) => cents(amountOf(row))));
  const optional = (rows: readonly Row[]) => rows.filter((row) => row.filed !== 0);
  const tax = changed((row) => row.tax);
  const sales: Row[] = [
    { key: 'gross', label: 'Gross sales', filed: filed.gross, since: changed((row) => row.gross) },
    {
      key: 'nonTaxable',
      label: 'Non-taxable and exempt',
      filed: negate(filed.nonTaxable),
      since: changed((row) => row.taxable - row.gross),
    },
    { key: 'taxable', label: 'Taxable sales', filed: filed.taxable, since: changed((row) => row.taxable) },
    { key: 'tax', label: 'Tax', filed: filed.tax, since: tax },
    ...optional([{ key: 'since', label: 'Changes in earlier periods', filed: filed.sinceTax }]),
  ];
  const amended: Row[] = [
    { key: 'taxable', label: 'Change in taxable sales', filed: filed.sinceTaxable },
    { key: 'tax', label: 'Change in tax', filed: filed.sinceTax },
  ];
  const rows: Row[] = [
    ...(filed.version > 1 ? amended : sales),
    ...filed.adjustments.map(({ kind, amount }, at) => ({
      key: `adjustment ${at}`,
      label: adjustmentName(kind),
      filed: amount,
    })),
    ...optional([
      { key: 'carried in', label: 'Credit carried over', filed: filed.carriedIn },
      { key: 'prepaid', label: 'Prepayments', filed: cents(-filed.prepaid) },
    ]),
    { key: 'due', label: 'Net due', filed: filed.netDue, since: tax },
    ...optional([{ key: 'carried over', label: 'Carried over to the next return', filed: filed.carriedOver }]),
  ];
  const since = (row: Row) => row.since ?? ZERO;
  const columns: MiniColumn<Row>[] = [
    { header: 'Amount', render: (row) => boldDue(row, row.label) },
    { header: 'As Filed', right: true, render: (row) => boldDue(row, <Amount value={row.filed} />) },
  ];
  const later: MiniColumn<Row>[] = [
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
