import { FooterBar } from '../../ui/overlay/FooterBar.tsx';
import { counted } from '../../ui/show/words.ts';

export interface SaveBarProps {
  /** The names of the changed settings. An empty list hides the bar. */
  changes: readonly string[];
  busy: boolean;
  onCancel: () => void;
  onSave: () => void;
}

/** The bar below the settings, which names what Save changes. */
export function SaveBar({ changes, busy, onCancel, onSave }: SaveBarProps) {
  if (changes.length === 0) return null;
  const words = `${counted(changes.length, CHANGES)}: ${changes.join(', ')}`;
  return (
    <div className="st-save" role="region" aria-label="Unsaved Changes">
      <FooterBar
        total={
          <span role="status" className="ek-muted ek-small ek-ellipsis" title={words}>
            {words}
          </span>
        }
        actions={[{ label: 'Cancel Changes', quiet: true, disabled: busy, onClick: onCancel }]}
        primary={{ label: 'Save', busy, onClick: onSave }}
      />
    </div>
  );
}

const CHANGES = { one: 'change', many: 'changes' };
