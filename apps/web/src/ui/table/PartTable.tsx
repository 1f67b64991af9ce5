import type { ComponentProps } from 'react';

export interface PartTableProps extends Pick<ComponentProps<'table'>, 'className' | 'onFocus' | 'ref' | 'children'> {
  label: string;
  /** The total number of rows, if only the visible ones are in the document. */
  rowCount?: number | undefined;
  [mark: `data-${string}`]: string | undefined;
}

/**
 * A table whose children are its rows. If only part of a long body is rendered, the table declares the total number of
 * rows.
 */
export function PartTable({ label, rowCount, ...table }: PartTableProps) {
  return <table aria-label={label} aria-rowcount={rowCount} {...table} />;
}
