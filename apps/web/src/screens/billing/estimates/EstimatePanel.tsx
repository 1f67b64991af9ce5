import {
  type BillingEstimate,
  estimateCalls,
  estimateDocumentCalls,
  type MadeInvoice,
} from '@evenkeel/contract/estimates';
import { formatDate } from '@evenkeel/core/dates';
import {
  ACCEPTED,
  DECLINED,
  ESTIMATE_DRAFT,
  ESTIMATE_SENT,
  estimateSendingFault,
  invoicingFault,
} from '@evenkeel/core/documents/estimate';
import { documentKinds } from '@evenkeel/core/documents/side';
import { NOTHING } from '@evenkeel/core/nothing';
import { ask, useRead } from '../../../client/api.ts';
import { useMay } from '../../../client/session.ts';
import { useBeside } from '../../../parts/documents/beside.ts';
import { DocumentPanel, type DocumentPanelProps } from '../../../parts/documents/panel/DocumentPanel.tsx';
import { useSaving } from '../../../parts/documents/panel/useDeletion.tsx';
import { useSentDocument } from '../../../parts/sending/useSentDocument.tsx';
import { type OpenRecord, useOpenRecord } from '../../../records/openRecord.ts';
import { useOne } from '../../../records/records.ts';
import type { FooterAction } from '../../../ui/overlay/FooterBar.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { ErrorState } from '../../../ui/show/EmptyState.tsx';
import { MomentText } from '../../../ui/show/MomentText.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { MiniTable } from '../../../ui/table/MiniTable.tsx';
import { lineNotes, totalsOf } from '../invoices/InvoicePanel.tsx';
import { ESTIMATE_ENTRY } from './estimateForm.ts';
import { ESTIMATE_SIDE, ESTIMATES } from './records.ts';

const SENT = { kind: documentKinds.estimate, calls: estimateDocumentCalls };

/** The read-only side panel of an estimate. */
export function EstimatePanel(props: DocumentPanelProps) {
  const { id } = props;
  const { value } = useOne(ESTIMATES, id);
  const manages = useMay()('Manage Billing');
  const invoicing = useOpenRecord('invoiceof', { hasNew: false });
  const invoice = useBeside(documentKinds.invoice.screen.key);
  const { preview, send, ...sent } = useSentDocument(SENT, {
    id,
    number: value?.invoiceNumber,
    isSendable: value !== undefined && estimateSendingFault(value.arBillingStatus) === '',
    isSent: value !== undefined && value.arBillingStatus !== ESTIMATE_DRAFT,
  });
  const answers = useAnswers(value);
  const isInvoiceable =
    value !== undefined && manages && value.lineItems.length > 0 && invoicingFault(value.arBillingStatus) === undefined;
  return (
    <DocumentPanel<BillingEstimate>
      {...props}
      {...sent}
      side={ESTIMATE_SIDE}
      {...nextSteps({
        estimate: value,
        preview,
        send,
        invoice: isInvoiceable ? { label: 'Create Invoice', onClick: () => invoicing.open(id) } : undefined,
        answers: answers.actions,
      })}
      trouble={answers.trouble}
      statusOf={(estimate) => estimate.arBillingStatus}
      unowed={({ invoiceAmount, badge, dueDate }) => ({
        figure: invoiceAmount,
        note: badge === 'Sent' && dueDate !== null ? `until ${formatDate(dueDate)}` : '',
      })}
      facts={factsOf}
      lineNotes={notesOf}
      totals={totalsOf}
      more={<Invoices id={id} invoice={invoice} />}
    />
  );
}

interface StepsInput {
  estimate: BillingEstimate | undefined;
  preview: FooterAction;
  send: FooterAction | undefined;
  invoice: FooterAction | undefined;
  answers: readonly FooterAction[];
}

/**
 * Returns the actions in the footer. An estimate is sent first, and can be invoiced after it has been sent or accepted.
 */
function nextSteps({ estimate, preview, send, invoice, answers }: StepsInput) {
  const isNew = estimate?.arBillingStatus === ESTIMATE_DRAFT && send !== undefined;
  const primary = isNew ? send : invoice;
  const others = [send, invoice].filter((action) => action !== undefined && action !== primary);
  return { papers: [preview], primary, actions: [...answers, ...others.filter((action) => action !== undefined)] };
}

/** Records a customer's response that was given by phone or in person. */
function useAnswers(estimate: BillingEstimate | undefined) {
  const manages = useMay()('Manage Billing');
  const what = `estimate ${estimate?.invoiceNumber ?? ''}`;
  const accepting = useSaving(accepted, { what, done: 'accepted', one: estimate });
  const declining = useSaving(declined, { what, done: 'declined', one: estimate });
  const isPending = manages && estimate?.arBillingStatus === ESTIMATE_SENT;
  const accept = { label: 'Mark as Accepted', onClick: () => void accepting.run(), quiet: true, divided: true };
  const decline = { label: 'Mark as Declined', onClick: () => void declining.run(), quiet: true };
  return {
    actions: isPending ? [accept, decline] : [],
    trouble: (
      <>
        {accepting.trouble}
        {declining.trouble}
      </>
    ),
  };
}

const accepted = ESTIMATE_ENTRY.saving({ status: ACCEPTED });
const declined = ESTIMATE_ENTRY.saving({ status: DECLINED });

function factsOf({ invoiceDate, dueDate, answeredBy, answerNote, answeredAt, badge, note }: BillingEstimate) {
  const answer = badge === 'Declined' ? 'Declined by' : 'Accepted by';
  return [
    { label: 'Estimate Date', value: <DateText value={invoiceDate} /> },
    { label: 'Expiration Date', value: dueDate === null ? NOTHING : <DateText value={dueDate} /> },
    ...(answeredAt === null
      ? []
      : [
          { label: answer, value: answeredBy },
          { label: 'At', value: <MomentText value={answeredAt} /> },
          ...(answerNote === '' ? [] : [{ label: 'Customer’s Note', value: answerNote }]),
        ]),
    ...(note === '' ? [] : [{ label: 'Note', value: note }]),
  ];
}

function notesOf({ invoicedQuantity, ...line }: BillingEstimate['lineItems'][number]) {
  return (
    <>
      {lineNotes(line)}
      {invoicedQuantity.gt(0) && (
        <div className="ek-muted ek-small ek-num">
          {`${invoicedQuantity.toString()} of ${line.quantity.toString()} invoiced`}
        </div>
      )}
    </>
  );
}

/** The invoices created from the estimate, if there are any. */
function Invoices({ id, invoice }: { id: number; invoice: OpenRecord }) {
  const { value: rows = [], error, retry } = useRead(ask(estimateCalls.estimateInvoices, { params: { id } }));
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (rows.length === 0) return null;
  return (
    <MiniTable<MadeInvoice>
      label="Invoices"
      columns={[
        {
          header: 'Invoices',
          render: (row) => (
            <>
              <NameLink {...invoice.link(row.id)}>Invoice {row.invoiceNumber}</NameLink>
              {row.badge === '' ? null : <span className="ek-muted"> {row.badge}</span>}
            </>
          ),
        },
        { header: 'Date', className: 'ek-muted', render: (row) => <DateText value={row.invoiceDate} /> },
        { header: 'Amount', right: true, render: (row) => <Amount value={row.invoiceAmount} /> },
      ]}
      rows={rows}
      keyOf={(row) => row.id}
    />
  );
}
