import type { BillingCreditRow } from '@evenkeel/contract/credits';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { AMOUNT, entityColumn, numberColumn, statusColumn } from '../../../parts/documents/list/documentColumns.tsx';
import { entityOf } from '../../../parts/documents/side.ts';
import type { OpenRecord } from '../../../records/openRecord.ts';
import { useList } from '../../../records/records.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { BILLING, CREDITS } from '../records.ts';
import type { SentKind } from '../sending/SendSeveral.tsx';
import { SentList, type SentListPlace } from '../sending/SentList.tsx';

function columnsOf(credit: OpenRecord): readonly Column<BillingCreditRow>[] {
  const number = { id: 'invoiceNumber', header: 'Credit Memo', width: '134px' };
  return [
    numberColumn(credit, number, (row) => row.invoiceNumber),
    entityColumn(BILLING, 'customerDisplayName', entityOf),
    statusColumn('arBillingStatus', 'Status'),
    { id: 'invoiceDate', header: 'Credit Date', kind: 'date', value: (row) => row.invoiceDate },
    AMOUNT,
    {
      id: 'openAmount',
      header: 'Remaining Credit',
      kind: 'amount',
      width: '120px',
      value: (row) => row.openAmount,
      total: 'sum',
    },
  ];
}

const SENT: SentKind = {
  words: CREDITS.words,
  key: 'creditId',
  faultOf: (status) => sendingFault(status, CREDITS.words.one),
};

/** All credit memos with their remaining credit, newest first. */
export function CreditList({ credit, ...place }: SentListPlace & { credit: OpenRecord }) {
  const read = useList({ list: CREDITS.part('all'), words: CREDITS.words });
  return <SentList<BillingCreditRow> {...place} {...{ read, columnsOf }} kind={SENT} record={credit} empty={EMPTY} />;
}

const EMPTY = {
  title: 'No credit memos',
  hint: 'Credit an invoice from its panel, or add a credit memo without an invoice.',
  add: 'Add Credit Memo',
};
