import { creditCalls, type CreditPart, type CreditRow } from '@evenkeel/contract/credits';
import { documentKinds } from '@evenkeel/core/documents/side';
import { formatAmount } from '@evenkeel/core/money';
import { useMemo } from 'react';
import { ask } from '../../../client/api.ts';
import { useBeside } from '../../../parts/documents/beside.ts';
import { entityColumn } from '../../../parts/documents/list/documentColumns.tsx';
import { InvoiceBadge } from '../../../parts/badges.tsx';
import { type OpenRecord, useAddressChoice, useAddressSort } from '../../../records/openRecord.ts';
import { usePlace } from '../../../records/place.ts';
import type { PageAsk } from '../../../records/reads.ts';
import { useList } from '../../../records/records.ts';
import { type Chip, Chips } from '../../../ui/page/Chips.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { counted } from '../../../ui/show/words.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../../ui/table/RowList.tsx';
import { useSelection } from '../../../ui/table/useSelection.tsx';
import { FINANCE_CHARGES } from '../invoices/InvoiceLists.tsx';
import { BILLING } from '../records.ts';
import { useSendSeveral } from '../sending/SendSeveral.tsx';
import type { BillingTab, ListPlace } from '../tab.ts';
import { WRITE_OFF } from '../writeoffs/WriteOffTab.tsx';
import { CREDIT_PART, SENT_CREDITS } from './creditTab.tsx';

type Part = CreditPart | 'all';
type Kind = CreditRow['kind'];

/** The filters of the list, by their names in the URL. */
const PARTS = {
  all: { part: 'all', label: 'All' },
  remaining: { part: 'remaining', label: 'Remaining', hasAmount: true },
  memos: { part: 'creditmemo', label: 'Credit Memos' },
  writeoffs: { part: 'writeoff', label: 'Write-Offs', hasAmount: true },
  refunds: { part: 'refund', label: 'Refunds', hasAmount: true },
} as const satisfies Record<string, { part: Part; label: string; hasAmount?: boolean }>;
type Name = keyof typeof PARTS;
const NAMES = ['all', 'remaining', 'memos', 'writeoffs', 'refunds'] as const satisfies readonly Name[];

const KINDS = ['creditmemo', 'writeoff', 'refund'] as const satisfies readonly Kind[];

const WORDS: Record<Kind, { label: string; key: string }> = {
  creditmemo: { label: 'Credit Memo', key: documentKinds.creditmemo.screen.key },
  writeoff: { label: 'Write-Off', key: documentKinds.writeoff.screen.key },
  refund: { label: 'Refund', key: documentKinds.payment.screen.key },
};

/** Returns the filter in the URL. An old URL for the write-offs tab still shows the write-offs. */
function useName() {
  const { query } = usePlace();
  const [name, choose] = useAddressChoice<Name>('kind', NAMES);
  return { name: query.get('tab') === 'writeoffs' ? ('writeoffs' as const) : name, choose };
}

const words = { one: 'credit', many: 'credits', loadAll: 'Error Loading Credits' };

function useCredits(name: Name) {
  const { part } = PARTS[name];
  const list = (_: boolean, page: PageAsk) =>
    ask(creditCalls.listAllCredits, { query: part === 'all' ? page : { ...page, status: part } });
  return useList<CreditRow>({ list, words });
}

function CreditChips() {
  const { name, choose } = useName();
  const { parts } = useCredits(name);
  const chips = NAMES.map((value): Chip<Name> => {
    const { part, label, ...chip } = PARTS[value];
    const { count, amount } = parts?.[part] ?? {};
    const known = count !== undefined && {
      part: { count, ...('hasAmount' in chip && amount !== undefined && count > 0 && { amount }) },
    };
    return { value, label, ...known };
  });
  return <Chips label="List filters" chips={chips} value={name} onChange={choose} />;
}

/** Returns text about how a credit was used, for example "600.00 applied to invoice 10568". */
export function usedForText({ kind, usedFor, usedCount, ...row }: CreditRow): string {
  const more = usedCount > usedFor.length ? ` and ${usedCount - usedFor.length} more` : '';
  const names = `${usedFor.join(', ')}${more}`;
  const check = row.checkNumber === '' ? '' : `check ${row.checkNumber}`;
  if (kind === 'creditmemo') {
    return [
      row.appliedAmount === 0 ? '' : `${formatAmount(row.appliedAmount)} applied to ${names}`,
      row.refundedAmount === 0 ? '' : `${formatAmount(row.refundedAmount)} refunded`,
    ]
      .filter(Boolean)
      .join(', ');
  }
  return [names, kind === 'writeoff' ? row.reason : check].filter(Boolean).join(', ');
}

const rowId = ({ kind, id }: CreditRow): string => `${kind} ${id}`;
const badgeOf = ({ badge }: CreditRow) => ({ badge, daysOverdue: 0 });
const customerOf = (row: CreditRow) => ({ id: row.customerId, name: row.customerDisplayName });

