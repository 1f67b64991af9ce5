import { Amount } from '../../ui/show/Amount.tsx';
import type { PageTableProps } from './pageColumns.ts';
import type { ChosenFigure, PageCell } from './reportRows.ts';

interface FigureCellProps extends Pick<PageTableProps, 'onFigure'> {
  cell: PageCell;
  /** Whether to show the currency sign, which appears only in the totals of the whole report. */
  hasSign: boolean;
  /** Whether the table shows whole dollars. */
  isWhole?: boolean;
  behind: ChosenFigure | undefined;
}

/** A cell's amount or text. It is a button if it has a source. */
export function FigureCell({ cell, hasSign, isWhole = false, behind, onFigure }: FigureCellProps) {
  const figure =
    'text' in cell ? (
      <Words cell={cell} />
    ) : (
      <Amount value={cell.amount} zero="dash" sign={hasSign} isWhole={isWhole} />
    );
  if (behind === undefined || onFigure === undefined) return figure;
  return (
    <button
      type="button"
      className="rp-figure"
      title="Show the entries in this amount"
      onClick={() => onFigure(behind)}
    >
      {figure}
    </button>
  );
}

/** The closing parenthesis of a percentage extends beyond its column, like that of an amount. */
function Words({ cell }: { cell: Extract<PageCell, { text: string }> }) {
  if (cell.isRight !== true || !cell.text.endsWith(')')) return cell.text;
  return (
    <>
      {cell.text.slice(0, -1)}
      <span className="ek-hang">)</span>
    </>
  );
}
