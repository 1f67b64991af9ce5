import { Button } from '@mantine/core';
import { useRouteError } from 'react-router';
import { EmptyState } from './EmptyState.tsx';

/** In place of a screen that could not be fetched or drawn. What was typed is kept as a draft. */
export function RouteError() {
  const error = useRouteError();
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div role="alert">
      <EmptyState
        title="This screen could not be shown"
        hint={message}
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      />
    </div>
  );
}
