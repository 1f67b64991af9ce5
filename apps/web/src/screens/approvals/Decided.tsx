import { type Approval, agentCalls } from '@evenkeel/contract/agents';
import { Button } from '@mantine/core';
import { GONE, messageOf, useWrite } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { useOnce } from '../../ui/hooks/once.ts';
import { KeyButton } from '../../ui/keys/KeyButton.tsx';
import { KeysBar } from '../../ui/keys/KeysBar.tsx';
import { useReviewKeys } from '../../ui/keys/useReviewKeys.ts';
import { StepFoot } from '../../ui/overlay/StepFoot.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { AgentMessage, DetailHead, ListAndDetail, type PartProps } from './ApprovalList.tsx';
import { approvalKey } from './approvalWords.ts';

/** The changes that users approved or rejected. An approved change can be undone. */
export function Decided({ list, id, open }: PartProps) {
  const alerts = useAlerts();
  const once = useOnce();
  const undoing = useWrite(agentCalls.undoApproval);
  const one = list.find((each) => each.id === id);
  const at = list.findIndex((each) => each.id === id);
  const undo = () =>
    void once.run(async () => {
      if (one?.canUndo !== true) return undefined;
      try {
        await undoing.mutateAsync({ params: { id: one.id } });
        alerts.success(`${one.title} undone`);
        return true;
      } catch (error) {
        alerts.error(messageOf(error));
        return undefined;
      }
    });
  const step = (by: 1 | -1) => {
    const to = list[Math.max(0, at + by)];
    if (to !== undefined) open.open(to.id);
  };
  useReviewKeys({
    read: approvalKey,
    head: '.ap-row[aria-current]',
    isOn: true,
    onAct: ({ act }) => {
      if (act === 'up' || act === 'down') step(act === 'up' ? -1 : 1);
      if (act === 'undo') undo();
    },
  });
  return (
    <>
      <ListAndDetail list={list} id={id} open={open}>
        {one === undefined ? <ErrorState message={GONE} /> : <DecidedDetail one={one} />}
      </ListAndDetail>
      <KeysBar label="Actions for this proposal">
        <KeyButton keys={['↑']} label="Previous proposal" short onClick={() => step(-1)} />
        <KeyButton keys={['↓']} label="Proposal" onClick={() => step(1)} />
        {one?.canUndo === true && <KeyButton keys={['u']} label="Undo" onClick={undo} />}
      </KeysBar>
      {one?.canUndo === true && (
        <StepFoot note="Undo reverses this change.">
          <Button variant="default" loading={undoing.isPending} onClick={undo}>
            Undo
          </Button>
        </StepFoot>
      )}
    </>
  );
}

const STATES = {
  waiting: <Status look="open">Waiting</Status>,
  approved: <Status look="done">Approved</Status>,
  rejected: <Status look="wrong">Rejected</Status>,
  undone: <Status look="void">Undone</Status>,
} as const;

function DecidedDetail({ one }: { one: Approval }) {
  const { status, decidedBy, decidedAt, reason, why, createdAt, message } = one;
  return (
    <>
      <DetailHead
        one={one}
        when={
          <>
            proposed <MomentText value={createdAt} />
          </>
        }
      />
      <Facts
        facts={[
          { label: 'Status', value: STATES[status] },
          { label: status === 'undone' ? 'Undone By' : 'Decided By', value: decidedBy ?? '' },
          { label: status === 'undone' ? 'Undone' : 'Decided', value: <MomentText value={decidedAt} /> },
          ...(reason === null ? [] : [{ label: 'Reason', value: reason }]),
          { label: 'Why It Needed Approval', value: why },
        ]}
      />
      <AgentMessage text={message} />
    </>
  );
}
