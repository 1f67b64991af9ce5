import { Button } from '@mantine/core';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';

export interface StaleChoiceProps {
  /** Takes what the other has saved instead of what was typed. */
  onTheirs: () => void;
  /** Saves what was typed over it. */
  onMine: () => void;
}

/** After a stale save (409): whose version stays is the person's choice. */
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
