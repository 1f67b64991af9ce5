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
        <p>Someone else has saved this meanwhile. What you typed is still here.</p>
        <div className="ek-row">
          <Button variant="default" onClick={onTheirs}>
            Reload theirs
          </Button>
          <Button variant="default" onClick={onMine}>
            Keep mine
          </Button>
        </div>
      </div>
    </InlineAlert>
  );
}
