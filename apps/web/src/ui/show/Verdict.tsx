import './show.css';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface VerdictProps {
  tone: 'good' | 'bad';
  title: string;
  /** The sentence below the title. */
  children: ReactNode;
  /** The one amount that the result is about, with its name. */
  figure: ReactNode;
  note: string;
}

const GLYPH = { size: 22, stroke: 2, 'aria-hidden': true } as const;

/**
 * The result of a check, shown once per page: a title, a sentence, and one amount. An icon conveys the result without
 * color.
 */
export function Verdict({ tone, title, children, figure, note }: VerdictProps) {
  const Glyph = tone === 'good' ? IconCheck : IconAlertTriangle;
  return (
    <div className="ek-verdict" data-tone={tone}>
      <span className="ek-verdict-glyph">
        <Glyph {...GLYPH} />
      </span>
      <div className="ek-grow">
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
      <div className="ek-verdict-figure">
        <span className="ek-figure-value">{figure}</span>
        <span className="ek-small">{note}</span>
      </div>
    </div>
  );
}
