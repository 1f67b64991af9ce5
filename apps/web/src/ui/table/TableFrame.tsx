import type { ComponentProps, ReactNode, RefObject } from 'react';

interface TableFrameProps extends ComponentProps<'table'> {
  /** The scrolling container of the table. */
  container: RefObject<HTMLDivElement | null>;
  /** Shown below the table, in the container. */
  after?: ReactNode;
}

/** The table of a list in its scrolling container. */
export function TableFrame({ container, after, ...table }: TableFrameProps) {
  return (
    <div className="ek-tw" ref={container}>
      <table className="ek-t ek-heads" {...table} />
      {after}
    </div>
  );
}
