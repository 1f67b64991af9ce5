import { Button } from '@mantine/core';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';

export interface StaleChoiceProps {
  /** Replaces the user's edits with the other user's version. */
  onTheirs: () => void;
  /** Saves this user's changes on top of the other user's version. */
  onMine: () => void;
}

/** Lets the user choose which version to keep after a save is rejected as outdated (409). */
export function StaleChoice({ onTheirs, onMine }: StaleChoiceProps) {
  return (
    <InlineAlert kind="Warning">
      <div className="ek-stack">
        <p>
          Someone else saved changes to this record. Your changes are still here. If you keep them, they replace the
          other changes in the same fields only.
        </p>
        <div className="ek-row">
          <Button variant="default" onClick={onTheirs}>
            Load Their Changes
          </Button>
          <Button variant="default" onClick={onMine}>
            Keep My Changes
          </Button>
        </div>
      </div>
    </InlineAlert>
  );
}
