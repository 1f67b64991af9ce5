interface ExcludedCustomersProps {
  of: readonly { id: number; displayName: string }[];
  busy: boolean;
  /** The verb in the button label, for example "Remind" in "Remind Again". */
  verb: string;
  onBack: (customerId: number) => void;
}

/** The excluded customers, each with a button to include them again. */
export function ExcludedCustomers({ of, busy, verb, onBack }: ExcludedCustomersProps) {
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
