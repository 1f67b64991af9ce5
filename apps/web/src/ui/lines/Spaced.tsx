import type { ReactNode } from 'react';

/** A line preceded by empty space for the lines that are not rendered. */
export function Spaced({ gap, span, children }: { gap: number; span: number; children: ReactNode }) {
  return (
    <>
      {gap > 0 && <Gap height={gap} span={span} />}
      {children}
    </>
  );
}

/** The empty space for lines that are not rendered. */
export function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tbody className="ek-lines-gap" aria-hidden="true">
      <tr>
        <td colSpan={span} style={{ height }} />
      </tr>
    </tbody>
  );
}
