import { type Approval, agentCalls, type OpenApproval } from '@evenkeel/contract/agents';
import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ask, messageOf, type Read, useRead, useReadAt, useStale, useWrite } from '../../client/api.ts';
import { isAdministrator, useSession } from '../../client/session.ts';
import { ApiError } from '../../client/transport.ts';
import { EffectsDetails } from '../../records/Effects.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useNarrow } from '../../ui/hooks/media.ts';
import { useOnce } from '../../ui/hooks/once.ts';
import { KeyButton } from '../../ui/keys/KeyButton.tsx';
import { KeysBar } from '../../ui/keys/KeysBar.tsx';
import { useReviewKeys } from '../../ui/keys/useReviewKeys.ts';
import { StepFoot } from '../../ui/overlay/StepFoot.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { AgentMessage, DetailHead, ListAndDetail, type PartProps } from './ApprovalList.tsx';
import { type ApprovalAct, approvalKey, approveWords, whenWords } from './approvalWords.ts';
import { changedRows, type ChangedRow, isGiven, nameWords } from './inputTree.ts';

/**
 * The delay in ms before Enter is accepted after a proposal comes into view, so that no one approves an unseen
 * proposal.
 */
const UNSEEN_MS = 400;

/**
 * The changes that are waiting for a decision. The user decides on them one by one, with the mouse or with the same
 * keys as in the review of bank transactions.
 */
export function Waiting({ list, id, open, onEdit }: PartProps & { onEdit: (id: number) => void }) {
  const asked = ask(agentCalls.openApproval, { params: { id: id ?? 0 } });
  const read = useRead(asked, { enabled: id !== undefined, isFresh: true });
  const checkedAt = useReadAt(asked);
  const opened = read.value?.approval.id === id ? read.value : undefined;
  const [isRejecting, setRejecting] = useState(false);
  const deciding = useDecisions({ list, id, open, opened, read });
  const isUnseen = useUnseen(opened && `${opened.approval.id} ${opened.seen}`);
  const canEdit = opened !== undefined && opened.form !== null;
  const [reset, setReset] = useState(id);
  if (reset !== id) {
    setReset(id);
    setRejecting(false);
  }
  const act = (what: ApprovalAct) => {
    if (what === 'up' || what === 'down') return deciding.step(what === 'up' ? -1 : 1);
    if (what === 'undo') return deciding.undo?.();
    if (opened === undefined || deciding.isBusy) return;
    if (what === 'reject') return setRejecting(true);
    if (what === 'edit') return opened.form === null ? undefined : onEdit(opened.approval.id);
    if (deciding.canApprove) deciding.approve();
  };
  useReviewKeys({
    read: approvalKey,
    head: '.ap-row[aria-current]',
    isOn: !isRejecting,
    onAct: (key) => (key.act === 'accept' && isUnseen() ? undefined : act(key.act)),
  });
  return (
    <>
      <ListAndDetail list={list} id={id} open={open}>
        {opened !== undefined && <Detail opened={opened} />}
        {opened === undefined && read.error !== undefined && (
          <ErrorState message={read.error} onRetry={() => void read.retry()} />
        )}
        {opened === undefined && read.error === undefined && (
          <p className="ek-muted" role="status">
            Checking the proposal...
          </p>
        )}
      </ListAndDetail>
      <KeysBar label="Actions for this proposal">
        <KeyButton keys={['↑']} label="Previous proposal" short onClick={() => act('up')} />
        <KeyButton keys={['↓']} label="Proposal" onClick={() => act('down')} />
        {deciding.canApprove && <KeyButton keys={['Enter']} label="Approve" onClick={() => act('accept')} />}
        {opened !== undefined && <KeyButton keys={['x']} label="Reject" onClick={() => act('reject')} />}
        {canEdit && <KeyButton keys={['e']} label="Edit" onClick={() => act('edit')} />}
        {deciding.undo !== undefined && <KeyButton keys={['u']} label="Undo" onClick={() => act('undo')} />}
      </KeysBar>
      {opened !== undefined && isRejecting && (
        <Rejecting
          isBusy={deciding.isBusy}
          onReject={(reason) => deciding.reject(reason)}
          onCancel={() => setRejecting(false)}
        />
      )}
      {opened !== undefined && !isRejecting && (
        <StepFoot note={checkedWords(opened, checkedAt)}>
          <Button variant="default" disabled={deciding.isBusy} onClick={() => act('reject')}>
            Reject
          </Button>
          {canEdit && (
            <Button variant="default" disabled={deciding.isBusy} onClick={() => act('edit')}>
              Edit
            </Button>
          )}
          <Button disabled={!deciding.canApprove} loading={deciding.isBusy} onClick={() => act('accept')}>
            {approveWords(opened.approval)}
          </Button>
        </StepFoot>
      )}
    </>
  );
}