/** The order in which columns are hidden if there is too little space: Used For first, then Kind. */
const RANKS = { usedFor: 9, kind: 8 };

function columnsOf(records: Record<Kind, OpenRecord>): readonly Column<CreditRow>[] {
  return [
    { id: 'date', header: 'Date', kind: 'date', value: (row) => row.date, rank: 0 },
    {
      id: 'number',
      header: 'Number',
      width: '112px',
      value: (row) => row.number,
      render: ({ kind, id, number }) => (
        <NameLink {...records[kind].link(id)} isNumber>
          {number}
        </NameLink>
      ),
    },
    { id: 'kind', header: 'Kind', width: '120px', value: (row) => WORDS[row.kind].label, rank: RANKS.kind },
    { ...entityColumn(BILLING, 'customerDisplayName', customerOf), rank: 0 },
    {
      id: 'usedFor',
      header: 'Used For',
      value: usedForText,
      sortable: false,
      quiet: true,
      rank: RANKS.usedFor,
    },
    {
      id: 'state',
      header: 'State',
      kind: 'status',
      sortable: false,
      value: (row) => row.badge,
      render: (row) => <InvoiceBadge invoice={badgeOf(row)} />,
    },
    {
      id: 'remainingAmount',
      header: 'Remaining',
      kind: 'amount',
      width: '120px',
      value: (row) => row.remainingAmount,
      render: (row) => <Amount value={row.remainingAmount} zero="dash" />,
      total: 'sum',
    },
    // A credit memo and its refund would both count, so the amounts have no total.
    { id: 'amount', header: 'Amount', kind: 'amount', width: '120px', value: (row) => row.amount },
  ];
}

const phoneRow = (row: CreditRow): PhoneRow => ({
  title: row.customerDisplayName,
  amount: <Amount value={row.amount} />,
  detail: (
    <>
      {WORDS[row.kind].label} {row.number} · <DateText value={row.date} />
    </>
  ),
  aside: <InvoiceBadge invoice={badgeOf(row)} />,
});

const NEWEST_FIRST = { id: 'date', desc: true };

const EMPTY: Record<Name, { title: string; hint: string }> = {
  all: { title: 'No credits', hint: 'Credit an invoice from its panel, or add a credit memo without an invoice.' },
  remaining: { title: 'No remaining credit', hint: 'All credit memos are applied or refunded.' },
  memos: {
    title: 'No credit memos',
    hint: 'Credit an invoice from its panel, or add a credit memo without an invoice.',
  },
  writeoffs: {
    title: 'No write-offs',
    hint:
      "Write off a balance that a customer won't pay. Start from an invoice's panel, or select several invoices " +
      'here.',
  },
  refunds: { title: 'No refunds', hint: 'Refund a credit memo or an unapplied payment from its panel.' },
};

/** Credit memos, write-offs, and refunds in one list, newest first. Checked credit memos can be emailed. */
function Credits({ filter, manages, onEscape }: ListPlace) {
  const { name } = useName();
  const { value, error, retry } = useCredits(name);
  const creditmemo = useBeside(WORDS.creditmemo.key);
  const writeoff = useBeside(WORDS.writeoff.key);
  const refund = useBeside(WORDS.refund.key);
  const records = useMemo(() => ({ creditmemo, writeoff, refund }), [creditmemo, writeoff, refund]);
  const columns = useMemo(() => columnsOf(records), [records]);
  const sending = useSendSeveral(SENT_CREDITS);
  const selection = useSelection<CreditRow>({
    rows: value,
    columns,
    rowId,
    filter,
    words,
    actions: (rows, clear) => sending.button(rows.flatMap(sentRow), clear),
  });
  const open = KINDS.find((kind) => records[kind].id !== undefined);
  return (
    <>
      <DataTable<CreditRow>
        key={name}
        selection={manages ? selection : undefined}
        label="Credits"
        columns={columns}
        rows={value}
        rowId={rowId}
        onOpen={({ kind, id }) => records[kind].open(id)}
        onEscape={onEscape}
        selectedId={open && `${open} ${records[open].id}`}
        {...useAddressSort(NEWEST_FIRST)}
        filter={filter}
        error={error}
        onRetry={retry}
        empty={EMPTY[name]}
        count={(rows) => counted(rows, words)}
        phoneRow={phoneRow}
      />
      {sending.dialog}
    </>
  );
}

/** Returns a credit memo as a document to send. Write-offs and refunds aren't sent. */
function sentRow({ id, number, customerDisplayName, arBillingStatus }: CreditRow) {
  if (arBillingStatus === null) return [];
  return [{ id, invoiceNumber: number, customerDisplayName, arBillingStatus, daysOverdue: 0 }];
}

/** The tab for credit memos, write-offs, and refunds. */
export const CREDITS_TAB: BillingTab = {
  ...CREDIT_PART,
  label: 'Credits',
  search: 'Search Credits...',
  second: WRITE_OFF,
  more: [FINANCE_CHARGES],
  List: Credits,
  Filter: CreditChips,
};
