import '../documents.css';
import type { OpenDocument } from '@evenkeel/contract/subledger';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Cents, cents, formatAmount, formatUsd, negate, sum, ZERO } from '@evenkeel/core/money';
import { useMemo } from 'react';
import { useRead } from '../../../client/api.ts';
import { LoadedModal, RecordModal } from '../../../records/RecordModal.tsx';
import { type RecordsSpec, useOne, useSave } from '../../../records/records.ts';
import { telling, useRecordForm } from '../../../records/useRecordForm.ts';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { useToday } from '../../../ui/hooks/today.tsx';
import { Applications, headsFor } from './Applications.tsx';
import { Footing } from './Footing.tsx';
import { Kept } from '../entry/Kept.tsx';
import { appliedTo, blankPayment, filled, listedOpen, PaymentForm, paymentInput, withApplied } from './paymentForm.ts';
import { type AnyPayment, type DocumentSide, entityOf, nounOf, titled, type WithEntity } from '../side.ts';

/** A credit memo or vendor credit that has remaining credit. */
export type OpenCredit = WithEntity & {
  id: number;
  invoiceNumber: string;
  invoiceAmount: Cents;
  openAmount: Cents;
};

interface ByIdProps {
  side: DocumentSide;
  records: Pick<RecordsSpec<never, OpenCredit, never>, 'get' | 'words'>;
  id: number;
  onClose: () => void;
}

/** Works like ApplyCredit, but takes the credit's ID from the URL. */
export function ApplyCreditById({ side, records, id, onClose }: ByIdProps) {
  return (
    <LoadedModal title="Apply Credit" size="xl" onClose={onClose} read={useOne(records, id)}>
      {(credit) => credit && <ApplyCredit {...{ side, credit, onClose }} onApplied={onClose} />}
    </LoadedModal>
  );
}

interface Props {
  side: DocumentSide;
  credit: OpenCredit;
  onClose: () => void;
  onApplied: () => void;
}

/**
 * Applies a credit to open documents through a payment of 0.00. The amounts are filled in list order, and the user can
 * change them.
 */
export function ApplyCredit(props: Props) {
  const { side, credit, onClose } = props;
  const open = useRead(side.openDocuments(entityOf(credit).id, 0), { alert: side.documents.words.loadAll });
  const title = `Apply ${titled(nounOf(side, credit))} ${credit.invoiceNumber}`;
  return (
    <LoadedModal title={title} size="xl" onClose={onClose} read={open}>
      {(documents = []) => <Dialog {...props} title={title} documents={documents} onFaults={() => void open.retry()} />}
    </LoadedModal>
  );
}

interface DialogProps extends Props {
  title: string;
  documents: readonly OpenDocument[];
  /** Another user may have paid a document or applied the credit in the meantime. */
  onFaults: () => void;
}

function Dialog({ side, credit, title, documents, onClose, onApplied, onFaults }: DialogProps) {
  const today = useToday();
  const noun = nounOf(side, credit);
  const own = documents.find(({ invoiceId }) => invoiceId === credit.id);
  const left = negate(own?.openAmount ?? ZERO);
  const open = useMemo(
    () =>
      listedOpen(
        documents.filter(({ openAmount }) => openAmount > 0),
        [],
      ),
    [documents],
  );
  const whole = (typed: PaymentForm): PaymentForm =>
    typed.applied === null ? { ...filled({ ...typed, amount: left }, open), amount: ZERO } : typed;
  const save = useSave(side.payments);
  const typed = useRecordForm<AnyPayment, PaymentForm>({
    name: `apply:${side.core.name} ${credit.id}`,
    id: 0,
    saved: undefined,
    formOf: () => ({
      ...blankPayment({ today, entityId: entityOf(credit).id }),
      amount: ZERO,
      description: `${titled(noun)} ${credit.invoiceNumber}`,
    }),
    schema: PaymentForm,
    check: (form) => faultsOf(whole(form), open, left),
    send: (form, { place, reason }) => {
      const shown = whole(form);
      const used = usedOf(shown, open);
      const shares = { ...shown.applied, [credit.id]: negate(used) };
      const all = own === undefined ? open : [...open, own];
      const body = { saved: undefined, reason, hasCheck: false };
      return save(0, paymentInput({ ...shown, applied: shares }, all, body), place);
    },
    reply: side.paymentReply,
    onFaults,
    words: { saved: () => `${titled(noun)} ${credit.invoiceNumber} applied` },
    onSaved: onApplied,
  });
  const form = telling(typed, ['paymentDate']);
  const shown = whole(form.values);
  const used = usedOf(shown, open);
  return (
    <RecordModal
      form={form}
      title={title}
      size="xl"
      beside={<Kept at={form.savedAt} />}
      onClose={onClose}
      footer={{
        primary: {
          label: used > 0 ? `Apply ${formatAmount(used)}` : 'Apply',
          onClick: form.save,
          busy: form.busy,
          disabled: open.length === 0,
        },
        total: (
          <Footing
            verb="Applied"
            part={used}
            total={left}
            rest={{ label: 'remaining credit', amount: cents(left - used) }}
          />
        ),
      }}
    >
      <div className="ek-form">
        <DateField {...form.bind('paymentDate')} label="Date" span="half" />
      </div>
      {open.length === 0 ? (
        <p className="ek-muted">
          This {side.core.words.entity} has no open invoices. The credit remains available until you can apply it to an
          invoice.
        </p>
      ) : (
        <Applications
          label={`Open ${side.core.words.document}s for this ${side.core.words.entity}`}
          form={shown}
          open={open}
          detail={false}
          heads={{ ...headsFor(side), now: 'This Credit' }}
          onApply={(invoice, amount) => form.onChange(withApplied(shown, invoice, amount))}
        />
      )}
    </RecordModal>
  );
}

const usedOf = (form: PaymentForm, open: readonly OpenDocument[]): Cents =>
  sum(open.map(({ invoiceId }) => appliedTo(form, invoiceId)));

/** Validates the amounts. Their total must be more than zero and not more than the remaining credit. */
function faultsOf(form: PaymentForm, open: readonly OpenDocument[], left: Cents): FieldMessages {
  const used = usedOf(form, open);
  return {
    ...(form.paymentDate === null ? { paymentDate: 'Please enter a date' } : {}),
    ...(used === 0 ? { paymentApplications: 'Please enter an amount to apply' } : {}),
    ...(used > left ? { paymentApplications: `Only ${formatUsd(left)} of the credit remains` } : {}),
  };
}
