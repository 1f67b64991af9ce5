import type { ComponentProps } from 'react';

export interface PartTableProps extends Pick<ComponentProps<'table'>, 'className' | 'onFocus' | 'ref' | 'children'> {
  label: string;
  /** All its rows, where only those in view are in the document. */
  rowCount?: number | undefined;
  [mark: `data-${string}`]: string | undefined;
}

/** A table that draws its rows itself. One of which a long body is drawn in part tells how many rows there are. */
export function PartTable({ label, rowCount, ...table }: PartTableProps) {
  return <table aria-label={label} aria-rowcount={rowCount} {...table} />;
}
