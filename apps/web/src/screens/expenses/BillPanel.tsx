import type { ExpenseInvoice } from '@evenkeel/contract/expenses';
import { billLineAmount } from '@evenkeel/core/bill';
import { OPEN, PAID_AT_ONCE } from '@evenkeel/core/invoice';
import { useDimensions } from '../../parts/choices/dimensions.ts';
import { labelOf } from '../../parts/choices/choice.ts';
import { DocumentPanel, type DocumentPanelProps } from '../../parts/documents/DocumentPanel.tsx';
import { bankOptions, usePaymentChoices } from '../../parts/documents/moneyAccounts.ts';
import { DateText } from '../../ui/show/DateText.tsx';
import { EXPENSES } from './records.ts';

/** The read-only side panel of an expense invoice. */
export function BillPanel(props: DocumentPanelProps) {
  const { locations } = useDimensions();
  const choices = usePaymentChoices();
  const factsOf = ({ postingDate, locationId, postToVendorAccount, bankAccountId }: ExpenseInvoice) => {
    const from = labelOf(bankOptions(choices, 'allowPayments', bankAccountId), bankAccountId);
    const location = labelOf(locations, locationId);
    return [
      { label: 'Posting Date', value: <DateText value={postingDate} /> },
      // Hidden with the switch that turns locations off.
      ...(location === '' ? [] : [{ label: 'Location', value: location }]),
      ...(postToVendorAccount ? [] : [{ label: 'Paid at once from', value: from }]),
    ];
  };
  return (
    <DocumentPanel<ExpenseInvoice>
      {...props}
      side={EXPENSES}
      statusOf={({ postToVendorAccount }) => (postToVendorAccount ? OPEN : PAID_AT_ONCE)}
      facts={factsOf}
      lineNotes={lineNotes}
      lineAmount={billLineAmount}
    />
  );
}

const lineNotes = ({ creditLine }: ExpenseInvoice['lineItems'][number]) =>
  creditLine && <div className="ek-muted ek-small">Credit item</div>;
