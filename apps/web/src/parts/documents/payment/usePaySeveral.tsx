import type { Cents } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { counted } from '../../../ui/show/words.ts';
import type { RowSelection } from '../../../ui/table/rowSelection.ts';
import { type SelectionOptions, useSelection } from '../../../ui/table/useSelection.tsx';
import { type DocumentSide, entityOf, titled, type WithEntity } from '../side.ts';
import type { DocumentPlace, PayFor } from '../useDocumentPlace.ts';

type Payable = WithEntity & { id: number; openAmount: Cents };

export interface PaySeveralOptions<Row extends Payable> extends Pick<
  SelectionOptions<Row>,
  'rows' | 'columns' | 'rowId' | 'filter'
> {
  side: DocumentSide;
  canPay: (row: Row) => boolean;
  /** The selection. Undefined for users without payment permission, who can't select rows. */
  openPay: DocumentPlace['openPay'] | undefined;
  /** The actions before the Pay button. */
  also?: SelectionOptions<Row>['actions'];
}

/** The maximum number of payments that the server accepts in one request. */
const MOST = 100;
const SUMS = ['openAmount'];

/** Lets users select open documents in a list and pay them together. Undefined for users without payment permission. */
export function usePaySeveral<Row extends Payable>(options: PaySeveralOptions<Row>): RowSelection<Row> | undefined {
  const { rows, columns, rowId, filter = '', side, canPay, openPay, also } = options;
  const { document } = side.core.words;
  const words = { one: document, many: `${document}s` };
  const actions = (selected: readonly Row[], clear: () => void) => {
    const payable = selected.filter(canPay);
    const isTooMany = payable.length > MOST;
    return (
      <>
        {also?.(selected, clear)}
        <Button
          disabled={payable.length === 0 || isTooMany}
          title={isTooMany ? `Select at most ${MOST} ${words.many} at a time` : undefined}
          onClick={() => openPay?.(payFor(payable), clear)}
        >
          {side.words.pay} {titled(counted(payable.length, words))}
        </Button>
      </>
    );
  };
  const selection = useSelection<Row>({ rows, columns, rowId, filter, words, sums: SUMS, actions });
  return openPay === undefined ? undefined : selection;
}

/**
 * Returns a single payment if all documents belong to one customer or vendor. Otherwise, returns one payment for each
 * customer or vendor.
 */
function payFor(documents: readonly Payable[]): PayFor {
  const ids = documents.map(({ id }) => id);
  const [payer, ...others] = new Set(documents.map((document) => entityOf(document).id));
  return payer === undefined || others.length > 0
    ? { kind: 'several', ids }
    : { kind: 'entity', id: payer, chosen: ids };
}
