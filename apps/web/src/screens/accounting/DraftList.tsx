import { ledgerCalls, type PostedTransaction } from '@evenkeel/contract/ledger';
import { sum, ZERO } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ask, inAlert, messageOf, useRead, useWrite } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { ConfirmDelete } from '../../ui/overlay/ConfirmDelete.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { EmptyState, ErrorState } from '../../ui/show/EmptyState.tsx';

/** Loads the journal entries that are saved but not posted. */
export function useDrafts() {
  return useRead(ask(ledgerCalls.listDrafts, {}), inAlert('Error Loading Items'));
}

export interface DraftListProps {
  onClose: () => void;
  onOpen: (draft: PostedTransaction) => void;
  /** False for a read-only list. */
  manages: boolean;
}

/** The entries that were saved with Save Transaction. Each one can be opened, or deleted after confirmation. */
export function DraftList({ onClose, onOpen, manages }: DraftListProps) {
  const { value: drafts, error, retry } = useDrafts();
  const box = useRef<HTMLDivElement>(null);
  const count = drafts?.length;
  // Deleting a row removes the focused element. The focus is moved, so that the modal's keyboard shortcuts keep
  // working.
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus();
  }, [count]);
  return (
    <AppModal
      opened
      onClose={onClose}
      title="Saved Transactions"
      footer={{ primary: { label: 'Close', onClick: onClose } }}
    >
      <div ref={box} tabIndex={-1} className="ac-focus" data-list="">
        {error !== undefined && drafts === undefined && <ErrorState message={error} onRetry={retry} />}
        {error === undefined && drafts === undefined && <p role="status">Loading...</p>}
        {drafts?.length === 0 && (
          <EmptyState
            title="No saved transactions"
            hint="When you select Save Transaction, the journal entry stays here until you post it."
          />
        )}
        {drafts !== undefined && drafts.length > 0 && (
          <ul className="ac-drafts" aria-label="Saved Transactions">
            {drafts.map((draft) => (
              <DraftRow key={draft.transactionID} draft={draft} onOpen={onOpen} manages={manages} />
            ))}
          </ul>
        )}
      </div>
    </AppModal>
  );
}

interface DraftRowProps {
  draft: PostedTransaction;
  onOpen: (draft: PostedTransaction) => void;
  manages: boolean;
}

function DraftRow({ draft, onOpen, manages }: DraftRowProps) {
  const [asking, setAsking] = useState(false);
  const alerts = useAlerts();
  const write = useWrite(ledgerCalls.deleteDraft);
  const remove = () =>
    write.mutate(
      { params: { id: draft.transactionID } },
      {
        onSuccess: () => alerts.success('Saved transaction deleted'),
        onError: (error) => alerts.error(messageOf(error)),
      },
    );
  const lines = draft.generalLedgerEntries;
  const name = draft.description === '' ? 'No description' : draft.description;
  if (asking) {
    const question = `Delete “${name}”?`;
    return (
      <li>
        <ConfirmDelete
          action={{ question, onConfirm: remove, busy: write.isPending }}
          onCancel={() => setAsking(false)}
        />
      </li>
    );
  }
  return (
    <li className="ac-draft">
      <div className="ek-grow">
        <div className="ek-medium ek-ellipsis">{name}</div>
        <div className="ek-muted ek-small ek-num">
          <DateText value={draft.postingDate} /> · {lines.length === 1 ? '1 line' : `${lines.length} lines`}
        </div>
      </div>
      <Amount value={sum(lines.map((line) => line.debitAmount ?? ZERO))} />
      {manages && (
        <>
          <Button variant="default" aria-label={`Open ${name}`} onClick={() => onOpen(draft)}>
            Open
          </Button>
          <Button
            variant="subtle"
            className="ek-btn-delete"
            aria-label={`Delete ${name}`}
            onClick={() => setAsking(true)}
          >
            Delete
          </Button>
        </>
      )}
    </li>
  );
}
