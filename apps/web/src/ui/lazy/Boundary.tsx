import { Component, type ReactNode } from 'react';
import { ErrorState } from '../show/EmptyState.tsx';

interface BoundaryState {
  message: string | undefined;
}

/** A screen, panel or dialog that cannot be drawn says so in its own place; what stands around it stays. */
export class Boundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { message: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    return <ErrorState message={message} onRetry={() => this.setState({ message: undefined })} />;
  }
}
