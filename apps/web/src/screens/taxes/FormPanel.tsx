import { type FormPayment, formCalls, type FormYear } from '@evenkeel/contract/forms1099';
import { formatDate } from '@evenkeel/core/dates';
import { cents, formatAmount, formatUsd, sum } from '@evenkeel/core/money';
import { boxOf } from '@evenkeel/core/taxes/forms1099';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { recordAddress } from '../../parts/ledger/places.ts';
import { useManages } from '../../records/active.tsx';
import type { BarAction } from '../../ui/overlay/ActionBar.tsx';
import { SidePanel } from '../../ui/overlay/SidePanel.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Facts as FactList } from '../../ui/show/Facts.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { counted } from '../../ui/show/words.ts';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { consentWords, copyWords, useDeliveryActions } from './delivery.ts';
import { type FormRow, titleOf } from './forms1099.ts';
import { VendorLink } from './FormsList.tsx';

export interface FormPanelProps {
  row: FormRow;
  of: FormYear;
  /**
   * The dates when Form W-9 was requested and received. A date is null if it isn't set, and undefined if it could not
   * be loaded.
   */
  w9: { requested: string | null; received: string | null | undefined } | undefined;
  onEdit: () => void;
  onRequest: (() => void) | undefined;
  onFile: () => void;
  onFiled: (id: number) => void;
  onBoxes: () => void;
  onClose: () => void;
}

/** One vendor's form: its missing facts with the actions that add them, and the payments. */
export function FormPanel(props: FormPanelProps) {
  const { row, of, onFile, onFiled, onClose } = props;
  const { vendorId, vendorName, form, status, filed } = row;
  const manages = useManages('Manage Accounting');
  const canFile = manages && (status === 'ready' || status === 'changed') && of.payerMissing.length === 0;
  const delivering = useDeliveryActions(row, of.year);
  const actions: BarAction[] = [
    ...delivering,
    ...(filed === null ? [] : [{ label: 'View Filed Form', onClick: () => onFiled(filed.id) }]),
  ];
  const primary = { label: status === 'changed' ? 'File Correction' : 'Mark as Filed', onClick: onFile };
  return (
    <SidePanel
      title={<VendorLink id={vendorId} name={vendorName} />}
      note={noteOf(row)}
      onClose={onClose}
      footer={canFile || actions.length > 0 ? { actions, primary: canFile ? primary : undefined } : undefined}
    >
      <div className="ek-stack">
        <div>
          <p className="tx-amount ek-num">{formatUsd(row.reportable)}</p>
          <p className="ek-second ek-small tx-for">{paidWords(row)}</p>
        </div>
        {props.w9 === undefined ? (
          <p role="status">Loading...</p>
        ) : (
          <>
            <Facts {...props} />
            <ElectronicCopy row={row} />
            <Payments vendorId={vendorId} year={of.year} row={row} key={`${vendorId} ${form} ${of.year}`} />
          </>
        )}
      </div>
    </SidePanel>
  );
}

function noteOf({ form, boxes }: FormRow): string {
  const numbers = boxes.map(({ box }) => boxOf(box).number);
  if (numbers.length === 0) return titleOf(form);
  return `${titleOf(form)}, ${numbers.length === 1 ? 'box' : 'boxes'} ${numbers.join(', ')}`;
}

function paidWords({ paid, byCard, noBox, withheld }: FormRow): string {
  const less = [
    ...(byCard === 0 ? [] : [`${formatAmount(byCard)} by card`]),
    ...(noBox === 0 ? [] : [`${formatAmount(noBox)} in accounts without a box`]),
  ];
  const rest = less.length === 0 ? '' : ` less ${less.join(' and ')}`;
  const tax = withheld === 0 ? '' : `. ${formatAmount(withheld)} was withheld (box 4)`;
  return `${formatAmount(paid)} paid${rest}${tax}`;
}

/** The vendor's consent to electronic copies, and the delivery of the last copy. */
function ElectronicCopy({ row }: { row: FormRow }) {
  return (
    <section aria-label="Recipient copy">
      <h3 className="tx-head">Recipient copy</h3>
      <FactList
        facts={[
          { label: 'Electronic Delivery', value: consentWords(row) },
          { label: 'Copy B', value: copyWords(row) },
        ]}
      />
    </section>
  );
}

interface Fact {
  key: string;
  label: string;
  isMissing: boolean;
  note?: string;
  action?: ReactNode;
}

