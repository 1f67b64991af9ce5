import { Button } from '@mantine/core';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';

export interface StaleChoiceProps {
  /** Replaces the user's edits with the other user's version. */
  onTheirs: () => void;
  /** Overwrites the other user's version with this user's edits. */
  onMine: () => void;
}

/** Lets the user choose which version to keep after a save is rejected as outdated (409). */
export function StaleChoice({ onTheirs, onMine }: StaleChoiceProps) {
  return (
    <InlineAlert kind="Warning">
      <div className="ek-stack">
        <p>Someone else saved changes to this record. Your changes are still here.</p>
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
