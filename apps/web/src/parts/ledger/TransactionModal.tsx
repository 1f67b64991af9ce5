import './ledger.css';
import type { GlEntry, PostedTransaction } from '@evenkeel/contract/ledger';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../client/session.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import type { FooterAction } from '../../ui/overlay/FooterBar.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { Status } from '../../ui/show/Status.tsx';
import type { MiniColumn } from '../../ui/table/MiniTable.tsx';
import { FoldedHistory } from '../../records/History.tsx';
import { Loaded } from '../../records/Loaded.tsx';
import { attachmentsFormOf } from '../attachments/attachmentForm.ts';
import { AttachedFiles } from '../attachments/AttachmentList.tsx';
import { DebitCredit } from './DebitCredit.tsx';
import { useTransaction } from './queries.ts';
import { sourceDocument, sourceWord } from './sources.ts';
import { useBasisView } from './useBasisView.tsx';

export interface TransactionModalProps {
  transactionId: number;
  onClose: () => void;
  /** Returns additional actions after the transaction has loaded, for example Reverse and Copy for a journal entry. */
  actionsOf?: ((transaction: PostedTransaction) => readonly FooterAction[]) | undefined;
  /** Content above the footer, for example the date of a reversal. */
  children?: ReactNode;
}

/** The General Ledger Transaction modal with Account, Description, Debit, and Credit. */
export function TransactionModal({ transactionId, onClose, actionsOf, children }: TransactionModalProps) {
  const read = useTransaction(transactionId);
  const { value: transaction } = read;
  const document = useDocumentAction(transaction);
  const actions = transaction === undefined ? [] : [...(actionsOf?.(transaction) ?? []), ...document];
  return (
    <AppModal
      opened
      onClose={onClose}
      title="General Ledger Transaction"
      size="lg"
      grows
      beside={transaction === undefined ? undefined : <Standing transaction={transaction} />}
      footer={{ actions, primary: { label: 'Close', onClick: onClose } }}
    >
      <div className="lg-posted">
        <Loaded read={read}>
          {(posted) => (
            <>
              <Lines transaction={posted} />
              <AttachedFiles links={attachmentsFormOf(posted.documentLinks)} />
              {posted.sourceType === 'journal' && <FoldedHistory kind={posted.sourceType} id={transactionId} />}
            </>
          )}
        </Loaded>
      </div>
      {children}
    </AppModal>
  );
}

/** Returns the action that opens the document, if the user has permission. */
function useDocumentAction(transaction: PostedTransaction | undefined): FooterAction[] {
  const may = useMay();
  const navigate = useNavigate();
  const document = transaction && sourceDocument(transaction.sourceType, transaction.sourceId);
  if (document === undefined || !may(document.needs)) return [];
  return [{ label: document.label, onClick: () => void navigate(document.to, { state: document.state }) }];
}

function Standing({ transaction }: { transaction: PostedTransaction }) {
  const lines = transaction.generalLedgerEntries;
  if (lines.some((line) => line.reverses !== null)) return <Status look="plain">Reversal</Status>;
  if (lines.some((line) => line.reversedBy !== null)) return <Status look="void">Reversed</Status>;
  return null;
}

/** The lines for one accounting basis, with their total. */
function Lines({ transaction }: { transaction: PostedTransaction }) {
  const { lines, none, choice } = useBasisView(transaction.generalLedgerEntries);
  return (
    <div className="ek-stack">
      <div className="lg-facts">
        <Facts
          facts={[
            { label: 'Post Date', value: <DateText value={transaction.postingDate} /> },
            { label: 'Transaction', value: transaction.transactionID },
            { label: 'Source', value: sourceWord(transaction.sourceType) },
          ]}
        />
      </div>
      {choice}
      {lines.length === 0 ? <p className="ek-muted">{none}</p> : <LineTable lines={lines} />}
    </div>
  );
}

/** The description of a line. On a phone, it appears below the account, so that both amounts stay visible. */
function LineNotes({ line: { description, entityName }, isNote = false }: { line: GlEntry; isNote?: boolean }) {
  return (
    <>
      {isNote ? <span className="lg-note">{description}</span> : description}
      {entityName !== '' && <span className="lg-note">{entityName}</span>}
    </>
  );
}

function LineTable({ lines }: { lines: readonly GlEntry[] }) {
  const narrow = useNarrow();
  const description: MiniColumn<GlEntry> = { header: 'Description', render: (line) => <LineNotes line={line} /> };
  return (
    <div className="lg-scroll" tabIndex={0} role="group" aria-label="Transaction lines">
      <DebitCredit
        label="Lines"
        className="lg-table"
        lines={lines}
        columns={[
          {
            header: 'Account',
            render: (line) => (
              <>
                {line.displayAccountLabel}
                {narrow && <LineNotes line={line} isNote />}
              </>
            ),
          },
          ...(narrow ? [] : [description]),
        ]}
      />
    </div>
  );
}
