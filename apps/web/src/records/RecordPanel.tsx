import type { ReactNode } from 'react';
import { SidePanel, type SidePanelProps } from '../ui/overlay/SidePanel.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import type { Read } from '../client/api.ts';

export interface RecordPanelProps<One> extends Pick<SidePanelProps, 'onClose' | 'footer' | 'isHome' | 'edit' | 'bar'> {
  read: Read<One>;
  /** The title while the record loads. */
  kind: string;
  title: (one: One) => ReactNode;
  /** Returns the text below the title. */
  note?: (one: One) => ReactNode;
  beside?: (one: One) => ReactNode;
  /** The controls before Close, which are shown after the record has loaded. */
  tools?: ReactNode;
  /** Content above the record that is shown even while the record loads, for example Back. */
  above?: ReactNode;
  children: (one: One) => ReactNode;
}

/** A record next to its list. Shows a loading state, an error with Retry but no other actions, or the record. */
export function RecordPanel<One>(props: RecordPanelProps<One>) {
  const { read, kind, title, note, beside, tools, above, children, onClose, footer, isHome, edit, bar } = props;
  const { value, error } = read;
  return (
    <SidePanel
      title={value === undefined ? kind : title(value)}
      {...(isHome === undefined ? {} : { isHome })}
      note={value === undefined ? undefined : note?.(value)}
      beside={value !== undefined && beside?.(value)}
      tools={value !== undefined && tools}
      edit={value === undefined ? undefined : edit}
      isWaiting={value === undefined}
      onClose={onClose}
      footer={error === undefined ? footer : undefined}
      bar={value === undefined ? undefined : bar}
    >
      {above}
      {error !== undefined && <ErrorState message={error} onRetry={read.retry} />}
      {error === undefined && value === undefined && <p role="status">Loading...</p>}
      {error === undefined && value !== undefined && children(value)}
    </SidePanel>
  );
}
