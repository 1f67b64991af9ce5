import type { Permission } from '@evenkeel/contract/areas';
import type { EntityRow } from '@evenkeel/contract/entities';
import { cents } from '@evenkeel/core/money';
import { IconCashBanknote } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, Suspense, useMemo } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { ExplainButton } from '../ledger/ExplainButton.tsx';
import { type SumPart, SumParts } from '../ledger/SumParts.tsx';
import { INACTIVE, isActive, useManages } from '../../records/active.tsx';
import { useShowInactive } from '../../records/KeptList.tsx';
import { ListScreen } from '../../records/ListScreen.tsx';
import { idInState, useAddressText, useAskedByState, useOpenRecord } from '../../records/openRecord.ts';
import { useOpenFigure, usePlace } from '../../records/place.ts';
import { useList } from '../../records/records.ts';
import { useMay } from '../../client/session.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON } from '../../ui/show/icons.ts';
import { NameLink } from '../../ui/show/NameLink.tsx';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import type { Sums } from '../../ui/table/rows.ts';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { balanceFigure, BALANCES, entityOfFigure } from './balanceFigure.ts';
import { EntityModal } from './EntityModal.tsx';
import { EntityPanel } from './EntityPanel.tsx';
import { labelOf, type ListedKind, sideOf } from './kind.ts';

const BalanceDrawer = lazyPart(async () => (await import('./BalanceDrawer.tsx')).BalanceDrawer);
const BalancesDrawer = lazyPart(async () => (await import('./BalanceDrawer.tsx')).BalancesDrawer);

/** The parts that differ between the lists of customers and vendors. */
export interface EntityList {
  kind: ListedKind;
  title: 'Customers' | 'Vendors';
  hint: string;
  columns: readonly Column<EntityRow>[];
  /** The icon column: the screen that takes a payment, and under which name its navigation state says for whom. */
  pay: { needs: Permission; label: string; to: string; state: string };
}

export interface EntityScreenProps {
  list: EntityList;
  /** Documents and payments, on the panel's own tab. */
  Invoices: ComponentType<{ entityId: number }> | undefined;
}

const BALANCE: Column<EntityRow> = {
  id: 'currentbalance',
  header: 'Balance',
  kind: 'amount',
  value: (row) => row.currentbalance,
  render: (row) => (
    <ExplainButton name={balanceFigure(row.id)}>
      <Amount value={row.currentbalance} />
    </ExplainButton>
  ),
  total: 'sum',
};

/** A record's name, a real link to it; a deactivated one says so. */
export function EntityLink({ kind, row }: { kind: ListedKind; row: EntityRow }) {
  return (
    <>
      <NameLink {...useOpenRecord(kind.name).link(row.id)}>{row.displayname}</NameLink>
      {!isActive(row) && <> {INACTIVE}</>}
    </>
  );
}

/** The icon that posts or adds a payment, on the screen that has them. */
function PayLink({ pay, row }: { pay: EntityList['pay']; row: EntityRow }) {
  if (!isActive(row)) return null;
  const label = `${pay.label} for ${row.displayname}`;
  return (
    <Link to={pay.to} state={{ [pay.state]: row.id }} className="ek-icon-btn" role="button" aria-label={label}>
      <IconCashBanknote {...ICON} />
    </Link>
  );
}

/** On a phone: who and what is owed, then how to reach them. */
const phoneRow = (row: EntityRow): PhoneRow => ({
  title: row.displayname,
  amount: <Amount value={row.currentbalance} />,
  detail:
    row.deleted === true ? 'Inactive' : row.primaryContactPhone === '' ? row.emailAddress : row.primaryContactPhone,
});

const rowId = (row: EntityRow): string => String(row.id);

/** The icon column first where the session may pay; the total opens while it is that of the whole list. */
function useColumns({ kind, pay, columns }: EntityList) {
  const may = useMay();
  const mayPay = may(pay.needs);
  const [filter] = useAddressText('q');
  const documents = sideOf(kind) === 'receivable' ? 'View Billing' : 'View Expenses';
  const isOpening = filter === '' && (may(documents) || may('View Reports') || may('View Accounting'));
  return useMemo(() => {
    const wrapTotal = (total: ReactNode) => (
      <ExplainButton name={BALANCES} isAllowed={isOpening}>
        {total}
      </ExplainButton>
    );
    const plain = [...columns, { ...BALANCE, wrapTotal }];
    if (!mayPay) return { columns: plain, phoneRow };
    const icon = (row: EntityRow) => <PayLink pay={pay} row={row} />;
    const action: Column<EntityRow> = { id: 'pay', header: pay.label, kind: 'action', render: icon };
    return { columns: [action, ...plain], phoneRow: (row: EntityRow) => ({ lead: icon(row), ...phoneRow(row) }) };
  }, [mayPay, isOpening, pay, columns]);
}

