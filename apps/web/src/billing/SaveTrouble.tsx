import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import type { Remove } from './useRemove.ts';

export interface ClosingReasonProps {
  value: string;
  onChange: (reason: string) => void;
}

/** An administrator's reason for changing what lies on or before the closing date; it is kept in the audit log. */
export function ClosingReason({ value, onChange }: ClosingReasonProps) {
  return (
    <TextField
      id="closing-reason"
      label="Reason for changing closed books"
      hint="Kept in the audit log. Then try again."
      value={value}
      onChange={onChange}
      maxLength={500}
      autoFocus
    />
  );
}

/** Why it was not deleted, and the reason that would let an administrator; Confirm Delete is still there. */
export function RemoveTrouble({ remove }: { remove: Remove }) {
  if (remove.error === undefined) return null;
  return (
    <>
      <InlineAlert kind="Error">{remove.error}</InlineAlert>
      {remove.asksReason && <ClosingReason value={remove.reason} onChange={remove.setReason} />}
    </>
  );
}
