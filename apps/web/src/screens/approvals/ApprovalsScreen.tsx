import './approvals.css';
import { agentCalls, APPROVAL_PARTS, type ApprovalPart } from '@evenkeel/contract/agents';
import { useNavigate } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { isAdministrator, useSession } from '../../client/session.ts';
import { useAddressChoice, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { Page } from '../../ui/page/Page.tsx';
import { EmptyState, ErrorState } from '../../ui/show/EmptyState.tsx';
import { ChangeModal } from './ChangeModal.tsx';
import { Decided } from './Decided.tsx';
import { Waiting } from './Waiting.tsx';
import { COUNTS } from './WaitingCount.tsx';

const LABELS = { waiting: 'Waiting', approved: 'Approved', rejected: 'Rejected' } as const;
const EMPTY = {
  waiting: 'No changes are waiting for approval',
  approved: 'No approved changes',
  rejected: 'No rejected changes',
} as const;

/** The polling interval of the list in ms. The list grows while agents work. */
const LIVE_MS = 30_000;

/** Agents' changes that are waiting for a decision, and changes that have been decided. */
export function ApprovalsScreen() {
  const administers = isAdministrator(useSession());
  const navigate = useNavigate();
  const place = usePlace();
  const narrow = useNarrow();
  const [part] = useAddressChoice<ApprovalPart>('tab', APPROVAL_PARTS);
  const open = useOpenRecord('approval', { hasNew: false });
  const editing = useOpenRecord('edit', { hasNew: false });
  const counts = useRead(COUNTS, { everyMs: LIVE_MS });
  const {
    value: list,
    error,
    retry,
  } = useRead(ask(agentCalls.listApprovals, { query: { status: part } }), {
    everyMs: LIVE_MS,
    alert: 'Error Loading Approvals',
  });
  const id = open.id ?? (narrow ? undefined : list?.[0]?.id);
  const choose = (next: ApprovalPart) =>
    place.go({ tab: next === 'waiting' ? undefined : next, approval: undefined }, { step: [] });
  return (
    <Page<ApprovalPart>
      title="Approvals"
      tabs={{
        tabs: APPROVAL_PARTS.map((value) => ({ value, label: LABELS[value], count: counts.value?.[value] })),
        value: part,
        onChange: choose,
      }}
      secondary={
        administers
          ? [{ label: 'Agent Policies', icon: null, quiet: true, onClick: () => void navigate('/apikeys') }]
          : []
      }
    >
      {list === undefined && error !== undefined && <ErrorState message={error} onRetry={() => void retry()} />}
      {list === undefined && error === undefined && (
        <p className="ek-page-pad ek-muted" role="status">
          Loading...
        </p>
      )}
      {list !== undefined && list.length === 0 && open.id === undefined && (
        <EmptyState
          title={EMPTY[part]}
          hint={part === 'waiting' ? "Agents' changes that exceed the policy of their API key appear here." : undefined}
        />
      )}
      {list !== undefined &&
        (list.length > 0 || open.id !== undefined) &&
        (part === 'waiting' ? (
          <Waiting key={part} list={list} id={id} open={open} onEdit={editing.open} />
        ) : (
          <Decided key={part} list={list} id={id} open={open} />
        ))}
      {editing.id !== undefined && <ChangeModal key={editing.id} id={editing.id} onClose={editing.close} />}
    </Page>
  );
}
