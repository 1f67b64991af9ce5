interface LeftOutProps {
  of: readonly { id: number; displayName: string }[];
  busy: boolean;
  /** "Remind": the button says "Remind Again". */
  verb: string;
  onBack: (customerId: number) => void;
}

/** Customers who are left out, each with the way back. */
export function LeftOut({ of, busy, verb, onBack }: LeftOutProps) {
  if (of.length === 0) return null;
  return (
    <div>
      <h3 className="ek-semi">Excluded</h3>
      {of.map(({ id, displayName }) => (
        <div key={id}>
          {displayName}{' '}
          <button
            type="button"
            className="ek-link"
            disabled={busy}
            aria-label={`${verb} ${displayName} again`}
            onClick={() => onBack(id)}
          >
            {verb} Again
          </button>
        </div>
      ))}
    </div>
  );
}
