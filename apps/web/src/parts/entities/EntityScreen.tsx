import type { EntityRow } from '@evenkeel/contract/entities';
import { cents } from '@evenkeel/core/money';
import { IconCashBanknote } from '@tabler/icons-react';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useLocation, useParams } from 'react-router';
import { ExplainButton } from '../ledger/ExplainButton.tsx';
import { SumButton } from '../ledger/SumButton.tsx';
import type { SumPart } from '../ledger/sums.ts';
import { INACTIVE, isActive, useManages } from '../../records/active.tsx';
import { useShowInactive } from '../../records/KeptList.tsx';
import { ListScreen } from '../../records/ListScreen.tsx';
import { idInState, useAddressText, useAskedByState, useOpenRecord } from '../../records/openRecord.ts';
import { useOpenFigure, usePlace } from '../../records/place.ts';
import { useList } from '../../records/records.ts';
import { useMay } from '../../client/session.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { useNarrow } from '../../ui/hooks/media.ts';
import type { PageAction } from '../../ui/page/Page.tsx';
import { ICON } from '../../ui/show/icons.ts';
import { NameLink } from '../../ui/show/NameLink.tsx';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import type { Sums } from '../../ui/table/rows.ts';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { balanceFigure, BALANCES, entityOfFigure } from './balanceFigure.ts';
import { EntityModal } from './EntityModal.tsx';
import type { EntityDocumentsOf } from './EntityDocuments.tsx';
import { EntityHome, type EntityTabView, type HomeWords } from './EntityHome.tsx';
import { labelOf, type ListedKind, sideOf } from './kind.ts';
import { type EntityPlace, useEntityPlace } from './useEntityPlace.ts';

const BalanceDrawer = lazyPart(async () => (await import('./BalanceDrawer.tsx')).BalanceDrawer);
const BalancesDrawer = lazyPart(async () => (await import('./BalanceDrawer.tsx')).BalancesDrawer);
const EntityDocuments = lazyPart(async () => (await import('./EntityDocuments.tsx')).EntityDocuments);

/** The settings that differ between the customer and vendor lists. */
export interface EntityList {
  kind: ListedKind;
  title: 'Customers' | 'Vendors';
  hint: string;
  columns: readonly Column<EntityRow>[];
  /** The label of the payment icon, and the labels on the record's page. */
  words: HomeWords & { icon: string };
}

export interface EntityScreenProps {
  list: EntityList;
  /** The documents of a side, which another screen provides. */
  documents: EntityDocumentsOf;
  /** The documents and payments on the page's own tab. */
  Invoices: EntityTabView | undefined;
  /** The Payments tab. Undefined if `Invoices` includes the payments. */
  Payments?: EntityTabView | undefined;
  /** Actions for the whole list. */
  actions?: readonly PageAction[];
}

const BALANCE: Column<EntityRow> = {
  id: 'currentbalance',
  header: 'Balance',
  kind: 'amount',
  value: (row) => row.currentbalance,
  render: (row) => (
    <ExplainButton name={balanceFigure(row.id)}>
      <Amount value={row.currentbalance} zero="dash" />
    </ExplainButton>
  ),
  total: 'sum',
};

/** The padding in px of the balance in the list next to a page (overlay.css), without the edge of the page. */
const HOME_PAD = 8;

/** A link to the record with its name. Inactive records are marked. */
export function EntityLink({ kind, row }: { kind: ListedKind; row: EntityRow }) {
  return (
    <>
      <NameLink {...useOpenRecord(kind.name).link(row.id)}>{row.displayname}</NameLink>
      {!isActive(row) && <> {INACTIVE}</>}
    </>
  );
}

/** The icon that opens a new payment on top of the list. */
function PayButton({ label, row, onPay }: { label: string; row: EntityRow; onPay: () => void }) {
  if (!isActive(row)) return null;
  return (
    <button
      type="button"
      className="ek-icon-btn"
      aria-label={`${label} for ${row.displayname}`}
      title={label}
      onClick={onPay}
    >
      <IconCashBanknote {...ICON} />
    </button>
  );
}

/** Returns the phone layout of a row: name and balance, and below them the contact details. */
const phoneRow = (row: EntityRow): PhoneRow => ({
  title: row.displayname,
  amount: <Amount value={row.currentbalance} zero="dash" />,
  detail:
    row.deleted === true ? 'Inactive' : row.primaryContactPhone === '' ? row.emailAddress : row.primaryContactPhone,
});

const rowId = (row: EntityRow): string => String(row.id);

interface Paying extends Pick<EntityPlace, 'openPay'> {
  manage: EntityDocumentsOf['side']['manage'];
  /**
   * Whether a record's page is open. The page has its own payment button, so the list then shows only names and
   * amounts.
   */
  isHome: boolean;
}

/**
 * Returns the columns. If the user can post payments, the payment icon comes first. The total can show its details only
 * while it covers the whole list.
 */
function useColumns({ kind, words, columns }: EntityList, { manage, openPay, isHome }: Paying) {
  const may = useMay();
  const mayPay = may(manage) && !isHome;
  const { icon: label } = words;
  const [filter] = useAddressText('q');
  const documents = sideOf(kind) === 'receivable' ? 'View Billing' : 'View Expenses';
  const isOpening = filter === '' && (may(documents) || may('View Reports') || may('View Accounting'));
  return useMemo(() => {
    const wrapTotal = (total: ReactNode) => (
      <ExplainButton name={BALANCES} isAllowed={isOpening}>
        {total}
      </ExplainButton>
    );
    const plain = [...columns, { ...BALANCE, wrapTotal, ...(isHome && { width: '92px', pad: HOME_PAD }) }];
    if (!mayPay) return { columns: plain, phoneRow };
    const icon = (row: EntityRow) => (
      <PayButton label={label} row={row} onPay={() => openPay({ kind: 'entity', id: row.id })} />
    );
    const action: Column<EntityRow> = { id: 'pay', header: label, kind: 'action', render: icon };
    return { columns: [action, ...plain], phoneRow: (row: EntityRow) => ({ lead: icon(row), ...phoneRow(row) }) };
  }, [mayPay, isOpening, isHome, label, openPay, columns]);
}

