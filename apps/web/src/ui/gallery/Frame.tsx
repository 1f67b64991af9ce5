import {
  IconBox,
  IconBuildingBank,
  IconBuildingStore,
  IconChartBar,
  IconCreditCard,
  IconLayoutDashboard,
  IconReceipt,
  IconScale,
  IconSettings,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useAlerts } from '../alerts/Alerts.tsx';
import { AppFrame } from '../frame/AppFrame.tsx';
import type { MenuSection } from '../frame/SideMenu.tsx';
import { useNarrow } from '../hooks/media.ts';
import { SidePanel } from '../overlay/SidePanel.tsx';
import { FilterBox } from '../page/FilterBox.tsx';
import { Page } from '../page/Page.tsx';
import { Amount } from '../show/Amount.tsx';
import { DateText } from '../show/DateText.tsx';
import { Facts } from '../show/Facts.tsx';
import { Figure } from '../show/Figure.tsx';
import { Status } from '../show/Status.tsx';
import { DataTable } from '../table/DataTable.tsx';
import { SAMPLE_COLUMNS, sampleId, samplePhoneRow } from './columns.tsx';
import { type SampleInvoice, sampleInvoices } from './samples.ts';

const MENU: readonly MenuSection[] = [
  { items: [{ to: '/ui/dashboard', label: 'Dashboard', icon: IconLayoutDashboard }] },
  {
    label: 'Money in',
    items: [
      { to: '/ui/billing', label: 'Billing', icon: IconReceipt },
      { to: '/ui/customers', label: 'Customers', icon: IconUser },
      { to: '/ui/products', label: 'Products', icon: IconBox },
    ],
  },
  {
    label: 'Money out',
    items: [
      { to: '/ui/expenses', label: 'Expenses', icon: IconCreditCard },
      { to: '/ui/vendors', label: 'Vendors', icon: IconBuildingStore },
    ],
  },
  {
    label: 'Books',
    items: [
      { to: '/ui/banking', label: 'Banking', icon: IconBuildingBank },
      { to: '/ui/accounting', label: 'Accounting', icon: IconScale },
      { to: '/ui/reports', label: 'Reports', icon: IconChartBar },
    ],
  },
  {
    label: 'Company',
    items: [
      { to: '/ui/users', label: 'Users', icon: IconUsers },
      { to: '/ui/settings', label: 'Settings', icon: IconSettings },
    ],
  },
];

const FEW = sampleInvoices(23);
const EMPTY = { title: 'No open invoices' };

/** The frame with a list and its panel; /ui/many holds 50,000 rows. */
export function GalleryFrame() {
  const alerts = useAlerts();
  const narrow = useNarrow();
  const many = useLocation().pathname.endsWith('/many');
  return (
    <AppFrame
      company="Cedar & Stone Landscaping"
      initials="MV"
      person="mara@cedarstone.example"
      menu={MENU}
      search={narrow ? undefined : <TextInput aria-label="Search" placeholder="Search..." w={320} />}
      onHelp={() => alerts.info('Help was asked for')}
      onLogout={() => alerts.info('Signed out', { keepAfterRouteChange: true })}
    >
      <SampleScreen many={many} key={String(many)} />
    </AppFrame>
  );
}

function SampleScreen({ many }: { many: boolean }) {
  const [rows] = useState(() => (many ? sampleInvoices(50_000) : FEW));
  const [filter, setFilter] = useState('');
  const [tab, setTab] = useState<'open' | 'work'>('open');
  const [open, setOpen] = useState<SampleInvoice | undefined>();
  const close = () => setOpen(undefined);
  const table = (
    <DataTable
      label="Open Invoices"
      columns={SAMPLE_COLUMNS}
      rows={rows}
      rowId={sampleId}
      defaultSort={{ id: 'number' }}
      filter={filter}
      empty={EMPTY}
      onOpen={setOpen}
      onEscape={close}
      selectedId={open?.number}
      count={(n) => `${n} invoices`}
      note="Unpaid 46,903.01"
      phoneRow={samplePhoneRow}
    />
  );
  return (
    <Page
      title="Billing"
      primary={{ label: 'Add Billing', onClick: () => undefined }}
      secondary={[{ label: 'Process Work Items', onClick: () => undefined }]}
      tabs={{
        value: tab,
        onChange: setTab,
        tabs: [
          { value: 'open', label: 'Open Invoices' },
          { value: 'work', label: 'Work Items', count: 4 },
        ],
      }}
      filter={<FilterBox placeholder="Filter Open Invoices..." value={filter} onChange={setFilter} />}
      panel={open !== undefined && <SamplePanel row={open} onClose={close} />}
    >
      {table}
    </Page>
  );
}

function SamplePanel({ row, onClose }: { row: SampleInvoice; onClose: () => void }) {
  return (
    <SidePanel
      title={`Invoice ${row.number}`}
      beside={<Status look={row.look}>{row.status}</Status>}
      onClose={onClose}
      footer={{
        actions: [{ label: 'Open Billing Invoice', onClick: () => undefined }],
        remove: { question: `Delete invoice ${row.number}?`, onConfirm: onClose },
      }}
    >
      <Figure note="unpaid">
        <Amount value={row.amount} sign />
      </Figure>
      <Facts
        facts={[
          { label: 'Customer', value: row.customer },
          { label: 'Invoice Date', value: <DateText value={row.date} /> },
          { label: 'Billing Status', value: row.status },
        ]}
      />
    </SidePanel>
  );
}
