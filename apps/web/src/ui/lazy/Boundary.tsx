import { Component, type ReactNode } from 'react';
import { ErrorState } from '../show/EmptyState.tsx';

interface BoundaryState {
  message: string | undefined;
}

interface BoundaryProps {
  children: ReactNode;
  /** Returns the content shown instead of the message and Retry. */
  instead?: () => ReactNode;
}

/** Shows an error in place of a screen, panel, or dialog that can't be rendered. The surrounding content stays. */
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
