import type { BillingEstimate, BillingEstimateRow } from '@evenkeel/contract/estimates';
import { estimateSendingFault } from '@evenkeel/core/documents/estimate';
import { documentKinds } from '@evenkeel/core/documents/side';
import { nothingBeside } from '../../../parts/documents/beside.ts';
import { AMOUNT, entityColumn, numberColumn, statusColumn } from '../../../parts/documents/list/documentColumns.tsx';
import { entityOf } from '../../../parts/documents/side.ts';
import { type OpenRecord, useOpenRecord } from '../../../records/openRecord.ts';
import { usePlace } from '../../../records/place.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { documentTab } from '../documentTab.tsx';
import { BILLING } from '../records.ts';
import { EstimateEntry } from './EstimateEntry.tsx';
import { EstimatePanel } from './EstimatePanel.tsx';
import { InvoiceEstimate } from './InvoiceEstimate.tsx';
import { ESTIMATES } from './records.ts';

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

/** The Estimates tab. */
export const ESTIMATE_TAB = documentTab<BillingEstimateRow, BillingEstimate>({
  kind: documentKinds.estimate,
  value: 'estimates',
  records: ESTIMATES,
  columns: columnsOf,
  faultOf: estimateSendingFault,
  hint:
    'Tell customers what the work will cost. When a customer accepts, you can invoice all or ' +
    'part of the estimate.',
  panel: EstimatePanel,
  entry: EstimateEntry,
  edit: 'editestimate',
  forms: { Forms: InvoiceForm, closes: [] },
});

/** The form that creates an invoice from the estimate whose ID is `invoiceof` in the URL. */
function InvoiceForm() {
  const { go } = usePlace();
  const of = useOpenRecord('invoiceof', { hasNew: false });
  if (of.id === undefined) return null;
  return (
    <InvoiceEstimate
      key={of.id}
      estimateId={of.id}
      onClose={of.close}
      onSaved={({ id }) => go({ ...nothingBeside(), invoiceof: undefined, invoice: id })}
    />
  );
}
