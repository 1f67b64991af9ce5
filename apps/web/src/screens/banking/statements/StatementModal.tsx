import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import { capital } from '@evenkeel/core/documents/side';
import { useState } from 'react';
import { ask, send, useRead, useStale } from '../../../client/api.ts';
import { isAdministrator, useSession } from '../../../client/session.ts';
import { newAttachment } from '../../../parts/attachments/attachmentForm.ts';
import { useStoredFile } from '../../../parts/attachments/useStoredFile.ts';
import { useManages } from '../../../records/active.tsx';
import { useFormSave } from '../../../records/formSave.ts';
import { FoldedHistory } from '../../../records/History.tsx';
import { ClosingReason, LoadedModal } from '../../../records/RecordModal.tsx';
import { because } from '../../../records/reads.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { Facts } from '../../../ui/show/Facts.tsx';
import { FormErrorSummary } from '../../../ui/show/FormErrorSummary.tsx';
import { MomentText } from '../../../ui/show/MomentText.tsx';
import { counted } from '../../../ui/show/words.ts';
import { MiniTable } from '../../../ui/table/MiniTable.tsx';
import { LINES } from './ImportModal.tsx';
import { contentsOf, periodOf } from './statements.ts';

type Contents = ReplyOf<typeof calls.statementContents>;
type Undone = Contents['undone'][number];

export interface StatementModalProps {
  id: number;
  onClose: () => void;
}

/** An imported statement. The user can undo the import after reviewing the effects of doing so. */
export function StatementModal({ id, onClose }: StatementModalProps) {
  return (
    <LoadedModal
      title="Statement"
      size="lg"
      read={useRead(contentsOf(id), { alert: 'Error Loading Statements' })}
      onClose={onClose}
    >
      {(contents) => contents !== undefined && <Loaded contents={contents} onClose={onClose} />}
    </LoadedModal>
  );
}

/** Undoes the import. In a closed period, an administrator is asked for a reason. */
function useTakingBack({ statement: { id, fileName } }: Contents, onClose: () => void) {
  const alerts = useAlerts();
  const stale = useStale();
  const saving = useFormSave({});
  const administers = isAdministrator(useSession());
  const [reason, setReason] = useState('');
  const take = async () => {
    const asked = ask(calls.deleteStatement, { params: { id }, query: because(reason) });
    if ((await saving.attempt(() => send(asked))) === undefined) return;
    alerts.success(`Import of ${fileName} undone`);
    onClose();
    stale(contentsOf(id));
  };
  const closed = saving.isClosed && administers ? { value: reason, onChange: setReason } : undefined;
  return { take: () => void take(), busy: saving.busy, problems: saving.problems, closed };
}

function Loaded({ contents, onClose }: { contents: Contents; onClose: () => void }) {
  const { statement, counts, undone, obstacle } = contents;
  const manages = useManages('Manage Banking');
  const back = useTakingBack(contents, onClose);
  const file = useStoredFile(undefined);
  const link = newAttachment(-1, { name: statement.fileName, size: 0, contentType: '' });
  const question = `Undo the import of ${statement.fileName} and remove ${counted(statement.count, LINES)}?`;
  const remove = { label: 'Undo Import', question, onConfirm: back.take, busy: back.busy };
  return (
    <AppModal
      opened
      title={statement.fileName}
      size="lg"
      onClose={onClose}
      footer={{
        ...(manages && obstacle === null ? { remove } : {}),
        actions: [
          { label: 'Download', onClick: () => file.save({ ...link, documentId: statement.documentId }) },
          { label: 'Close', onClick: onClose },
        ],
      }}
    >
      <div className="ek-stack">
        <FormErrorSummary problems={back.problems.map((message) => ({ message }))} />
        {back.closed !== undefined && <ClosingReason {...back.closed} />}
        <Facts
          facts={[
            { label: 'Period', value: periodOf(statement) },
            { label: 'Lines', value: `${counted(statement.count, LINES)}, ${statement.knownCount} already imported` },
            { label: 'Sum', value: <Amount value={statement.sum} /> },
            ...Object.entries(counts).map(([state, count]) => ({ label: wordOf(state), value: counted(count, LINES) })),
            { label: 'Imported', value: <MomentText value={statement.importedAt} /> },
            { label: 'By', value: statement.importedBy },
          ]}
        />
        {obstacle !== null && <InlineAlert kind="Info">{obstacle}</InlineAlert>}
        {obstacle === null && undone.length > 0 && (
          <section>
            <h3>{`This also undoes changes to ${counted(undone.length, LINES)}`}</h3>
            <MiniTable<Undone>
              label="Changes to Be Undone"
              rows={undone}
              keyOf={({ lineId }) => lineId}
              columns={[
                { header: 'Date', render: ({ date }) => <DateText value={date} /> },
                { header: 'Text', render: ({ text }) => text },
                { header: 'Then', render: ({ does }) => does },
                { header: 'Amount', right: true, render: ({ amount }) => <Amount value={amount} /> },
              ]}
            />
          </section>
        )}
        <FoldedHistory kind="bankstatement" id={statement.id} />
      </div>
    </AppModal>
  );
}

const wordOf = (state: string): string => (state === 'review' ? 'For review' : capital(state));
