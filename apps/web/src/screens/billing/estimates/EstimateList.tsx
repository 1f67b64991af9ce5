import type { BillingEstimateRow } from '@evenkeel/contract/estimates';
import { estimateSendingFault } from '@evenkeel/core/documents/estimate';
import { AMOUNT, entityColumn, numberColumn, statusColumn } from '../../../parts/documents/list/documentColumns.tsx';
import { entityOf } from '../../../parts/documents/side.ts';
import { type OpenRecord, useAddressChoice } from '../../../records/openRecord.ts';
import { useList } from '../../../records/records.ts';
import { Chips } from '../../../ui/page/Chips.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { BILLING, ESTIMATES } from '../records.ts';
import type { SentKind } from '../sending/SendSeveral.tsx';
import { SentList, type SentListPlace } from '../sending/SentList.tsx';

function columnsOf(estimate: OpenRecord): readonly Column<BillingEstimateRow>[] {
  const number = { id: 'invoiceNumber', header: 'Estimate', width: '134px' };
  return [
    numberColumn(estimate, number, (row) => row.invoiceNumber),
    entityColumn(BILLING, 'customerDisplayName', entityOf),
    statusColumn('arBillingStatus', 'Status'),
    { id: 'invoiceDate', header: 'Estimate Date', kind: 'date', value: (row) => row.invoiceDate },
    { id: 'dueDate', header: 'Expires', kind: 'date', value: (row) => row.dueDate },
    AMOUNT,
  ];
}

const CHIPS = [
  { value: 'open', label: 'Pending' },
  { value: 'all', label: 'All' },
] as const;

/** Returns the filter in the URL. The default is open estimates. */
const useWhich = () => useAddressChoice<'open' | 'all'>('part', ['open', 'all']);

/** Filter chips for open estimates and all estimates. */
export function EstimateChips() {
  const [which, choose] = useWhich();
  return <Chips label="List filters" chips={CHIPS} value={which} onChange={choose} />;
}

const SENT: SentKind = { words: ESTIMATES.words, key: 'estimateId', faultOf: estimateSendingFault };

/** The estimates, newest first. */
export function EstimateList({ estimate, ...place }: SentListPlace & { estimate: OpenRecord }) {
  const [which] = useWhich();
  const read = useList({ list: ESTIMATES.part(which), words: ESTIMATES.words });
  const empty = {
    title: which === 'all' ? 'No estimates' : 'No pending estimates',
    hint:
      'Tell customers what the work will cost. When a customer accepts, you can invoice all or ' +
      'part of the estimate.',
    add: 'Add Estimate',
  };
  const shared = { ...place, read, columnsOf, empty };
  return <SentList<BillingEstimateRow> key={which} {...shared} kind={SENT} record={estimate} />;
}
