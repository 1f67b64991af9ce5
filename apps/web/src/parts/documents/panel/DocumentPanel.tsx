import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { PaidBy } from '@evenkeel/contract/subledger';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { DRAFT, paidSoFar, posts, VOID } from '@evenkeel/core/documents/invoice';
import { type Cents, cents, formatAmount, sum, ZERO } from '@evenkeel/core/money';
import { capital, REFUND } from '@evenkeel/core/documents/side';
import { discountLeft } from '@evenkeel/core/documents/terms';
import { NOTHING } from '@evenkeel/core/nothing';
import type { ReactNode } from 'react';
import { type Read, useRead } from '../../../client/api.ts';
import type { OpenRecord } from '../../../records/openRecord.ts';
import { useBeside } from '../beside.ts';
import { RecordPanel } from '../../../records/RecordPanel.tsx';
import { useOne } from '../../../records/records.ts';
import { useMay } from '../../../client/session.ts';
import type { FooterAction } from '../../../ui/overlay/FooterBar.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { ErrorState } from '../../../ui/show/EmptyState.tsx';
import { type Fact, Facts } from '../../../ui/show/Facts.tsx';
import { Figure } from '../../../ui/show/Figure.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { MiniTable } from '../../../ui/table/MiniTable.tsx';
import { attachmentsFormOf } from '../../attachments/attachmentForm.ts';
import { AttachedFiles } from '../../attachments/AttachmentList.tsx';
import { InvoiceBadge } from '../../badges.tsx';
import { type DocumentRow, EntityLink } from '../list/documentColumns.tsx';
import { DocumentTotals, type DocumentTotalsProps } from '../entry/DocumentTotals.tsx';
import { PanelTabs } from './PanelTabs.tsx';
import { type DocumentSide, entityOf, nounOf, type SettledDocument, titled } from '../side.ts';
import { type Saving, useDeletion, useVoiding } from './useDeletion.tsx';

/** The fields that the panel shows for every invoice or bill. */
type ShownDocument = SettledDocument &
  Pick<DocumentRow, 'badge' | 'daysOverdue'> & {
    invoiceNumber: string;
    invoiceDate: IsoDate;
    dueDate: IsoDate | null;
    invoiceAmount: Cents;
    lineItems: readonly { id: number; description: string; lineItemAmount: Cents }[];
    /** The early-payment discount and its expiration date. */
    discountPercent?: number | undefined;
    returnedAmount?: Cents | undefined;
    discountUntil?: IsoDate | undefined;
    /** The attachments. Omitted for a document type without attachments. */
    documentLinks?: readonly DocumentLink[];
  };

export interface DocumentPanelProps {
  id: number;
  onClose: () => void;
  /** Called when the user selects Open Billing Invoice or Open Expense Invoice. */
  onOpen: (invoiceId: number) => void;
  /** Opens a new document copied from this one. */
  onCopy?: ((id: number) => void) | undefined;
  /** Opens a payment for the document. */
  payment: OpenRecord;
}

interface Parts<One extends ShownDocument> extends DocumentPanelProps {
  side: DocumentSide<One>;
  /** The next action for the document, which is shown as the filled button. */
  primary?: FooterAction | undefined;
  /** The actions that print and send the document, which come first in the menu. */
  papers?: readonly FooterAction[];
  /** The other actions. The last one without `quiet` is shown as a button. */
  actions?: readonly FooterAction[];
  /** Returns the billing status. For a bill, the status depends on whether the bill was paid immediately. */
  statusOf: (one: One) => number;
  /** Voids the document. Omitted for a document type that can't be voided. */
  voiding?: Saving<One>;
  /** Returns the facts between Due Date and Paid so far. */
  facts: (one: One) => readonly Fact[];
  /** Returns the notes below a line's description. */
  lineNotes: (line: One['lineItems'][number]) => ReactNode;
  /** Returns the amount that a line adds to the document. Defaults to the line's amount. */
  lineAmount?: ((line: One['lineItems'][number]) => Cents) | undefined;
  /** Returns the totals that come before the document's total. */
  totals?: (one: One) => Omit<DocumentTotalsProps, 'total'> & { total?: Cents };
  /**
   * Returns the amount in the heading of a document that never has an open balance. In this case, its dates are shown
   * among the facts.
   */
  unowed?: (one: One) => { figure: Cents; note: string };
  /** Content after the totals. */
  more?: ReactNode;
  /** The document's emails, for a type of document that can be sent. */
  sending?: ReactNode;
  /** The error messages from the actions. */
  trouble?: ReactNode;
  /** Content at the end of the panel, for example the preview. */
  below?: ReactNode;
}

