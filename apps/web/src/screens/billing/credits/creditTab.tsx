import type { BillingCredit, BillingCreditRow } from '@evenkeel/contract/credits';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { documentKinds } from '@evenkeel/core/documents/side';
import { AMOUNT, entityColumn, numberColumn, statusColumn } from '../../../parts/documents/list/documentColumns.tsx';
import { entityOf } from '../../../parts/documents/side.ts';
import { ApplyCreditById } from '../../../parts/documents/payment/ApplyCredit.tsx';
import { type OpenRecord, useOpenRecord } from '../../../records/openRecord.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { documentTab, type FormEnds } from '../documentTab.tsx';
import { BILLING } from '../records.ts';
import { CreditEntry } from './CreditEntry.tsx';
import { CreditInvoice } from './CreditInvoice.tsx';
import { CreditPanel } from './CreditPanel.tsx';
import { CREDITS } from './records.ts';

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

/** The tab that lists credit memos, each with its remaining credit. */
export const CREDIT_TAB = documentTab<BillingCreditRow, BillingCredit>({
  kind: documentKinds.creditmemo,
  value: 'credits',
  records: CREDITS,
  columns: columnsOf,
  faultOf: (status) => sendingFault(status, CREDITS.words.one),
  hint: 'Credit an invoice from its panel, or add a credit memo without an invoice.',
  panel: CreditPanel,
  entry: CreditEntry,
  edit: 'creditmemo',
  forms: { Forms: OtherForms, closes: ['creditof'] },
});

/** The forms that credit an invoice (`creditof` in the URL) and apply a credit memo (`apply`). */
function OtherForms({ onSaved, onDeleted }: FormEnds) {
  const of = useOpenRecord('creditof', { hasNew: false });
  const apply = useOpenRecord('apply', { hasNew: false });
  const ends = { onSaved, onDeleted };
  return (
    <>
      {of.id !== undefined && <CreditInvoice key={of.id} {...ends} invoiceId={of.id} onClose={of.close} />}
      {apply.id !== undefined && (
        <ApplyCreditById key={apply.id} side={BILLING} records={CREDITS} id={apply.id} onClose={apply.close} />
      )}
    </>
  );
}
