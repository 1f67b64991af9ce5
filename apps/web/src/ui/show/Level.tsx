import './show.css';

export interface LevelProps {
  /** The larger side. Undefined if debits and credits are equal. */
  heavier?: 'debit' | 'credit' | undefined;
  /** The text shown. Defaults to `In Balance` or `Difference`. */
  children?: string;
}

/**
 * The balance indicator: a beam that is level when both sides are equal, and text with the same meaning. Used only in
 * the journal and in reconciliations.
 */
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
