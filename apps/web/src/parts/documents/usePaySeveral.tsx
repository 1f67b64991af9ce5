import { type Cents, formatUsd, sum } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import type { Words } from '../../ui/show/words.ts';
import type { RowSelection } from '../../ui/table/rowSelection.ts';
import { type SelectionOptions, useSelection } from '../../ui/table/useSelection.tsx';
import type { DocumentPlace } from './useDocumentPlace.ts';

interface Payable {
  id: number;
  openAmount: Cents;
}

export interface PaySeveralOptions<Row extends Payable> extends Pick<
  SelectionOptions<Row>,
  'rows' | 'columns' | 'rowId' | 'filter'
> {
  words: Words;
  canPay: (row: Row) => boolean;
  /** Undefined for who may not pay: no rows are selected then. */
  openPay: DocumentPlace['openPay'] | undefined;
}

/** The server takes as many payments at once. */
const MOST = 100;
const SUMS = ['openAmount'];

/** Open documents selected in their list, to be paid together; undefined for who may not pay. */
export function usePaySeveral<Row extends Payable>(options: PaySeveralOptions<Row>): RowSelection<Row> | undefined {
  const { rows, columns, rowId, filter = '', words, canPay, openPay } = options;
  const actions = (selected: readonly Row[], clear: () => void) => {
    const payable = selected.filter(canPay);
    const ids = payable.map(({ id }) => id);
    const count = payable.length === 1 ? `1 ${words.one}` : `${payable.length.toLocaleString('en-US')} ${words.many}`;
    const isTooMany = payable.length > MOST;
    return (
      <Button
        disabled={payable.length === 0 || isTooMany}
        title={isTooMany ? `At most ${MOST} ${words.many} at once` : undefined}
        onClick={() => openPay?.({ kind: 'several', ids }, clear)}
      >
        Pay {count} · {formatUsd(sum(payable.map(({ openAmount }) => openAmount)))}
      </Button>
    );
  };
  const selection = useSelection<Row>({ rows, columns, rowId, filter, words, sums: SUMS, actions });
  return openPay === undefined ? undefined : selection;
}
