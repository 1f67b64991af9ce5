import type { ReactNode } from 'react';
import type { Read } from '../client/api.ts';
import { ErrorState } from '../ui/show/EmptyState.tsx';

export interface LoadedProps<T> {
  read: Pick<Read<T>, 'value' | 'error' | 'retry'>;
  children: (value: T) => ReactNode;
}

/** Shows a loading state until the read is complete, and an error with Retry if it fails. */
export function Loaded<T>({ read: { value, error, retry }, children }: LoadedProps<T>) {
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (value === undefined) return <p role="status">Loading...</p>;
  return children(value);
}
