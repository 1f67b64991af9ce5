import type { ExpenseInvoice } from '@evenkeel/contract/expenses';
import { billLineAmount } from '@evenkeel/core/documents/bill';
import { OPEN, PAID_AT_ONCE, VOID } from '@evenkeel/core/documents/invoice';
import { REFUND } from '@evenkeel/core/documents/side';
import { useDimensions } from '../../parts/choices/dimensions.ts';
import { labelOf } from '../../parts/choices/choice.ts';
import { DocumentPanel, type DocumentPanelProps } from '../../parts/documents/panel/DocumentPanel.tsx';
import { usePayPlace } from '../../parts/documents/useDocumentPlace.ts';
import { bankOptions, usePaymentChoices } from '../../parts/documents/payment/moneyAccounts.ts';
import { useMay } from '../../client/session.ts';
import { useOpenRecord } from '../../records/openRecord.ts';
import { useOne } from '../../records/records.ts';
import { DateText } from '../../ui/show/DateText.tsx';
import { BILL_ENTRY } from './billForm.ts';
import { BILLS, EXPENSES } from './records.ts';

/** The read-only side panel of a bill. A vendor credit can be applied from its panel. */
export function BillPanel(props: DocumentPanelProps) {
  const { locations } = useDimensions();
  const choices = usePaymentChoices();
  const manages = useMay()('Manage Expenses');
  const apply = useOpenRecord('apply', { hasNew: false });
  const { openPay } = usePayPlace('edit');
  const { value } = useOne(BILLS, props.id);
  const isCredit = value !== undefined && value.invoiceAmount < 0;
  const isOpenCredit = manages && isCredit && value.openAmount < 0;
  const factsOf = ({ postingDate, locationId, postToVendorAccount, bankAccountId }: ExpenseInvoice) => {
    const from = labelOf(bankOptions(choices, 'allowPayments', bankAccountId), bankAccountId);
    const location = labelOf(locations, locationId);
    return [
      { label: 'Posting Date', value: <DateText value={postingDate} /> },
      // Hidden if locations are turned off.
      ...(location === '' ? [] : [{ label: 'Location', value: location }]),
      ...(postToVendorAccount ? [] : [{ label: 'Paid Immediately From', value: from }]),
    ];
  };
  return (
    <DocumentPanel<ExpenseInvoice>
      {...props}
      side={EXPENSES}
      statusOf={statusOf}
      voiding={voiding}
      facts={factsOf}
      lineNotes={lineNotes}
      lineAmount={billLineAmount}
      {...(isCredit && { totals: (bill) => ({ total: bill.invoiceAmount, label: 'Credit' }) })}
      primary={
        isOpenCredit
          ? { label: 'Apply', onClick: () => apply.open(props.id) }
          : manages && value !== undefined && value.openAmount > 0
            ? { label: 'Pay Bill', onClick: () => openPay({ kind: 'invoice', id: props.id }) }
            : undefined
      }
      actions={
        isOpenCredit
          ? [{ label: REFUND, onClick: () => openPay({ kind: 'refund', id: value.vendorId, of: props.id }) }]
          : []
      }
    />
  );
}

const statusOf = ({ voided, postToVendorAccount }: ExpenseInvoice): number =>
  voided ? VOID : postToVendorAccount ? OPEN : PAID_AT_ONCE;

const voiding = BILL_ENTRY.saving({ voided: true });

const lineNotes = ({ creditLine }: ExpenseInvoice['lineItems'][number]) =>
  creditLine && <div className="ek-muted ek-small">Credit item</div>;
