import type { ComponentProps, ReactNode, RefObject } from 'react';

interface TableFrameProps extends ComponentProps<'table'> {
  /** The box around it, which scrolls. */
  container: RefObject<HTMLDivElement | null>;
  /** Below the table, in its box. */
  after?: ReactNode;
}

/** The table of a list in its box. */
export function TableFrame({ container, after, ...table }: TableFrameProps) {
  return (
    <div className="ek-tw" ref={container}>
      <table className="ek-t ek-heads" {...table} />
      {after}
    </div>
  );
}
