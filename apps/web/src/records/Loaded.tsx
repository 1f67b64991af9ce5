import type { ReactNode } from 'react';
import type { Read } from '../client/api.ts';
import { ErrorState } from '../ui/show/EmptyState.tsx';

export interface LoadedProps<T> {
  read: Pick<Read<T>, 'value' | 'error' | 'retry'>;
  children: (value: T) => ReactNode;
}

/** A read in its place: Loading until it is there, and a failure with Retry. */
export function Loaded<T>({ read: { value, error, retry }, children }: LoadedProps<T>) {
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (value === undefined) return <p role="status">Loading...</p>;
  return children(value);
}
