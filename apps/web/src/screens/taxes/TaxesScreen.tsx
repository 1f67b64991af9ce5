import './taxes.css';
import { type TaxDueList, taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { formatDate } from '@evenkeel/core/dates';
import { filingFrequencies } from '@evenkeel/core/documents/salestax';
import { type Cents, cents, formatAmount, ZERO } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { useManages } from '../../records/active.tsx';
import { useAddressChoice, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { LoadedModal } from '../../records/RecordModal.tsx';
import { oneOf } from '../../records/records.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { Page, type PageTabs } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { EmptyState, ErrorState } from '../../ui/show/EmptyState.tsx';
import { Status, type StatusLook } from '../../ui/show/Status.tsx';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import { AgencyModal } from './AgencyModal.tsx';
import { PaymentModal } from './PaymentModal.tsx';
import { FiledModal } from './FiledModal.tsx';
import { PrepareModal } from './PrepareModal.tsx';
import { useForms } from './useForms.tsx';

const DUE = ask(taxReturnCalls.taxDueList, {});
const TOLD = { alert: 'Error Loading Taxes' };

type Group = TaxDueList['agencies'][number];
type Period = Group['periods'][number];

const TABS = ['salestax', 'forms'] as const;
const LABELS = { salestax: 'Sales Tax', forms: '1099 Forms' } as const;

type Tabs = PageTabs<(typeof TABS)[number]>;

/** Every agency's sales tax returns, the amounts that make up the liability, and the 1099 forms. */
export function TaxesScreen() {
  const place = usePlace();
  const [tab] = useAddressChoice('tab', TABS);
  useFocusOnTab(tab);
  const tabs: Tabs = {
    tabs: TABS.map((value) => ({ value, label: LABELS[value] })),
    value: tab,
    onChange: (next) =>
      place.go({ tab: next === 'salestax' ? undefined : next, nec: undefined, misc: undefined }, { step: [] }),
  };
  return tab === 'forms' ? <Forms tabs={tabs} /> : <SalesTax tabs={tabs} />;
}

/**
 * Each tab has its own page, so the focus moves to the tab of the new page after the user selects it with the keyboard.
 */
function useFocusOnTab(tab: string): void {
  const before = useRef(tab);
  useEffect(() => {
    if (before.current === tab) return;
    before.current = tab;
    const selected = document.querySelector('[role="tab"][aria-selected="true"]');
    if (document.activeElement === document.body && selected instanceof HTMLElement) selected.focus();
  }, [tab]);
}

function Forms({ tabs }: { tabs: Tabs }) {
  const { page, list, dialogs } = useForms();
  return (
    <Page title="Taxes" tabs={tabs} {...page}>
      {list}
      {dialogs}
    </Page>
  );
}

/** Every agency's sales tax returns with their due dates, and the amounts that make up the sales tax liability. */
function SalesTax({ tabs }: { tabs: Tabs }) {
  const read = useRead(DUE, { ...TOLD, isFresh: true });
  const agency = useOpenRecord('agency');
  const manages = useManages('Manage Accounting');
  const add = { label: 'Add Agency', onClick: () => agency.open(0) };
  const { value } = read;
  const found = (id: number) =>
    oneOf({ ...read, value: value?.agencies.map((group) => group.agency) }, (each) => each.id === id);
  return (
    <Page title="Taxes" tabs={tabs} primary={manages ? add : undefined} scroll>
      <div className="ek-page-pad ek-stack">
        {read.error !== undefined && value === undefined && (
          <ErrorState message={read.error} onRetry={() => void read.retry()} />
        )}
        {read.isLoading && <p role="status">Loading...</p>}
        {value?.agencies.length === 0 && (
          <EmptyState title="No agencies yet" hint="Add an agency to see its returns and due dates." />
        )}
        {value !== undefined && value.agencies.length > 0 && <Liability parts={value.liability} />}
        {value?.agencies.map((group) => (
          <Agency key={group.agency.id} group={group} manages={manages} onEdit={() => agency.open(group.agency.id)} />
        ))}
      </div>
      {agency.id !== undefined && (
        <LoadedModal id={agency.id} read={found(agency.id)} title="Agency" onClose={agency.close}>
          {(one) => <AgencyModal agency={one} onClose={agency.close} />}
        </LoadedModal>
      )}
      <Opened agencies={value?.agencies} />
    </Page>
  );
}

/** The dialogs for returns and payments that the URL opens. */
function Opened({ agencies }: { agencies: readonly Group[] | undefined }) {
  const prepare = useOpenRecord('prepare', { hasNew: false });
  const amend = useOpenRecord('amend', { hasNew: false, other: 'return' });
  const filed = useOpenRecord('return', { hasNew: false });
  const pay = useOpenRecord('pay', { hasNew: false, other: 'return' });
  const prepay = useOpenRecord('prepay', { hasNew: false, other: 'prepare' });
  const due = agencies?.flatMap(({ agency, periods }) => periods.map((period) => ({ agency, period })));
  const payable = due?.find(({ period }) => period.returnId === pay.id && period.returnId !== null);
  const payableOf = ({ agency, period }: NonNullable<typeof payable>, unpaid: Cents | null) => ({
    agencyId: agency.id,
    name: `${agency.name}, ${period.name}`,
    to: period.to,
    unpaid,
  });
  const early = due?.findLast(({ agency, period }) => agency.id === prepay.id && period.returnId === null);
  return (
    <>
      {prepare.id !== undefined && (
        <Prepare agencyId={prepare.id} amends={false} onPrepay={prepay.open} onClose={prepare.close} />
      )}
      {amend.id !== undefined && <Prepare agencyId={amend.id} amends onPrepay={prepay.open} onClose={amend.close} />}
      {filed.id !== undefined && <Filed id={filed.id} onAmend={amend.open} onPay={pay.open} onClose={filed.close} />}
      {pay.id !== undefined && payable !== undefined && (
        <PaymentModal
          payable={payableOf(payable, cents((payable.period.netDue ?? ZERO) - payable.period.paid))}
          onClose={pay.close}
        />
      )}
      {prepay.id !== undefined && early !== undefined && (
        <PaymentModal payable={payableOf(early, null)} onClose={prepay.close} />
      )}
    </>
  );
}

interface PrepareProps {
  agencyId: number;
  amends: boolean;
  onPrepay: (agencyId: number) => void;
  onClose: () => void;
}

function Prepare({ agencyId, amends, onPrepay, onClose }: PrepareProps) {
  const query = amends ? { amends: 'true' as const } : {};
  const read = useRead(ask(taxReturnCalls.prepareTaxReturn, { params: { id: agencyId }, query }), {
    alert: 'Error Loading Return',
    isFresh: true,
  });
  return (
    <LoadedModal read={read} title="Sales Tax Return" size="lg" onClose={onClose}>
      {(one) =>
        one !== undefined && (
          <PrepareModal key={one.to} prepared={one} onPrepay={() => onPrepay(agencyId)} onClose={onClose} />
        )
      }
    </LoadedModal>
  );
}

interface FiledProps {
  id: number;
  onAmend: (agencyId: number) => void;
  onPay: (id: number) => void;
  onClose: () => void;
}

function Filed({ id, onAmend, onPay, onClose }: FiledProps) {
  const read = useRead(ask(taxReturnCalls.getTaxReturn, { params: { id } }), { alert: 'Error Loading Return' });
  return (
    <LoadedModal read={read} title="Sales Tax Return" size="lg" onClose={onClose}>
      {(one) =>
        one !== undefined && (
          <FiledModal filed={one} onAmend={() => onAmend(one.agencyId)} onPay={() => onPay(id)} onClose={onClose} />
        )
      }
    </LoadedModal>
  );
}

/** The amounts that add up to the balance of the liability account. */
function Liability({ parts }: { parts: TaxDueList['liability'] }) {
  const shown = [
    { label: 'To file', value: parts.unfiled, isAlways: true },
    { label: 'Filed and unpaid', value: parts.unpaid, isAlways: true },
    { label: 'Prepayments and credits', value: parts.credits, isAlways: true },
    { label: 'On unpaid invoices', value: parts.uncollected },
    { label: 'Other entries', value: parts.other },
  ].filter(({ value, isAlways }) => isAlways === true || value !== 0);
  return (
    <section className="tx-parts" aria-label="Sales tax liability">
      {shown.map(({ label, value }, at) => (
        <div key={label}>
          <span className="ek-second ek-small">{`${at === 0 ? '' : '+ '}${label}`}</span>
          <span className="ek-num tx-figure">
            <Amount value={value} />
          </span>
        </div>
      ))}
      <div>
        <span className="ek-second ek-small">= Sales tax payable</span>
        <span className="ek-num tx-figure">
          <Amount value={parts.balance} />
        </span>
      </div>
      {parts.difference === 0 ? (
        <Status look="done">Agrees with the ledger</Status>
      ) : (
        <Status look="wrong">{`${formatAmount(parts.difference)} apart`}</Status>
      )}
    </section>
  );
}

function Agency({ group, manages, onEdit }: { group: Group; manages: boolean; onEdit: () => void }) {
  const { agency, periods } = group;
  const narrow = useNarrow();
  const prepare = useOpenRecord('prepare', { hasNew: false });
  const filed = useOpenRecord('return', { hasNew: false });
  const pay = useOpenRecord('pay', { hasNew: false });
  const next = periods.findLast(({ returnId }) => returnId === null);
  const terms = [
    filingFrequencies.find(({ id }) => id === agency.frequency)?.displayName ?? '',
    agency.basis === 'accrual' ? 'accrual basis' : 'cash basis',
  ].join(', ');
  const actionOf = (period: Period) => {
    const { returnId, status, to } = period;
    if (returnId !== null && status === 'unpaid' && manages)
      return { label: 'Record Payment', onClick: () => pay.open(returnId) };
    if (returnId !== null) return { label: 'View', onClick: () => filed.open(returnId) };
    if (status === 'open' || to !== next?.to) return undefined;
    return { label: status === 'zero' ? 'File Zero Return' : 'Prepare', onClick: () => prepare.open(agency.id) };
  };
  const nameOf = ({ returnId, name, to }: Period) =>
    returnId === null && to !== next?.to ? (
      name
    ) : (
      <button
        type="button"
        className="ek-link"
        onClick={() => (returnId === null ? prepare.open(agency.id) : filed.open(returnId))}
      >
        {name}
      </button>
    );
  const statusOf = (period: Period) => <Status look={lookOf(period)}>{statusWords(period)}</Status>;
  const netDueOf = ({ netDue }: Period) =>
    netDue === null ? <span className="ek-muted">{NOTHING}</span> : <Amount value={netDue} />;
  const stepOf = (period: Period) => {
    const action = actionOf(period);
    return (
      action !== undefined && (
        <Button variant="default" size="xs" onClick={action.onClick} aria-label={`${action.label}, ${period.name}`}>
          {action.label}
        </Button>
      )
    );
  };
  const wide: MiniColumn<Period>[] = [
    { header: 'Period', render: nameOf },
    { header: 'Due Date', render: ({ dueDate }) => (dueDate === null ? NOTHING : formatDate(dueDate)) },
    { header: 'Taxable Sales', right: true, render: ({ taxable }) => <Amount value={taxable} /> },
    { header: 'Tax', right: true, render: ({ tax }) => <Amount value={tax} /> },
    { header: 'Net Due', right: true, render: netDueOf },
    { header: 'Status', render: statusOf },
    { header: 'Next Step', isHeaderHidden: true, right: true, render: stepOf },
  ];
  const small: MiniColumn<Period>[] = [
    {
      header: 'Period',
      render: (period) => (
        <div className="tx-cell">
          {nameOf(period)}
          <span className="ek-second ek-small">
            {period.dueDate === null ? 'No due date' : `Due ${formatDate(period.dueDate)}`}
          </span>
          {statusOf(period)}
        </div>
      ),
    },
    {
      header: 'Net Due',
      right: true,
      render: (period) => (
        <div className="tx-cell">
          {netDueOf(period)}
          {stepOf(period)}
        </div>
      ),
    },
  ];
  return (
    <section aria-label={agency.name}>
      <div className="tx-agency">
        <h2>{agency.name}</h2>
        <span className="ek-second ek-small">{terms}</span>
        <Button variant="subtle" size="xs" onClick={onEdit} aria-label={`Edit ${agency.name}`}>
          Edit
        </Button>
      </div>
      <MiniTable
        label={`Returns for ${agency.name}`}
        columns={narrow ? small : wide}
        rows={periods}
        keyOf={({ to }) => to}
      />
    </section>
  );
}

function lookOf({ status, isOverdue }: Period): StatusLook {
  if (isOverdue) return 'late';
  return status === 'paid' ? 'done' : status === 'unpaid' ? 'partial' : 'open';
}

const WORDS: Record<Period['status'], string> = {
  open: 'Not ended',
  prepare: 'To prepare',
  zero: 'Zero return',
  unpaid: 'Not paid',
  paid: 'Paid',
};

function statusWords({ status, isOverdue }: Period): string {
  return isOverdue && status !== 'unpaid' ? 'Overdue' : WORDS[status];
}
