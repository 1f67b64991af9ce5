import './history.css';
import { auditCalls, type AuditChange, type AuditEntry } from '@evenkeel/contract/audit';
import { actWord, auditKindOf } from '@evenkeel/core/words/audit';
import { useState } from 'react';
import { ask, useRead } from '../client/api.ts';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { MomentText } from '../ui/show/MomentText.tsx';
import { wholeList } from './reads.ts';

/**
 * Returns the name of the user who made a change. If a program made the change with the user's API key, adds the key's
 * name.
 */
export const whoWords = ({ person, byKind, byName }: Pick<AuditEntry, 'person' | 'byKind' | 'byName'>): string =>
  byKind === 'key' ? `${person} via ${byName}` : person;

const MOST = 100;

interface Subject {
  /** A key of `auditKinds` in core. */
  kind: string;
  /** The ID of the record. If omitted, the history covers all records of the type, for administrators only. */
  id?: number | undefined;
}

/**
 * The changes to a record, or to all records of a type, newest first: the user, the time, and the old and new value of
 * each field.
 */
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
  /** Whether the entry is about a related item, such as a private link. */
  isBeside: boolean;
}

function Step({ entry, isBeside }: StepProps) {
  const { action, at, kind, reason, changes } = entry;
  const words = isBeside ? auditKindOf(kind).of?.acts[action] : undefined;
  return (
    <li data-act={action}>
      <div className="rc-history-head">
        <b>{words ?? actWord(action)}</b>
        <span className="ek-muted ek-small">
          <MomentText value={at} />
        </span>
      </div>
      <div className="ek-second">{whoWords(entry)}</div>
      {reason !== null && <div>Reason: {reason}</div>}
      {action === 'update' &&
        changes.map((change) => <ChangeLine key={Object.values(change).join()} change={change} />)}
    </li>
  );
}

/** Renders `Due Date 6/10/2026 → 6/25/2026`, with the old value struck through. */
export function ChangeLine({ change: { field, before, after } }: { change: AuditChange }) {
  return (
    <div className="rc-change">
      {field} {before !== null && <s>{before}</s>} {before !== null && <span className="ek-vh">to</span>}
      {before !== null && <span aria-hidden>→</span>} <b>{after ?? 'removed'}</b>
    </div>
  );
}

/** The history at the bottom of a dialog, which loads when it is expanded. */
export function FoldedHistory({ kind, id }: Subject) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="rc-folded" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History</summary>
      {isOpen && <History kind={kind} id={id} />}
    </details>
  );
}

/** The audit log types, by form name. */
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

/** The audit log types whose records all share one form. */
const WHOLE_KINDS: Readonly<Record<string, string>> = {
  financial: 'setting',
  sending: 'sending settings',
  reminders: 'reminders',
};

/**
 * Returns the record whose history a form shows. Undefined for a new record, or if the history is on another screen.
 */
export function historyOf({ name, id }: { name: string; id: number }): Subject | undefined {
  const [whole, kind] = [WHOLE_KINDS[name], KINDS[name]];
  if (whole !== undefined) return { kind: whole };
  return kind === undefined || id <= 0 ? undefined : { kind, id };
}
