import type { PaymentRow } from '@evenkeel/contract/subledger';
import { Button } from '@mantine/core';
import { IconCashBanknote } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../../client/session.ts';
import { DepositModal } from '../../../parts/banking/DepositModal.tsx';
import { receiptKey } from '../../../parts/banking/moves.ts';
import { PaymentChips, PaymentList } from '../../../parts/documents/list/PaymentList.tsx';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import { BILLING } from '../records.ts';
import type { BillingTab, ListPlace } from '../tab.ts';

const DEPOSIT = 'deposit';

/** The tab for payments received. */
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
  List: Payments,
  Filter: () => <PaymentChips side={BILLING} />,
  Forms: DepositForm,
};

/** The list of payments. Payments in Undeposited Funds can be selected and deposited together. */
function Payments({ place, filter, onEscape }: ListPlace) {
  const [chosen, setChosen] = useState<{ receipts: string[]; clear: () => void }>();
  const manages = useMay()('Manage Banking');
  const close = () => setChosen(undefined);
  const depositing = (rows: readonly PaymentRow[], clear: () => void) => {
    const receipts = rows
      .filter(({ state }) => state === 'undeposited')
      .map(({ id }) => receiptKey({ paymentId: id, lineId: null }));
    return (
      <Button onClick={() => setChosen({ receipts, clear })} disabled={receipts.length === 0}>
        {`Deposit ${receipts.length}`}
      </Button>
    );
  };
  return (
    <>
      <PaymentList
        side={BILLING}
        payment={place.payment}
        filter={filter}
        onEscape={onEscape}
        actions={manages ? depositing : undefined}
      />
      {chosen && (
        <DepositModal
          id={0}
          starts={{ receipts: chosen.receipts }}
          onClose={close}
          onDone={() => {
            chosen.clear();
            close();
          }}
        />
      )}
    </>
  );
}

function DepositForm() {
  const deposit = useOpenRecord(DEPOSIT);
  const manages = useMay()('Manage Banking');
  return deposit.id !== undefined && manages && <DepositModal id={deposit.id} onClose={deposit.close} />;
}
