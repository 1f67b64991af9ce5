import './history.css';
import { auditCalls, type AuditChange, type AuditEntry } from '@evenkeel/contract/audit';
import { auditKindOf } from '@evenkeel/core/words/audit';
import { useState } from 'react';
import { ask, useRead } from '../client/api.ts';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { MomentText } from '../ui/show/MomentText.tsx';
import { wholeList } from './reads.ts';

/** The acts of the audit log, as a person says them. */
const ACTS: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  post: 'Posted',
  reverse: 'Reversed',
};
export const actWord = (action: string): string => ACTS[action] ?? action;

const MOST = 100;

interface Subject {
  /** A kind of core's auditKinds. */
  kind: string;
  /** Without it, all records of the kind together, for administrators. */
  id?: number | undefined;
}

/** The changes of a record, or of all of a kind, the newest first: who, when, each field as it was and became. */
export function History({ kind, id }: Subject) {
  const query = { kind, ...(id === undefined ? {} : { record: id }), limit: MOST, desc: 'true' as const };
  const { value, error, retry } = useRead(ask(auditCalls.listAudit, { query }));
  const entries = wholeList(value);
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (entries === undefined) return <p role="status">Loading...</p>;
  if (entries.length === 0) return <p className="ek-muted">No changes recorded yet.</p>;
  return (
    <ol className="rc-history" aria-label="History">
      {entries.map((entry) => (
        <Step key={entry.id} entry={entry} isBeside={entry.kind !== kind} />
      ))}
    </ol>
  );
}

interface StepProps {
  entry: AuditEntry;
  /** It is about something beside the record, such as a private link. */
  isBeside: boolean;
}

function Step({ entry: { action, at, kind, person, reason, changes }, isBeside }: StepProps) {
  const words = isBeside ? auditKindOf(kind).of?.acts[action] : undefined;
  return (
    <li data-act={action}>
      <div className="rc-history-head">
        <b>{words ?? actWord(action)}</b>
        <span className="ek-muted ek-small">
          <MomentText value={at} />
        </span>
      </div>
      <div className="ek-second">{person}</div>
      {reason !== null && <div>Reason: {reason}</div>}
      {action === 'update' &&
        changes.map((change) => <ChangeLine key={Object.values(change).join()} change={change} />)}
    </li>
  );
}

/** `Due Date 6/10/2026 → 6/25/2026`, the old value struck. */
export function ChangeLine({ change: { field, before, after } }: { change: AuditChange }) {
  return (
    <div className="rc-change">
      {field} {before !== null && <s>{before}</s>} {before !== null && <span className="ek-vh">to</span>}
      {before !== null && <span aria-hidden>→</span>} <b>{after ?? 'removed'}</b>
    </div>
  );
}

/** The history at the foot of a dialog, read when it is opened. */
export function FoldedHistory({ kind, id }: Subject) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="rc-folded" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History</summary>
      {isOpen && <History kind={kind} id={id} />}
    </details>
  );
}

/** Kinds of the audit log by the names of their forms. */
const KINDS: Readonly<Record<string, string>> = {
  item: 'product',
  'package deal': 'package',
  package: 'package',
  discount: 'discount',
  category: 'category',
  'profit center': 'profit center',
  location: 'location',
  'account category': 'account category',
  'bank account': 'bankingaccount',
  bankaccount: 'bankingaccount',
  'payment type': 'payment type',
  paymenttype: 'payment type',
  property: 'property',
  glaccount: 'account',
  customer: 'customer',
  vendor: 'vendor',
  company: 'company',
  workitem: 'workitem',
  transfer: 'transfer',
  deposit: 'deposit',
  role: 'role',
  user: 'user',
  salestax: 'salestax',
  bankrule: 'bankrule',
};

/** Kinds whose one form has them all. */
const WHOLE_KINDS: Readonly<Record<string, string>> = {
  financial: 'setting',
  sending: 'sending settings',
  reminders: 'reminders',
};

/** The history that a form shows; undefined for a new record, and where it stands elsewhere. */
export function historyOf({ name, id }: { name: string; id: number }): Subject | undefined {
  const [whole, kind] = [WHOLE_KINDS[name], KINDS[name]];
  if (whole !== undefined) return { kind: whole };
  return kind === undefined || id <= 0 ? undefined : { kind, id };
}