/** The read-only side panel of an invoice or bill. */
export function DocumentPanel<One extends ShownDocument>(props: Parts<One>) {
  const { side, id, onClose, onOpen, onCopy, payment, totals } = props;
  const read: Read<One> = useOne(side.documents, id);
  const manages = useMay()(side.manage);
  const nameOf = (one: ShownDocument) => `${titled(nounOf(side, one))} ${one.invoiceNumber}`;
  const what = read.value === undefined ? '' : `${nounOf(side, read.value)} ${read.value.invoiceNumber}`;
  const deletion = useDeletion(side.documents, { id, what, onDone: onClose });
  const voiding = useVoiding(props.voiding, what, read.value);
  const canVoid = manages && read.value !== undefined && isVoidable(read.value, props);
  const copy = manages && onCopy !== undefined ? [{ label: 'Copy', onClick: () => onCopy(id), isRare: true }] : [];
  const { papers = [], actions = [] } = props;
  return (
    <RecordPanel
      read={read}
      kind={titled(nounOf(side))}
      title={nameOf}
      beside={badgeOf}
      edit={manages ? { label: side.words.openDocument, onClick: () => onOpen(id) } : undefined}
      onClose={onClose}
      footer={{
        primary: props.primary,
        actions: [...papers, ...copy, ...actions, ...(canVoid ? [voiding.action] : [])],
        remove: manages ? deletion.action : undefined,
      }}
    >
      {(invoice) => (
        <>
          {deletion.trouble}
          {canVoid && voiding.trouble}
          {props.trouble}
          <Head invoice={invoice} {...props} />
          <PanelTabs
            label={nameOf(invoice)}
            source={{ type: side.core.document.source, id }}
            sending={props.sending}
            posts={props.unowed === undefined}
          >
            <Facts facts={factsOf(invoice, props)} />
            <Lines invoice={invoice} lineNotes={props.lineNotes} lineAmount={props.lineAmount} />
            <DocumentTotals total={invoice.invoiceAmount} {...totals?.(invoice)} />
            {props.more}
            <AttachedFiles links={attachmentsFormOf(invoice.documentLinks)} />
            {paidOf(invoice, props) !== 0 && <Payments side={side} documentId={id} payment={payment} />}
          </PanelTabs>
          {props.below}
        </>
      )}
    </RecordPanel>
  );
}

function Head<One extends ShownDocument>({ invoice, unowed, statusOf }: Parts<One> & { invoice: One }) {
  const { figure, note } = unowed?.(invoice) ?? {
    figure: invoice.openAmount,
    note: unpaidNote(invoice, statusOf(invoice)),
  };
  return (
    <Figure note={note}>
      <Amount value={figure} sign />
    </Figure>
  );
}

const badgeOf = (invoice: ShownDocument) => <InvoiceBadge invoice={invoice} isSplit />;

function paidOf<One extends ShownDocument>(one: One, { statusOf }: Pick<Parts<One>, 'statusOf'>): Cents {
  return paidSoFar({ ...one, status: statusOf(one) });
}

/** The server rejects voiding a document that has payments, so the action is hidden. */
function isVoidable<One extends ShownDocument>(one: One, parts: Parts<One>): boolean {
  return parts.voiding !== undefined && parts.statusOf(one) !== VOID && paidOf(one, parts) === 0;
}

function unpaidNote(invoice: ShownDocument, status: number): string {
  const { openAmount, dueDate } = invoice;
  if (!posts(status)) return `${status === DRAFT ? 'draft' : 'void'}, nothing owed`;
  if (openAmount === 0 && paidSoFar({ ...invoice, status }) !== 0) {
    return invoice.invoiceAmount < 0 ? 'applied in full' : 'paid in full';
  }
  if (openAmount < 0) return 'remaining to apply';
  return dueDate === null ? 'unpaid' : `unpaid, due ${formatDate(dueDate)}`;
}