/** The list of customers or vendors with their balances. Selecting a row opens its page next to the list. */
export function EntityScreen({ list, documents, Invoices, Payments, actions }: EntityScreenProps) {
  const { kind, title, hint } = list;
  const { side } = documents;
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
  const over = useEntityPlace();
  const add = manages ? { label: `Add ${labelOf(kind)}`, onClick: () => edit.open(0) } : undefined;
  const isHome = open.id !== undefined;
  // Next to a page, the list has no space for the checkbox. On a phone, the page covers the checkbox, which keeps its
  // height.
  const isAside = !useNarrow() && isHome;
  return (
    <ListScreen<EntityRow>
      title={title}
      read={read}
      words={records.words}
      {...useColumns(list, { manage: side.manage, openPay: over.openPay, isHome })}
      rowId={rowId}
      sort="displayname"
      search={`Search ${title}...`}
      hint={hint}
      add={add}
      secondary={isHome ? [] : (actions ?? [])}
      inactive={isAside ? undefined : inactive}
      more={
        isAside
          ? [
              {
                label: inactive.isShown ? 'Hide Inactive' : 'Show Inactive',
                onClick: () => inactive.onChange(!inactive.isShown),
              },
            ]
          : []
      }
      note={filter === '' ? <OwedNote kind={kind} sums={read.sums} /> : undefined}
      onOpen={(row) => open.open(row.id)}
      onEscape={open.id === undefined ? undefined : open.close}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      panel={
        open.id !== undefined && (
          <EntityHome
            key={open.id}
            {...{ kind, side, Invoices, Payments }}
            words={list.words}
            id={open.id}
            onClose={open.close}
            hasBack={isFromElsewhere}
            onOpen={(part) => place.go({ part, edit: open.id ?? 0 }, { step: ['edit'] })}
            onAdd={() => over.add(open.id ?? 0)}
            onPay={() => over.openPay({ kind: 'entity', id: open.id ?? 0 })}
            onRefund={() => over.openPay({ kind: 'refund', id: open.id ?? 0 })}
          />
        )
      }
    >
      {edit.id !== undefined && (
        <EntityModal
          kind={kind}
          id={edit.id}
          startsOn={edit.id !== 0 && place.query.get('part') === 'attachments' ? 'attachments' : undefined}
          onClose={edit.close}
          onSaved={(id) => (edit.id === 0 ? place.go({ [name]: id, edit: id }, { under: name }) : undefined)}
          onDeleted={() => place.go({ [name]: undefined, edit: undefined })}
        />
      )}
      {(over.newFor !== undefined || over.pay !== undefined) && (
        <Suspense>
          <EntityDocuments {...documents} place={over} />
        </Suspense>
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

/**
 * Explains the difference, if any, between the list total and the amount owed. Each part of the difference is a
 * separate amount.
 */
function OwedNote({ kind, sums }: { kind: ListedKind; sums: Sums | undefined }) {
  const part = (label: string, name: string): SumPart => ({ label, amount: cents(sums?.[name] ?? 0) });
  const between = [
    part('Inactive', 'inactiveAmount'),
    part('Journal entries', 'journalAmount'),
    part('Dated after today', 'laterAmount'),
  ].filter(({ amount }) => amount !== 0);
  if (between.length === 0) return null;
  const isPayable = sideOf(kind) === 'payable';
  return (
    <SumButton
      sum={{
        label: 'Owed',
        title: isPayable ? 'Owed to vendors' : 'Owed by customers',
        parts: [part('Balances in this list', 'currentbalance'), ...between],
        total: { ...part('Owed', 'owedAmount'), name: BALANCES },
        proof: `Equals ${isPayable ? 'Accounts Payable' : 'Accounts Receivable'} in the ledger`,
      }}
    />
  );
}

/**
 * Opens the record that the route or navigation state identifies (/customers/{customerId}/{fromsearch}) by adding the
 * record to the URL. Returns true while the page shows a record that was opened from a screen other than the search, in
 * which case Back returns to that screen.
 */
function useAsked({ kind: { name }, title }: EntityList): boolean {
  const route = useParams();
  const { key } = useLocation();
  const { query } = usePlace();
  useAskedByState((state) => askedEntity(name, route, state), `/${title.toLowerCase()}`);
  return query.get('from') === 'screen' && key !== 'default';
}

/**
 * Returns the record that the route and state request. `from=screen` shows the Back button, and a `fromsearch` flag
 * hides it.
 */
export function askedEntity(
  name: ListedKind['name'],
  route: Readonly<Record<string, string | undefined>>,
  state: unknown,
): Record<string, string | number | undefined> | undefined {
  const fromState = idInState(state, `${name}Id`);
  // An invalid ID is passed on unchanged, so that the page shows the same message as for a deleted record.
  const id = idInState(route, `${name}Id`) ?? route[`${name}Id`] ?? fromState;
  if (id === undefined) return undefined;
  const flag =
    typeof state === 'object' && state !== null && 'fromsearch' in state ? state.fromsearch : route['fromsearch'];
  const isFromSearch = flag !== undefined && flag !== false && flag !== 'false';
  return { [name]: id, from: fromState !== undefined && !isFromSearch ? 'screen' : undefined };
}
