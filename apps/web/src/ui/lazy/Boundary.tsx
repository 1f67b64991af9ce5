import { Component, type ReactNode } from 'react';
import { ErrorState } from '../show/EmptyState.tsx';

interface BoundaryState {
  message: string | undefined;
}

interface BoundaryProps {
  children: ReactNode;
  /** Stands in its place instead of the message and Retry. */
  instead?: () => ReactNode;
}

/** A screen, panel or dialog that cannot be drawn says so in its own place; what stands around it stays. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { message: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { message } = this.state;
    const { children, instead } = this.props;
    if (message === undefined) return children;
    if (instead !== undefined) return instead();
    return <ErrorState message={message} onRetry={() => this.setState({ message: undefined })} />;
  }
}