function factsOf<One extends ShownDocument>(invoice: One, { side, facts, statusOf, unowed }: Parts<One>): Fact[] {
  const { invoiceDate, dueDate } = invoice;
  const isCredit = invoice.invoiceAmount < 0;
  const entity = { label: capital(side.core.words.entity), value: <EntityLink side={side} {...entityOf(invoice)} /> };
  if (unowed !== undefined) return [entity, ...facts(invoice)];
  return [
    entity,
    { label: isCredit ? 'Credit Date' : 'Invoice Date', value: <DateText value={invoiceDate} /> },
    ...(isCredit ? [] : [{ label: 'Due Date', value: dueDate === null ? NOTHING : <DateText value={dueDate} /> }]),
    ...discountFact(invoice),
    ...facts(invoice),
    {
      label: isCredit ? 'Applied so far' : 'Paid so far',
      value: <Amount value={paidOf(invoice, { statusOf })} zero="dash" />,
    },
  ];
}

/**
 * Returns "2% off until 12/6/2026: 24.00" while the discount is available, and afterward the discount that was taken.
 */
function discountFact({ discountPercent, discountUntil, ...invoice }: ShownDocument): Fact[] {
  if (discountPercent === undefined || discountUntil === undefined || invoice.invoiceAmount <= 0) return [];
  const total = cents(invoice.invoiceAmount - (invoice.returnedAmount ?? 0));
  const amount = discountLeft(discountPercent, { total, taken: ZERO, unpaid: total });
  const words = `${discountPercent}% off until ${formatDate(discountUntil)}: ${formatAmount(amount)}`;
  return [{ label: 'Discount', value: words }];
}

interface LinesProps<One extends ShownDocument> extends Pick<Parts<One>, 'lineNotes'> {
  invoice: One;
  lineAmount: Parts<One>['lineAmount'];
}

function Lines<One extends ShownDocument>({ invoice, lineNotes, lineAmount }: LinesProps<One>) {
  return (
    <MiniTable<One['lineItems'][number]>
      columns={[
        {
          header: 'Line items',
          render: (line) => (
            <>
              {line.description}
              {lineNotes(line)}
            </>
          ),
        },
        {
          header: 'Amount',
          right: true,
          render: (line) => <Amount value={lineAmount?.(line) ?? line.lineItemAmount} />,
        },
      ]}
      rows={invoice.lineItems}
      keyOf={(line) => line.id}
    />
  );
}

interface PaymentsProps {
  side: DocumentSide;
  documentId: number;
  payment: OpenRecord;
}

const DISCOUNT = {
  header: 'Discount',
  right: true,
  render: ({ discountAmount = ZERO }: PaidBy) => <Amount value={discountAmount} zero="dash" />,
};

/**
 * Returns the name of a payment, refund, or write-off. For an applied credit, returns the names of the documents on its
 * other side.
 */
function paidByName({ writeOff, against, isRefund, paymentNumber }: PaidBy): string {
  if (writeOff !== null) return `Write-off ${writeOff.number}`;
  if (against !== undefined) return against.join(', ');
  return `${isRefund ? REFUND : 'Payment'} ${paymentNumber}`;
}

/** The document's payments with the applied amounts. The user can open and remove payments here. */
function Payments({ side, documentId, payment }: PaymentsProps) {
  const { value: rows = [], error, retry } = useRead(side.paidBy(documentId));
  const writtenOff = useBeside('writtenoff');
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (rows.length === 0) return null;
  const discounts = rows.map(({ discountAmount = ZERO }) => discountAmount);
  const applied = sum([...rows.map(({ amount }) => amount), ...discounts]);
  const ofDiscounts = discounts.some((amount) => amount !== 0) ? [DISCOUNT] : [];
  return (
    <MiniTable<PaidBy>
      label="Payments"
      columns={[
        {
          header: 'Payments',
          render: (row) => (
            <NameLink {...(row.writeOff === null ? payment.link(row.id) : writtenOff.link(row.writeOff.id))}>
              {paidByName(row)}
            </NameLink>
          ),
        },
        { header: 'Date', className: 'ek-muted', render: (row) => <DateText value={row.paymentDate} /> },
        ...ofDiscounts,
        { header: 'Applied', right: true, render: (row) => <Amount value={row.amount} /> },
      ]}
      rows={rows}
      keyOf={(row) => row.id}
      total={{ label: applied < 0 ? 'Applied so far' : 'Paid so far', value: <Amount value={applied} /> }}
    />
  );
}
