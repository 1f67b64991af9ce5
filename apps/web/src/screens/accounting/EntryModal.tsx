import { ledgerCalls, type PostedTransaction } from '@evenkeel/contract/ledger';
import type { IsoDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { messageOf, useWrite } from '../../client/api.ts';
import { TransactionModal } from '../../parts/ledger/TransactionModal.tsx';
import { isAdministrator, useMay, useSession } from '../../client/session.ts';
import { ApiError } from '../../client/transport.ts';
import { because } from '../../records/reads.ts';
import { ClosingReason } from '../../records/RecordModal.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';

export interface EntryModalProps {
  transactionId: number;
  onClose: () => void;
  onCopy: (transaction: PostedTransaction) => void;
  /** Opens a schedule that repeats the entry. */
  onRepeat: (transactionId: number) => void;
  /** Shows another transaction, for example the reversal that was just posted. */
  onShow: (transactionId: number) => void;
}

/** A transaction that was opened from an account. A journal entry can be copied, or reversed on a chosen date. */
export function EntryModal({ transactionId, onClose, onCopy, onRepeat, onShow }: EntryModalProps) {
  const manages = useMay()('Manage Accounting');
  const [reversing, setReversing] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  // Closing the date form removes the focused element. The focus is moved, so that the modal's keyboard shortcuts keep
  // working.
  useEffect(() => {
    if (!reversing && document.activeElement === document.body) box.current?.focus();
  }, [reversing]);
  const actionsOf = (transaction: PostedTransaction) => {
    if (!manages || transaction.sourceType !== 'journal') return [];
    const isLive = transaction.generalLedgerEntries.every((line) => line.reverses === null && line.reversedBy === null);
    const copy = { label: 'Copy', onClick: () => onCopy(transaction) };
    const repeat = { label: 'Repeat', onClick: () => onRepeat(transactionId) };
    return isLive && !reversing ? [copy, repeat, { label: 'Reverse', onClick: () => setReversing(true) }] : [copy];
  };
  return (
    <TransactionModal transactionId={transactionId} onClose={onClose} actionsOf={actionsOf}>
      <div ref={box} tabIndex={-1} className="ac-focus">
        {reversing && (
          <Reversal
            transactionId={transactionId}
            onCancel={() => setReversing(false)}
            onDone={(id) => {
              setReversing(false);
              onShow(id);
            }}
          />
        )}
      </div>
    </TransactionModal>
  );
}

interface ReversalProps {
  transactionId: number;
  onCancel: () => void;
  onDone: (reversalId: number) => void;
}

/** The form for choosing the date of the reversal. */
function Reversal({ transactionId, onCancel, onDone }: ReversalProps) {
  const today = useToday();
  const [date, setDate] = useState<IsoDate | null>(today);
  const alerts = useAlerts();
  const write = useWrite(ledgerCalls.reverseTransaction);
  const [reason, setReason] = useState('');
  const administers = isAdministrator(useSession());
  const isClosed = write.error instanceof ApiError && write.error.body.code === 'closed';
  const post = (postingDate: IsoDate) =>
    write.mutate(
      { params: { transactionId }, body: { postingDate, ...because(reason) } },
      {
        onSuccess: (reversal) => {
          alerts.success('Transaction reversed');
          onDone(reversal.transactionID);
        },
        onError: (error) => alerts.error(`Error Posting Transaction: ${messageOf(error)}`),
      },
    );
  return (
    <div className="ac-reversal" role="group" aria-label="Reverse this entry">
      <DateField label="Reversal Date" value={date} onChange={setDate} autoFocus />
      <Button variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        loading={write.isPending}
        disabled={date === null}
        onClick={() => (date === null ? undefined : post(date))}
      >
        Post Reversal
      </Button>
      {write.error !== null && (
        <div className="ac-reversal-error">
          <InlineAlert kind="Error">{messageOf(write.error)}</InlineAlert>
          {isClosed && administers && <ClosingReason value={reason} onChange={setReason} />}
        </div>
      )}
    </div>
  );
}
