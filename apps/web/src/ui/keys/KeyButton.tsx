import './keys.css';

export interface KeyButtonProps {
  keys: readonly string[];
  label: string;
  /** Shows only the key, without a label. */
  short?: boolean;
  onClick: (click: { detail: number }) => void;
}

/** A keyboard shortcut as a button with the same label, so that it also works with the mouse. */
export function KeyButton({ keys, label, short = false, onClick }: KeyButtonProps) {
  return (
    <button type="button" className="ek-keybutton" aria-label={label} title={label} onClick={onClick}>
      {keys.map((key) => (
        <kbd key={key} className="ek-key">
          {key}
        </kbd>
      ))}
      {!short && <span>{label}</span>}
    </button>
  );
}