/** The facts that the form needs. Next to each missing fact is the action that adds it. */
function Facts({ row, of, w9, onEdit, onRequest, onBoxes }: FormPanelProps) {
  const { vendorId, missing, status } = row;
  const manages = useManages('Manage Vendors');
  const booksManager = useManages('Manage Accounting');
  const edit = (label: string) =>
    manages ? (
      <Button variant="default" size="xs" onClick={onEdit}>
        {label}
      </Button>
    ) : undefined;
  const requested = w9?.requested ?? null;
  const facts: Fact[] = [
    {
      key: 'taxId',
      label: 'Tax ID',
      isMissing: missing.includes('taxId'),
      note:
        requested === null
          ? `Until the W-9 arrives, withhold ${of.withholdingPercent}% of each payment (IRC 3406)`
          : `W-9 requested ${requested}, no reply`,
      action: (
        <>
          {edit('Enter')}
          {onRequest !== undefined && (
            <Button size="xs" onClick={onRequest}>
              Request W-9
            </Button>
          )}
        </>
      ),
    },
    {
      key: 'classification',
      label: 'Person or business',
      isMissing: missing.includes('classification'),
      note: 'The tax classification on Form W-9',
      action: edit('Choose'),
    },
    {
      key: 'address',
      label: 'Name and address',
      isMissing: missing.includes('address'),
      note: 'Street, city, state, and ZIP code in the United States',
      action: manages ? (
        <Button component={Link} variant="default" size="xs" to={`/vendors?vendor=${vendorId}&edit=${vendorId}`}>
          Edit Vendor
        </Button>
      ) : undefined,
    },
    ...(w9?.received !== null
      ? []
      : [{ key: 'w9', label: 'W-9 date', isMissing: true, note: 'Set when the W-9 arrives', action: edit('Set') }]),
    ...(status === 'noBox' || row.noBox !== 0
      ? [
          {
            key: 'box',
            label: 'Boxes',
            isMissing: true,
            note: `${formatAmount(row.noBox)} was posted to accounts without a box`,
            action: booksManager ? (
              <Button variant="default" size="xs" onClick={onBoxes}>
                Choose Boxes
              </Button>
            ) : undefined,
          },
        ]
      : []),
  ];
  const sorted = facts.toSorted((a, b) => Number(b.isMissing) - Number(a.isMissing));
  return (
    <section aria-label="Information">
      <h3 className="tx-head">{facts.some(({ isMissing }) => isMissing) ? 'Missing information' : 'Information'}</h3>
      <ul className="tx-facts">
        {sorted.map(({ key, label, isMissing, note, action }) => (
          <li key={key} data-missing={isMissing ? '' : undefined}>
            {isMissing ? <IconAlertTriangle {...ICON_SMALL} /> : <IconCheck {...ICON_SMALL} />}
            <div>
              <span className="ek-vh">{isMissing ? 'Missing: ' : 'Complete: '}</span>
              {label}
              {isMissing && <span className="ek-second ek-small tx-note">{note}</span>}
            </div>
            {isMissing && <div className="tx-fix">{action}</div>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const REASONS = {
  card: 'by card',
  network: 'through a payment network',
  noBox: 'no box',
  nothing: 'no money moved',
} as const;

/** The year's payments. Payments that don't count are struck through. */
function Payments({ vendorId, year, row }: { vendorId: number; year: number; row: FormRow }) {
  const read = useRead(ask(formCalls.listFormPayments, { params: { id: vendorId }, query: { year } }), {
    isFresh: true,
    alert: 'Error Loading Payments',
  });
  const { value, error } = read;
  const shown = value?.payments.filter(({ box }) => box === null || boxOf(box).form === row.form) ?? [];
  const isOut = ({ reason }: FormPayment) => reason !== null;
  return (
    <section aria-label={`Payments in ${year}`}>
      <h3 className="tx-head">Payments in {year}</h3>
      {error !== undefined && <ErrorState message={error} onRetry={() => void read.retry()} />}
      {read.isLoading && <p role="status">Loading...</p>}
      {value !== undefined && (
        <MiniTable<FormPayment & { key: number }>
          label={`Payments in ${year}`}
          rows={shown.map((payment, key) => ({ ...payment, key }))}
          keyOf={({ key }) => key}
          columns={[
            { header: 'Date', className: 'tx-day', render: ({ date }) => formatDate(date) },
            { header: 'Payment', render: (payment) => <PaymentName payment={payment} /> },
            {
              header: 'Amount',
              right: true,
              render: (payment) => {
                const amount = <Amount value={payment.isWithheld ? cents(-payment.amount) : payment.amount} />;
                return isOut(payment) ? <s className="ek-muted">{amount}</s> : amount;
              },
            },
          ]}
          total={{
            label: 'Reportable',
            value: (
              <Amount
                value={sum(shown.filter((each) => !isOut(each) && !each.isWithheld).map((each) => each.amount))}
              />
            ),
          }}
        />
      )}
      {value !== undefined && value.more > 0 && (
        <p className="ek-second ek-small">{counted(value.more, { one: 'more payment', many: 'more payments' })}</p>
      )}
    </section>
  );
}

function PaymentName({ payment }: { payment: FormPayment }) {
  const { kind, id, label, accountName, reason, isWithheld } = payment;
  const to = recordAddress(kind, id);
  const note = [accountName, reason === null ? '' : REASONS[reason], isWithheld ? 'withheld tax, box 4' : '']
    .filter(Boolean)
    .join(', ');
  return (
    <>
      {to === undefined ? label : <NameLink to={to}>{label}</NameLink>}
      <span className="ek-second ek-small tx-note">{note}</span>
    </>
  );
}
