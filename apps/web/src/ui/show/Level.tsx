import './show.css';

export interface LevelProps {
  /** The heavier side; undefined when debits and credits are equal. */
  heavier?: 'debit' | 'credit' | undefined;
  /** `In Balance` and `Difference` unless given. */
  children?: string;
}

/** The tilting beam: flat when balanced. The words beside it say the same. Journal and reconciliation only. */
export function Level({ heavier, children }: LevelProps) {
  const balanced = heavier === undefined;
  return (
    <span className="ek-level" data-balanced={balanced ? '' : undefined} data-heavier={heavier}>
      <svg viewBox="0 0 34 20" aria-hidden="true">
        <path className="ek-level-beam" d="M3 7h28" />
        <path d="M17 7v3M13 17l4-7 4 7z" />
      </svg>
      {children ?? (balanced ? 'In Balance' : 'Difference')}
    </span>
  );
}
