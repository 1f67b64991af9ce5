import { Button } from '@mantine/core';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import type { Remove } from './useRemove.ts';

/** After a stale save: theirs instead of what was typed, or what was typed over theirs. */
export function StaleChoice({ onTheirs, onMine }: { onTheirs: () => void; onMine: () => void }) {
  return (
    <InlineAlert kind="Warning">
      <div className="bl-stale">
        <span>Someone else has saved this meanwhile. What you typed is still here.</span>
        <Button variant="default" onClick={onTheirs}>
          Reload theirs
        </Button>
        <Button variant="default" onClick={onMine}>
          Keep mine
        </Button>
      </div>
    </InlineAlert>
  );
}

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
