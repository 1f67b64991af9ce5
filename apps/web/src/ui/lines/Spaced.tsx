import type { ReactNode } from 'react';

/** A line behind the space of those that are not drawn before it. */
export function Spaced({ gap, span, children }: { gap: number; span: number; children: ReactNode }) {
  return (
    <>
      {gap > 0 && <Gap height={gap} span={span} />}
      {children}
    </>
  );
}

/** The space of lines that are not drawn. */
export function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tbody className="ek-lines-gap" aria-hidden="true">
      <tr>
        <td colSpan={span} style={{ height }} />
      </tr>
    </tbody>
  );
}
