import { ErrorState } from '../show/EmptyState.tsx';

/** The error shown in place of a component that could not be loaded. */
export function PartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <ErrorState message="This content could not be loaded. Check your connection and try again." onRetry={onRetry} />
  );
}
