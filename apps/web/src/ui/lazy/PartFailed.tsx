import { ErrorState } from '../show/EmptyState.tsx';

/** In the place of a part that could not be fetched. */
export function PartFailed({ onRetry }: { onRetry: () => void }) {
  return <ErrorState message="This could not be loaded. Check your connection and try again." onRetry={onRetry} />;
}