function checkedWords({ approval, form, hasMoved, problem }: OpenApproval, at: number): string {
  if (problem !== null && form === null) return 'This change can only be rejected.';
  if (problem !== null) return 'This change can’t be approved as it is. Edit or reject it.';
  const time = `Checked again at ${whenWords(new Date(at).toISOString())}.`;
  const since = approval.changedBy === null ? 'the proposal' : 'the last edit';
  return hasMoved
    ? `${time} The books have changed since ${since}. Changed amounts are marked.`
    : `${time} The books haven’t changed since ${since}.`;
}

/** Returns a function that checks whether a proposal, or its effects, have only just come into view. */
function useUnseen(shown: string | undefined): () => boolean {
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
  }, [shown]);
  return () => performance.now() - since.current < UNSEEN_MS;
}

interface Deciding extends PartProps {
  opened: OpenApproval | undefined;
  read: Read<OpenApproval>;
}

/** The actions for the change that is shown. After a decision, the next change is shown. */
function useDecisions({ list, id, open, opened, read }: Deciding) {
  const alerts = useAlerts();
  const stale = useStale();
  const narrow = useNarrow();
  const once = useOnce();
  const [last, setLast] = useState<Approval>();
  const approving = useWrite(agentCalls.approve);
  const rejecting = useWrite(agentCalls.rejectApproval);
  const undoing = useWrite(agentCalls.undoApproval);
  const isBusy = approving.isPending || rejecting.isPending;
  const at = list.findIndex((one) => one.id === id);
  const next = narrow ? undefined : (list[at + 1] ?? list[at - 1]);
  const decide = (write: () => Promise<Approval>, words: (done: Approval) => string) =>
    void once.run(async () => {
      try {
        const done = await write();
        alerts.success(words(done));
        setLast(done.canUndo ? done : undefined);
        if (next === undefined) open.close();
        else open.open(next.id);
        return done;
      } catch (error) {
        alerts.error(messageOf(error));
        // Another user has made the decision, or the effects differ from those on the screen.
        if (error instanceof ApiError && error.status === 409) {
          stale();
          await read.retry();
        }
        return undefined;
      }
    });
  const params = { id: id ?? 0 };
  return {
    isBusy,
    canApprove: opened !== undefined && opened.problem === null && !isBusy,
    approve: () =>
      opened !== undefined &&
      decide(
        () => approving.mutateAsync({ params, body: { seen: opened.seen } }),
        ({ title }) => `${title} approved`,
      ),
    reject: (reason: string) =>
      decide(
        () => rejecting.mutateAsync({ params, body: { reason } }),
        ({ title }) => `${title} rejected`,
      ),
    undo:
      last === undefined || undoing.isPending
        ? undefined
        : () =>
            void once.run(async () => {
              try {
                await undoing.mutateAsync({ params: { id: last.id } });
                setLast(undefined);
                alerts.success(`${last.title} undone`);
              } catch (error) {
                alerts.error(messageOf(error));
              }
              return undefined;
            }),
    step: (by: 1 | -1) => {
      const to = list[Math.max(0, at + by)];
      if (to !== undefined) open.open(to.id);
    },
  };
}

