import type { Entity } from '@evenkeel/contract/entities';
import { IconArrowLeft } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { useMay } from '../session.ts';
import type { FooterBarProps } from '../ui/overlay/FooterBar.tsx';
import { SidePanel } from '../ui/overlay/SidePanel.tsx';
import { TabPane } from '../ui/page/TabPane.tsx';
import { neighbourTab, Tabs } from '../ui/page/Tabs.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { Facts } from '../ui/show/Facts.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { Status } from '../ui/show/Status.tsx';
import { CustomerInvoices } from './CustomerInvoices.tsx';
import { summaryFacts } from './entityFacts.tsx';
import { useCustomer } from './queries.ts';

export interface CustomerPanelProps {
  id: number;
  onClose: () => void;
  /** Undefined hides the Back button (the record was opened here or from the search). */
  onBack: (() => void) | undefined;
  /** Opens the whole record. */
  onOpen: (id: number) => void;
}

/** A customer beside the list: what is owed, how to reach them, their invoices. */
export function CustomerPanel({ id, onClose, onBack, onOpen }: CustomerPanelProps) {
  const { customer, error, retry } = useCustomer(id);
  const footer: FooterBarProps = {
    actions: [{ label: 'Open Customer', onClick: () => onOpen(id), disabled: customer === undefined }],
  };
  return (
    <SidePanel
      title={customer?.displayname ?? 'Customer'}
      beside={customer?.deleted === true && <Status look="void">Inactive</Status>}
      onClose={onClose}
      footer={footer}
    >
      {onBack !== undefined && (
        <div>
          <Button variant="subtle" size="xs" leftSection={<IconArrowLeft {...ICON_SMALL} />} onClick={onBack}>
            Back
          </Button>
        </div>
      )}
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {error === undefined && customer === undefined && <p role="status">Loading...</p>}
      {customer !== undefined && error === undefined && <PanelBody customer={customer} />}
    </SidePanel>
  );
}

type PanelTab = 'invoices' | 'details';
const TABS = [
  { value: 'details', label: 'Details' },
  { value: 'invoices', label: 'Invoices' },
] as const;

function PanelBody({ customer }: { customer: Entity }) {
  const may = useMay();
  const idBase = useId();
  const [tab, setTab] = useState<PanelTab>('details');
  const seesInvoices = may('View Billing') || may('View Customers');
  const facts = summaryFacts(customer);
  return (
    <>
      <Figure note={customer.currentbalance < 0 ? 'credit' : 'balance'}>
        <Amount value={customer.currentbalance} sign />
      </Figure>
      {seesInvoices ? (
        <div>
          <div className="cu-tabs">
            <Tabs tabs={TABS} value={tab} onChange={setTab} label="Customer" idBase={idBase} />
          </div>
          <TabPane idBase={idBase} value={tab} onSwipe={(step) => setTab(neighbourTab(TABS, tab, step))}>
            {tab === 'details' ? <Facts facts={facts} /> : <CustomerInvoices customerId={customer.id} />}
          </TabPane>
        </div>
      ) : (
        <Facts facts={facts} />
      )}
    </>
  );
}