/** Customers or vendors with what is owed; a row opens its record beside the list. */
export function EntityScreen({ list, Invoices }: EntityScreenProps) {
  const { kind, title, hint } = list;
  const { name, records } = kind;
  const place = usePlace();
  const open = useOpenRecord(name, { hasNew: false });
  const edit = useOpenRecord('edit');
  const inactive = useShowInactive();
  const isFromElsewhere = useAsked(list);
  const manages = useManages(kind.manager);
  const figure = useOpenFigure();
  const read = useList(records, inactive.isShown);
  const [filter] = useAddressText('q');
  const balanceOf = entityOfFigure(figure.name);
  return (
    <ListScreen<EntityRow>
      title={title}
      read={read}
      words={records.words}
      {...useColumns(list)}
      rowId={rowId}
      sort="displayname"
      search={`Search ${title}...`}
      hint={hint}
      add={manages ? { label: `Add ${labelOf(kind)}`, onClick: () => edit.open(0) } : undefined}
      inactive={inactive}
      note={() => filter === '' && <OwedNote kind={kind} sums={read.sums} />}
      onOpen={(row) => open.open(row.id)}
      onEscape={open.id === undefined ? undefined : open.close}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      panel={
        open.id !== undefined && (
          <EntityPanel
            key={open.id}
            kind={kind}
            id={open.id}
            onClose={open.close}
            hasBack={isFromElsewhere}
            onOpen={() => edit.open(open.id ?? 0)}
            Invoices={Invoices}
          />
        )
      }
    >
      {edit.id !== undefined && (
        <EntityModal
          kind={kind}
          id={edit.id}
          onClose={edit.close}
          onSaved={(id) => (edit.id === 0 ? place.go({ [name]: id, edit: id }, { under: name }) : undefined)}
          onDeleted={() => place.go({ [name]: undefined, edit: undefined })}
        />
      )}
      {balanceOf !== undefined && (
        <Suspense>
          <BalanceDrawer kind={kind} id={balanceOf} onClose={figure.close} />
        </Suspense>
      )}
      {figure.name === BALANCES && (
        <Suspense>
          <BalancesDrawer kind={kind} onEntity={(id) => figure.open(balanceFigure(id))} onClose={figure.close} />
        </Suspense>
      )}
    </ListScreen>
  );
}

/** From the sum of the list to what is owed, where that is another: each difference has its own sum. */
function OwedNote({ kind, sums = {} }: { kind: ListedKind; sums: Sums | undefined }) {
  const part = (label: string, name: string): SumPart => ({ label, amount: cents(sums[name] ?? 0) });
  const between = [
    part('Inactive', 'inactiveAmount'),
    part('Journal entries', 'journalAmount'),
    part('Dated after today', 'laterAmount'),
  ].filter(({ amount }) => amount !== 0);
  if (between.length === 0) return null;
  const owed = part(sideOf(kind) === 'payable' ? 'Owed to vendors' : 'Owed by customers', 'owedAmount');
  return <SumParts parts={[...between, { ...owed, name: BALANCES }]} isWhole />;
}

/**
 * The record that a route or navigation state names (/customers/{customerId}/{fromsearch}), translated into the
 * address. True while a record is shown that another screen, not the search, led to: Back then goes there.
 */
function useAsked({ kind: { name }, title }: EntityList): boolean {
  const route = useParams();
  const { key } = useLocation();
  const { query } = usePlace();
  useAskedByState((state) => askedEntity(name, route, state), `/${title.toLowerCase()}`);
  return query.get('from') === 'screen' && key !== 'default';
}

/** The record that route and state ask for; `from=screen` shows the Back button, which a fromsearch flag hides. */
export function askedEntity(
  name: ListedKind['name'],
  route: Readonly<Record<string, string | undefined>>,
  state: unknown,
): Record<string, string | number | undefined> | undefined {
  const fromState = idInState(state, `${name}Id`);
  // An impossible id goes on as it stands: it is told in the place of a record that is gone.
  const id = idInState(route, `${name}Id`) ?? route[`${name}Id`] ?? fromState;
  if (id === undefined) return undefined;
  const flag =
    typeof state === 'object' && state !== null && 'fromsearch' in state ? state.fromsearch : route['fromsearch'];
  const isFromSearch = flag !== undefined && flag !== false && flag !== 'false';
  return { [name]: id, from: fromState !== undefined && !isFromSearch ? 'screen' : undefined };
}
