import { type Cents, sum } from '@evenkeel/core/money';
import { ExplainButton } from '../../parts/ledger/ExplainButton.tsx';

/** Simple charts made of rectangles. They are decorative, because the amounts always appear as text next to them. */

export interface BarProps {
  /** The parts with their colors (see dashboard.css). Parts that are not positive are omitted. */
  parts: readonly { tone: string; amount: Cents }[];
}

const WIDTH = 340;
const GAP = 1.5;

/** A bar divided into parts. */
export function PartsBar({ parts }: BarProps) {
  const drawn = parts.filter(({ amount }) => amount > 0);
  const total = sum(drawn.map(({ amount }) => amount));
  const room = WIDTH - GAP * Math.max(0, drawn.length - 1);
  const before = (index: number): number => sum(drawn.slice(0, index).map(({ amount }) => amount));
  return (
    <svg className="db-bar" viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
      {drawn.length === 0 && <rect className="db-track" width={WIDTH} height="10" />}
      {drawn.map(({ tone, amount }, index) => (
        <rect
          key={tone}
          className={`db-${tone}`}
          x={(before(index) / total) * room + index * GAP}
          width={(amount / total) * room}
          height="10"
        />
      ))}
    </svg>
  );
}

/** A bar on a track that shows a share from 0 to 1. */
export function Track({ share, tone = 'c1', height = 8 }: { share: number; tone?: string; height?: number }) {
  const width = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
  return (
    <svg className="db-bar" viewBox={`0 0 1 ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="db-track" width="1" height={height} />
      <rect className={`db-${tone}`} width={width} height={height} />
    </svg>
  );
}

export interface Column {
  key: string;
  /** The amount's name in the URL. */
  name: string;
  /** The full text for screen readers. */
  title: string;
  label: string;
  /** The text above the column. Empty if there isn't room for text above every column. */
  text: string;
  amount: Cents;
  isLast: boolean;
}

const HEIGHT = 44;

interface ColumnsProps {
  columns: readonly Column[];
  label: string;
  /** Whether each column opens its entries. */
  isExplained: boolean;
}

/** Columns on a baseline. Negative amounts extend below the baseline. */
export function Columns({ columns, label: listLabel, isExplained }: ColumnsProps) {
  const amounts = columns.map(({ amount }) => amount);
  const [top, bottom] = [Math.max(0, ...amounts), Math.min(0, ...amounts)];
  const scale = HEIGHT / (top - bottom || 1);
  // Without amounts, the baseline is at the bottom.
  const base = top === bottom ? HEIGHT - 1 : Math.min(HEIGHT - 1, top * scale);
  return (
    <ul className="db-columns" aria-label={listLabel} data-many={columns.length > 7 ? '' : undefined}>
      {columns.map(({ key, name, title, label, text, amount, isLast }) => (
        <li key={key} title={title}>
          <ExplainButton name={name} isAllowed={isExplained} label={title}>
            <span aria-hidden="true" className="db-column">
              <span className="ek-second">{text}</span>
              <svg viewBox={`0 0 40 ${HEIGHT}`} preserveAspectRatio="none">
                <rect className="db-base" width="40" y={base} height="1" />
                <rect
                  className={isLast ? 'db-c2' : 'db-c1'}
                  width="40"
                  y={(top - Math.max(0, amount)) * scale}
                  height={Math.abs(amount) * scale}
                />
              </svg>
              <span className="ek-muted">{label}</span>
            </span>
          </ExplainButton>
        </li>
      ))}
    </ul>
  );
}
