import './customers.css';
import type { EntityRow } from '@evenkeel/contract/entities';
import { IconCashBanknote } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { ListScreen } from '../records/ListScreen.tsx';
import { idInState, useAskedByState, useOpenRecord, usePlace } from '../records/openRecord.ts';
import { useList } from '../records/records.ts';
import { useMay } from '../session.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { ICON } from '../ui/show/icons.ts';
import { NameLink } from '../ui/show/NameLink.tsx';
import type { Column } from '../ui/table/columns.ts';
import type { PhoneRow } from '../ui/table/RowList.tsx';
import { CustomerPanel } from './CustomerPanel.tsx';
import { customers } from './customers.ts';
import { EntityModal } from './EntityModal.tsx';

const PLAIN: readonly Column<EntityRow>[] = [
  {
    id: 'displayname',
    header: 'Customer',
    value: (row) => row.displayname,
    render: (row) => <CustomerLink row={row} />,
  },
  { id: 'emailAddress', header: 'Email', value: (row) => row.emailAddress, width: '26%', quiet: true },
  { id: 'phone', header: 'Phone', value: (row) => row.primaryContactPhone, width: '150px', quiet: true },
  { id: 'currentbalance', header: 'Balance', kind: 'amount', value: (row) => row.currentbalance, total: 'sum' },
];

const PAY: Column<EntityRow> = {
  id: 'pay',
  header: 'Post Payment',
  kind: 'action',
  render: (row) => <PayLink row={row} />,
};

function CustomerLink({ row }: { row: EntityRow }) {
  return <NameLink {...useOpenRecord('customer').link(row.id)}>{row.displayname}</NameLink>;
}

/** The post-payment icon: the billing screen opens its payment for the customer that the navigation state names. */
function PayLink({ row: { id, displayname } }: { row: EntityRow }) {
  const label = `Post Payment for ${displayname}`;
  return (
    <Link to="/billing" state={{ payCustomerId: id }} className="ek-icon-btn" role="button" aria-label={label}>
      <IconCashBanknote {...ICON} />
    </Link>
  );
}

/** A customer on a phone: who and what is owed, then how to reach them. */
const phoneRow = (row: EntityRow): PhoneRow => ({
  title: row.displayname,
  amount: <Amount value={row.currentbalance} />,
  detail: row.primaryContactPhone === '' ? row.emailAddress : row.primaryContactPhone,
});
const payPhoneRow = (row: EntityRow): PhoneRow => ({ lead: <PayLink row={row} />, ...phoneRow(row) });

const rowId = (row: EntityRow): string => String(row.id);

/** Customers with what they owe; a row opens its record beside the list (Specification part 1 §2). */
export function CustomersScreen() {
  const may = useMay();
  const mayPay = may('Manage Billing');
  const place = usePlace();
  const open = useOpenRecord('customer');
  const edit = useOpenRecord('edit');
  const isFromElsewhere = useAskedCustomer();
  const columns = useMemo(() => (mayPay ? [PAY, ...PLAIN] : PLAIN), [mayPay]);
  return (
    <ListScreen<EntityRow>
      title="Customers"
      read={useList(customers)}
      words={customers.words}
      columns={columns}
      rowId={rowId}
      sort="displayname"
      search="Search Customers..."
      hint="Add the people and businesses that you bill."
      add={may('Manage Customers') ? { label: 'Add Customer', onClick: () => edit.open(0) } : undefined}
      onOpen={(row) => open.open(row.id)}
      onEscape={open.id === undefined ? undefined : open.close}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      phoneRow={mayPay ? payPhoneRow : phoneRow}
      panel={
        open.id !== undefined && (
          <CustomerPanel
            key={open.id}
            id={open.id}
            onClose={open.close}
            hasBack={isFromElsewhere}
            onOpen={() => edit.open(open.id ?? 0)}
          />
        )
      }
    >
      {edit.id !== undefined && (
        <EntityModal
          id={edit.id}
          onClose={edit.close}
          onSaved={(id) => (edit.id === 0 ? place.go({ customer: id, edit: id }) : undefined)}
          onDeleted={() => place.go({ customer: undefined, edit: undefined })}
        />
      )}
    </ListScreen>
  );
}

/**
 * The customer that a route or navigation state names (part 1 §2: /customers/{customerId}/{fromsearch}), translated
 * into the address. True while a record is shown that another screen, not the search, led to: Back then goes there.
 */
function useAskedCustomer(): boolean {
  const { customerId, fromsearch } = useParams();
  const { key } = useLocation();
  const { query } = usePlace();
  useAskedByState((state) => askedCustomer({ customerId, fromsearch }, state), '/customers');
  return query.get('from') === 'screen' && key !== 'default';
}

/** What route and state ask for; `from=screen` shows the Back button, which a fromsearch flag hides. */
export function askedCustomer(
  route: { customerId?: string | undefined; fromsearch?: string | undefined },
  state: unknown,
): { customer: number; from: string | undefined } | undefined {
  const fromState = idInState(state, 'customerId');
  const customer = idInState({ customerId: route.customerId }, 'customerId') ?? fromState;
  if (customer === undefined) return undefined;
  const flag =
    typeof state === 'object' && state !== null && 'fromsearch' in state ? state.fromsearch : route.fromsearch;
  const isFromSearch = flag !== undefined && flag !== false && flag !== 'false';
  return { customer, from: fromState !== undefined && !isFromSearch ? 'screen' : undefined };
}
