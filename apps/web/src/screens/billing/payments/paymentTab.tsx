import { IconCashBanknote } from '@tabler/icons-react';
import { useMay } from '../../../client/session.ts';
import { DepositModal } from '../../../parts/banking/DepositModal.tsx';
import { PaymentChips, PaymentList } from '../../../parts/documents/list/PaymentList.tsx';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import { BILLING } from '../records.ts';
import type { BillingTab } from '../tab.ts';

const DEPOSIT = 'deposit';

/** The tab of payments received. */
export const PAYMENT_TAB: BillingTab = {
  value: 'payments',
  label: 'Payments',
  search: 'Search Payments...',
  primary: {
    label: 'Take Payment',
    name: 'pay',
    value: 'e0',
    icon: <IconCashBanknote {...ICON_SMALL} />,
  },
  second: { label: 'New Deposit', name: DEPOSIT, needs: 'Manage Banking' },
  List: ({ place, filter, onEscape }) => (
    <PaymentList side={BILLING} payment={place.payment} filter={filter} onEscape={onEscape} />
  ),
  Filter: () => <PaymentChips side={BILLING} />,
  Forms: DepositForm,
};

function DepositForm() {
  const deposit = useOpenRecord(DEPOSIT);
  const manages = useMay()('Manage Banking');
  return deposit.id !== undefined && manages && <DepositModal id={deposit.id} onClose={deposit.close} />;
}
