import type { Entity } from '@evenkeel/contract/entities';
import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useId } from 'react';
import { useNavigate } from 'react-router';
import { useAddressChoice } from '../records/openRecord.ts';
import { RecordPanel } from '../records/RecordPanel.tsx';
import { useOne } from '../records/records.ts';
import { TabPane } from '../ui/page/TabPane.tsx';
import { neighbourTab, Tabs } from '../ui/page/Tabs.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { Facts } from '../ui/show/Facts.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { Status } from '../ui/show/Status.tsx';
import { CustomerInvoices } from './CustomerInvoices.tsx';
import { customers } from './customers.ts';
import { summaryFacts } from './entityFacts.tsx';

export interface CustomerPanelProps {
  id: number;
  onClose: () => void;
  /** False hides the Back button (the record was opened here or from the search). */
  hasBack: boolean;
  /** Opens the whole record. */
  onOpen: () => void;
}

const markOf = (customer: Entity) => customer.deleted && <Status look="void">Inactive</Status>;

/** A customer beside the list: what is owed, how to reach them, their invoices. */
export function CustomerPanel({ id, onClose, hasBack, onOpen }: CustomerPanelProps) {
  const read = useOne(customers, id);
  return (
    <RecordPanel
      read={read}
      kind="Customer"
      title={(customer) => customer.displayname}
      beside={markOf}
      above={hasBack && <Back />}
      onClose={onClose}
      footer={{ actions: [{ label: 'Open Customer', onClick: onOpen, disabled: read.value === undefined }] }}
    >
      {(customer) => <PanelBody customer={customer} />}
    </RecordPanel>
  );
}

function Back() {
  const navigate = useNavigate();
  const arrow = <IconArrowLeft {...ICON_SMALL} />;
  return (
    <div>
      <Button variant="subtle" size="xs" leftSection={arrow} onClick={() => void navigate(-1)}>
        Back
      </Button>
    </div>
  );
}

const TABS = [
  { value: 'details', label: 'Details' },
  { value: 'invoices', label: 'Invoices' },
] as const;

function PanelBody({ customer }: { customer: Entity }) {
  const idBase = useId();
  const [tab, setTab] = useAddressChoice('tab', ['details', 'invoices']);
  return (
    <>
      <Figure note={customer.currentbalance < 0 ? 'credit' : 'balance'}>
        <Amount value={customer.currentbalance} sign />
      </Figure>
      <div>
        <div className="cu-tabs">
          <Tabs tabs={TABS} value={tab} onChange={setTab} label="Customer" idBase={idBase} />
        </div>
        <TabPane idBase={idBase} value={tab} onSwipe={(step) => setTab(neighbourTab(TABS, tab, step))}>
          {tab === 'details' ? <Facts facts={summaryFacts(customer)} /> : <CustomerInvoices customerId={customer.id} />}
        </TabPane>
      </div>
    </>
  );
}
