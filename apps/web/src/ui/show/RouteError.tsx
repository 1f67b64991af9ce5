import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { EmptyState } from './EmptyState.tsx';

interface CatcherProps {
  /** The location. A change of location resets the error. */
  place: string;
  children: ReactNode;
}

interface Caught {
  message: string | undefined;
  place: string;
}

class Catcher extends Component<CatcherProps, Caught> {
  override state: Caught = { message: undefined, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  static getDerivedStateFromProps({ place }: CatcherProps, before: Caught): Caught | null {
    return place === before.place ? null : { place, message: undefined };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    return (
      <div role="alert">
        <EmptyState
          title="This page could not be displayed"
          hint={message}
          action={<Button onClick={() => window.location.reload()}>Reload</Button>}
        />
      </div>
    );
  }
}

/**
 * Shows an error in place of a screen that can't be rendered, until another screen opens. Typed values are kept as a
 * draft.
 */
export function RouteBoundary({ children }: { children: ReactNode }) {
  return <Catcher place={useLocation().pathname}>{children}</Catcher>;
}
