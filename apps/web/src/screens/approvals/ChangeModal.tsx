import { type OpenApproval, agentCalls, ApprovalForm } from '@evenkeel/contract/agents';
import { useQueryClient } from '@tanstack/react-query';
import { ask, asKey, send, useRead, useStale } from '../../client/api.ts';
import { ApiError } from '../../client/transport.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { telling, useRecordForm } from '../../records/useRecordForm.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { InputFields } from './InputFields.tsx';
import { placedIn, toSend } from './inputTree.ts';

const TITLE = 'Edit Proposal';

interface ChangeModalProps {
  id: number;
  onClose: () => void;
}

const openedOf = (id: number) => ask(agentCalls.openApproval, { params: { id } });

/** The form for the input of a waiting change, with one field for each value that the agent sent. */
export function ChangeModal({ id, onClose }: ChangeModalProps) {
  const read = useRead(openedOf(id));
  return (
    <LoadedModal id={id} read={read} title={TITLE} onClose={onClose} size="lg">
      {(opened) => opened !== undefined && <Opened opened={opened} onClose={onClose} />}
    </LoadedModal>
  );
}

interface OpenedProps {
  opened: OpenApproval;
  onClose: () => void;
}

function Opened({ opened, onClose }: OpenedProps) {
  const { form, problem } = opened;
  if (form !== null) return <Form opened={opened} saved={form} onClose={onClose} />;
  return (
    <AppModal opened title={TITLE} onClose={onClose}>
      <InlineAlert kind="Info">{problem ?? 'This proposal has no fields that you can edit.'}</InlineAlert>
    </AppModal>
  );
}

function Form({ opened: { approval }, saved, onClose }: OpenedProps & { saved: ApprovalForm }) {
  const client = useQueryClient();
  const stale = useStale();
  const { id } = approval;
  const form = useRecordForm<ApprovalForm, ApprovalForm>({
    name: 'approval',
    id,
    saved,
    formOf: (one) => one ?? saved,
    schema: ApprovalForm,
    reply: ApprovalForm,
    check: () => ({}),
    placed: placedIn,
    send: async (typed, { place, reason }) => {
      const body = { input: toSend(typed, reason), rowVersion: typed.rowVersion };
      try {
        const done = await send(ask(agentCalls.changeApproval, { params: { id }, body }), place);
        client.setQueryData(asKey(openedOf(id)), done);
        stale();
        return done.form ?? saved;
      } catch (error) {
        // Another user has changed or decided on the proposal, which the page behind the dialog shows too.
        if (error instanceof ApiError && error.status === 409) stale();
        throw error;
      }
    },
    words: { saved: () => 'Proposal saved', update: 'Error Saving Proposal:' },
    onSaved: onClose,
  });
  const shown = Object.keys(form.fields).filter((path) => /^(params|query|body)\b/.test(path));
  return (
    <RecordModal form={telling(form, shown)} title={TITLE} size="lg" onClose={onClose}>
      <p className="ek-second ap-note">
        Evenkeel checks the proposal again with your edits. It still needs your approval, and the agent can see that you
        edited it.
      </p>
      <div className="ek-stack ap-form">
        <InputFields form={form} />
      </div>
    </RecordModal>
  );
}
