import './show.css';
import type { ReactNode } from 'react';

/** The meaning of a badge. It determines the color, and the icon that conveys the same meaning without color. */
export type StatusLook =
  | 'draft'
  | 'open'
  | 'pending'
  | 'sent'
  | 'hold'
  | 'partial'
  | 'done'
  | 'low'
  | 'late'
  | 'wrong'
  | 'void'
  | 'plain'
  | 'note';

const TONES: Record<StatusLook, string> = {
  draft: 'outline',
  open: 'plain',
  pending: 'warn',
  sent: 'brand',
  hold: 'warn',
  partial: 'brand',
  done: 'good',
  low: 'warn',
  late: 'bad',
  wrong: 'bad',
  void: 'void',
  plain: 'plain',
  note: 'brand',
};

export interface StatusProps {
  look: StatusLook;
  /** The text in sentence case, for example `Overdue 37 days`. */
  children: ReactNode;
}

/** A status with text and an icon. The color adds no information. */
export function Status({ look, children }: StatusProps) {
  return (
    <span className="ek-badge" data-tone={TONES[look]}>
      <Glyph look={look} />
      {children}
    </span>
  );
}

const LINE = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

const SHAPES: Partial<Record<StatusLook, { d: string; width: number }>> = {
  sent: { d: 'M1.5 5h6M5 2l3 3-3 3', width: 1.6 },
  hold: { d: 'M3.2 2v6M6.8 2v6', width: 1.8 },
  done: { d: 'M1.5 5.5 4 8l4.5-6', width: 1.8 },
  low: { d: 'M5 1.5v4.5M5 8.3v.2', width: 1.8 },
  late: { d: 'M5 1.5v4.5M5 8.3v.2', width: 1.8 },
  wrong: { d: 'M2 2l6 6M8 2 2 8', width: 1.8 },
  void: { d: 'M2 2l6 6M8 2 2 8', width: 1.5 },
};

function Glyph({ look }: { look: StatusLook }) {
  if (look === 'plain' || look === 'note') return null;
  const shape = SHAPES[look];
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true">
      {shape === undefined ? <Ring look={look} /> : <path d={shape.d} {...LINE} strokeWidth={shape.width} />}
    </svg>
  );
}

function Ring({ look }: { look: StatusLook }) {
  const dash = look === 'draft' ? { strokeDasharray: '2 1.4' } : {};
  return (
    <>
      <circle
        cx="5"
        cy="5"
        r="3.6"
        {...LINE}
        strokeWidth={look === 'open' || look === 'pending' ? 1.8 : 1.5}
        {...dash}
      />
      {look === 'partial' && <path d="M5 1.2a3.8 3.8 0 0 1 0 7.6z" fill="currentColor" />}
    </>
  );
}
