import type { FormYear } from '@evenkeel/contract/forms1099';
import { daysBetween, formatDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount } from '@evenkeel/core/money';
import { boxWords, shareOfThreshold } from '@evenkeel/core/taxes/forms1099';
import { Button } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import type { Read } from '../../client/api.ts';
import { endedTaxId } from '../../parts/entities/VendorTaxModal.tsx';
import { useManages } from '../../records/active.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { isKey, isTyped } from '../../ui/keys/keys.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { type FormRow, keyOf, type OpenForm, statusOf } from './forms1099.ts';

export interface FormsListProps {
  read: Read<FormYear>;
  open: OpenForm;
  onYear: (year: number) => void;
  onSettings: () => void;
  /** Requests Form W-9 from the vendor of the open row. */
  onRequest: (() => void) | undefined;
}

/** A year's 1099 forms with their amounts. */
export function FormsList({ read, open, onYear, onSettings, onRequest }: FormsListProps) {
  const { value, error } = read;
  const isManager = useManages('Manage Accounting');
  const onKeyDown = (event: KeyboardEvent) => {
    if (
      onRequest === undefined ||
      !isKey(event, 'request') ||
      isTyped(event.target instanceof HTMLElement ? event.target : null)
    )
      return;
    event.preventDefault();
    onRequest();
  };
  return (
    <div className="tx-forms" role="group" aria-label="Forms and amounts" onKeyDown={onKeyDown}>
      {value !== undefined && <Figures of={value} onYear={onYear} />}
      {value !== undefined && <Gaps of={value} onSettings={onSettings} />}
      <DataTable<FormRow>
        label="1099 Forms"
        columns={value?.rows.some(({ noBox }) => noBox !== 0) === true ? WITH_NO_BOX : COLUMNS}
        rows={value?.rows}
        rowId={keyOf}
        error={value === undefined ? error : undefined}
        onRetry={() => void read.retry()}
        onOpen={open.open}
        onEscape={open.key === undefined ? undefined : open.close}
        selectedId={open.key}
        count={(rows) => counted(rows, { one: 'form', many: 'forms' })}
        phoneRow={phoneRow}
        empty={{
          title: 'No payments to 1099 vendors',
          hint: 'Open a vendor, select 1099 Information, and track its payments.',
          action: isManager ? <Button onClick={onSettings}>Choose Boxes</Button> : undefined,
        }}
      />
      {value !== undefined && <p className="ek-second ek-small tx-foot">{footOf(value)}</p>}
    </div>
  );
}

/** Returns an explanation of the marks and amounts, and the source of the threshold. */
function footOf({ year, threshold, miscDueDate }: FormYear): string {
  const amount = formatAmount(threshold.amount);
  return [
    threshold.isStated
      ? `The mark is the threshold: ${amount} for payments in ${year} (${threshold.source}).`
      : `The threshold for ${year} isn't included yet. The mark is the latest one, ${amount} (${threshold.source}).`,
    ...(threshold.isStated ? [] : ['An administrator can add the threshold in Settings under Tax Rules.']),
    'Royalties and attorneys have lower thresholds.',
    "Payments by card and through payment networks aren't reported.",
    'If tax was withheld (box 4), a form is required even below the threshold.',
    `Forms 1099-MISC are due ${formatDate(miscDueDate)}.`,
  ].join(' ');
}

function Figures({ of, onYear }: { of: FormYear; onYear: (year: number) => void }) {
  const { figures, dueDate } = of;
  const days = daysBetween(useToday(), dueDate);
  const shown = [
    { label: 'Forms due', value: figures.due },
    { label: 'Ready', value: figures.ready },
    { label: 'Missing information', value: figures.missing, isBad: figures.missing > 0 },
    ...(figures.filed > 0 ? [{ label: 'Filed', value: figures.filed }] : []),
    { label: 'Below threshold', value: figures.below },
  ];
  return (
    <section className="tx-figures" aria-label="Forms">
      <Picker
        label="Payments in"
        value={of.year}
        options={of.years.map((year) => ({ id: year, label: String(year) }))}
        onChange={(year) => year !== null && onYear(year)}
      />
      {shown.map(({ label, value, isBad }) => (
        <div key={label}>
          <span className="ek-second ek-small">{label}</span>
          <span className="ek-num tx-figure" data-bad={isBad === true ? '' : undefined}>
            {value}
          </span>
        </div>
      ))}
      <div className="tx-due">
        <span className="ek-second ek-small">Due {formatDate(dueDate)}</span>
        <strong className="ek-small">{daysWords(days)}</strong>
      </div>
    </section>
  );
}

function daysWords(days: number): string {
  if (days === 0) return 'Due today';
  const words = counted(Math.abs(days), { one: 'day', many: 'days' });
  return days > 0 ? `${words} left` : `${words} ago`;
}

const PAYER_FACTS = { taxId: 'tax ID', address: 'address', phone: 'phone number' } as const;

