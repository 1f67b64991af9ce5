import './ledger.css';
import type { GlEntry, PostedTransaction } from '@evenkeel/contract/ledger';
import { sum, ZERO } from '@evenkeel/core/money';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../client/session.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import type { FooterAction } from '../../ui/overlay/FooterBar.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { useTransaction } from './queries.ts';
import { sourceDocument, sourceWord } from './sources.ts';
import { useBasisView } from './useBasisView.tsx';

export interface TransactionModalProps {
  transactionId: number;
  onClose: () => void;
  /** What else can be done with it once it is read, e.g. Reverse and Copy of a journal entry. */
  actionsOf?: ((transaction: PostedTransaction) => readonly FooterAction[]) | undefined;
  /** Above the footer, e.g. the date of a reversal. */
  children?: ReactNode;
}

/** The General Ledger Transaction modal (part 2 §2 "Account view"): Account, Description, Debit, Credit. */
export function TransactionModal({ transactionId, onClose, actionsOf, children }: TransactionModalProps) {
  const { transaction, error, retry } = useTransaction(transactionId);
  const document = useDocumentAction(transaction);
  const actions = transaction === undefined ? [] : [...(actionsOf?.(transaction) ?? []), ...document];
  return (
    <AppModal
      opened
      onClose={onClose}
      title="General Ledger Transaction"
      size="lg"
      beside={transaction === undefined ? undefined : <Standing transaction={transaction} />}
      footer={{ actions, primary: { label: 'Close', onClick: onClose } }}
    >
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {transaction === undefined && error === undefined && <p role="status">Loading...</p>}
      {transaction !== undefined && <Lines transaction={transaction} />}
      {children}
    </AppModal>
  );
}

/** The way to the document; only where the session may open it. */
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

/** The lines of one view, with their total. */
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

/** On a phone the words stand under the account: both amounts are then in sight. */
function LineNotes({ line: { description, entityName } }: { line: GlEntry }) {
  return (
    <>
      <span className="lg-note">{description}</span>
      {entityName !== '' && <span className="lg-note">{entityName}</span>}
    </>
  );
}

function LineTable({ lines }: { lines: readonly GlEntry[] }) {
  const narrow = useNarrow();
  const total = (side: 'debitAmount' | 'creditAmount') => sum(lines.map((line) => line[side] ?? ZERO));
  return (
    <div className="lg-scroll" tabIndex={0} role="group" aria-label="Lines of the transaction">
      <table className="lg-table" aria-label="Lines">
        <thead>
          <tr>
            <th scope="col">Account</th>
            {!narrow && <th scope="col">Description</th>}
            <th scope="col" data-right="">
              Debit
            </th>
            <th scope="col" data-right="">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.glid}>
              <td>
                {line.displayAccountLabel}
                {narrow && <LineNotes line={line} />}
              </td>
              {!narrow && (
                <td>
                  {line.description}
                  {line.entityName !== '' && <span className="lg-note">{line.entityName}</span>}
                </td>
              )}
              <td data-right="">
                <Amount value={line.debitAmount} zero="blank" />
              </td>
              <td data-right="">
                <Amount value={line.creditAmount} zero="blank" />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={narrow ? 1 : 2}>Total</td>
            <td data-right="">
              <Amount value={total('debitAmount')} />
            </td>
            <td data-right="">
              <Amount value={total('creditAmount')} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