interface RejectingProps {
  isBusy: boolean;
  onReject: (reason: string) => void;
  onCancel: () => void;
}

/** The field for entering the reason for a rejection. The field replaces the buttons. */
function Rejecting({ isBusy, onReject, onCancel }: RejectingProps) {
  const [reason, setReason] = useState('');
  const field = useRef<HTMLFormElement>(null);
  useEffect(() => {
    field.current?.querySelector('input')?.focus();
  }, []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onReject(reason);
  };
  return (
    <form
      ref={field}
      className="ek-foot ek-step-foot ap-rejecting"
      onSubmit={onSubmit}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <TextField
        label="Reason (Optional)"
        value={reason}
        onChange={setReason}
        readOnly={isBusy}
        maxLength={500}
        hint="The agent can read the reason."
      />
      <Button variant="default" disabled={isBusy} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isBusy}>
        Reject
      </Button>
    </form>
  );
}

function Detail({ opened }: { opened: OpenApproval }) {
  const { approval, rehearsal, proposed, hasMoved, problem, summary, input, sent } = opened;
  const narrow = useNarrow();
  const administers = isAdministrator(useSession());
  const shown = rehearsal ?? proposed;
  const posts = shown.transactions.length > 0;
  return (
    <>
      <DetailHead
        one={approval}
        when={
          <>
            proposed <MomentText value={approval.createdAt} />
          </>
        }
      />
      {problem !== null && <InlineAlert kind="Error">{problem}</InlineAlert>}
      <div className="ap-why-box">
        <p>
          <b>Why it needs approval.</b> {approval.why}.
        </p>
        {administers && <Link to={`/apikeys?policy=${approval.keyId}`}>Open Policy</Link>}
      </div>
      <h3>Effects of This Change</h3>
      <p className="ek-second">{summary}</p>
      <div className="ap-effects">
        <div>
          {posts && <EffectsDetails rehearsal={shown} isWide={!narrow} {...(hasMoved && { earlier: proposed })} />}
          <Input input={input} sent={sent} isOpen={!posts} />
        </div>
        {posts && (
          <Facts
            facts={[
              {
                label: 'Possible Duplicates',
                value:
                  shown.duplicates.length === 0 ? (
                    <Status look="done">None</Status>
                  ) : (
                    <Status look="low">{shown.duplicates.length}</Status>
                  ),
              },
              {
                label: 'Closed Period',
                value: shown.transactions.some(({ closed }) => closed) ? (
                  <Status look="low">Closed</Status>
                ) : (
                  <Status look="done">Open</Status>
                ),
              },
            ]}
          />
        )}
      </div>
      <AgentMessage text={approval.message} />
    </>
  );
}

/**
 * Every field that the agent sent, because entries don't show all of them. If a user edited the proposal, shows the
 * fields next to those that the agent sent.
 */
function Input({ input, sent, isOpen }: { input: unknown; sent: unknown; isOpen: boolean }) {
  const isChanged = isGiven(sent);
  const rows = changedRows(input, isChanged ? sent : input);
  if (rows.length === 0) return null;
  return (
    <details className="ap-input" open={isOpen || isChanged}>
      <summary>{isChanged ? 'Fields of This Change' : 'Fields That the Agent Sent'}</summary>
      <MiniTable
        label="Fields"
        columns={[
          { header: 'Field', className: 'ek-second', render: ({ name }) => nameWords(name) },
          {
            header: 'Value',
            render: ({ text, sent: before }) =>
              text === before ? text : <mark className="rh-moved">{text === '' ? 'Removed' : text}</mark>,
          },
          ...(isChanged
            ? [
                {
                  header: 'Sent by the Agent',
                  className: 'ek-second',
                  render: ({ sent: before }: ChangedRow) => before,
                },
              ]
            : []),
        ]}
        rows={rows}
        keyOf={({ name }) => name}
      />
    </details>
  );
}