/** Lists the missing facts of the company: boxes for accounts, and its own tax ID, address, and phone number. */
function Gaps({ of, onSettings }: { of: FormYear; onSettings: () => void }) {
  const isManager = useManages('Manage Accounting');
  const action = isManager ? { label: '1099 Settings', run: onSettings } : undefined;
  const missing = of.payerMissing.map((fact) => PAYER_FACTS[fact]);
  if (of.boxAccounts === 0) {
    return (
      <div className="tx-gap">
        <InlineAlert kind="Info" action={action}>
          No account has a 1099 box yet. Choose the accounts whose payments are reported.
        </InlineAlert>
      </div>
    );
  }
  if (missing.length === 0 || of.figures.due === 0) return null;
  return (
    <div className="tx-gap">
      <InlineAlert kind="Warning" action={missing.includes('tax ID') ? action : undefined}>
        {missingWords(missing)}
      </InlineAlert>
    </div>
  );
}

function missingWords(missing: readonly string[]): string {
  const [verb, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `Your company's ${missing.join(' and ')} ${verb} missing. Every form must show ${them}.`;
}

/** A bar that compares the amount with the threshold, which is in the middle. The bar ends at twice the threshold. */
function Level({ row }: { row: FormRow }) {
  const share = Math.min(2, shareOfThreshold(row));
  const [bar, isDue] = [Math.round(share * 30), row.status !== 'below' && row.status !== 'noBox'];
  return (
    <svg
      className="tx-level"
      viewBox="0 0 60 12"
      width="60"
      height="12"
      aria-hidden="true"
      data-due={isDue ? '' : undefined}
    >
      <rect className="tx-level-rest" x="0" y="4" width="60" height="4" />
      <rect className="tx-level-bar" x="0" y="4" width={bar} height="4" />
      <rect className="tx-level-mark" x="29.5" y="1" width="1.5" height="10" />
    </svg>
  );
}

const statusCell = (row: FormRow): ReactNode => {
  const { look, words } = statusOf(row);
  return <Status look={look}>{words}</Status>;
};
const boxesOf = ({ form, boxes, withheld }: FormRow): string =>
  boxes.length === 0 && withheld === 0
    ? ''
    : boxWords(
        form,
        boxes.map(({ box }) => box),
        withheld,
      );

/** Returns a column of payments that are not reported, shown as negative amounts. */
const less = (id: string, header: string, amountOf: (row: FormRow) => Cents): Column<FormRow> => ({
  id,
  header,
  kind: 'amount',
  width: '96px',
  value: (row) => cents(0 - amountOf(row)),
  render: (row) => <Amount value={cents(0 - amountOf(row))} zero="dash" />,
  total: 'sum',
});

const VENDOR: Column<FormRow> = { id: 'vendor', header: 'Vendor', value: (row) => row.vendorName, least: 172, rank: 0 };

const COLUMNS: readonly Column<FormRow>[] = [
  VENDOR,
  {
    id: 'taxId',
    header: 'Tax ID',
    width: '108px',
    value: (row) => row.taxIdEnd,
    render: ({ taxIdEnd }) =>
      taxIdEnd === '' ? (
        <strong className="tx-bad">Missing</strong>
      ) : (
        <span className="ek-num">{endedTaxId(taxIdEnd)}</span>
      ),
  },
  { id: 'box', header: 'Box', width: '78px', value: boxesOf },
  { id: 'paid', header: 'Paid', kind: 'amount', width: '98px', value: (row) => row.paid, total: 'sum' },
  less('byCard', 'By Card', ({ byCard }) => byCard),
  {
    id: 'reportable',
    header: 'Reportable',
    kind: 'amount',
    width: '102px',
    value: (row) => row.reportable,
    total: 'sum',
    rank: 0,
  },
  { id: 'level', header: 'Threshold', kind: 'action', width: '74px', render: (row) => <Level row={row} /> },
  {
    id: 'status',
    header: 'Status',
    kind: 'status',
    width: '126px',
    value: (row) => statusOf(row).words,
    render: statusCell,
    rank: 0,
  },
];

const NO_BOX: Column<FormRow> = { ...less('noBox', 'No Box', ({ noBox }) => noBox), rank: 9 };
const WITH_NO_BOX = [...COLUMNS.slice(0, 5), NO_BOX, ...COLUMNS.slice(5)];

const phoneRow = (row: FormRow) => ({
  title: row.vendorName,
  amount: <Amount value={row.reportable} />,
  detail: [boxesOf(row), row.taxIdEnd === '' ? 'no tax ID' : endedTaxId(row.taxIdEnd)].filter(Boolean).join(' · '),
  aside: statusCell(row),
});

/** The link to a vendor. */
export function VendorLink({ id, name }: { id: number; name: string }) {
  return <NameLink to={`/vendors?vendor=${id}`}>{name}</NameLink>;
}
