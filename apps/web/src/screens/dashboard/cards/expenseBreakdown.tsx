import type { ExpenseBreakdown } from '@evenkeel/contract/dashboard';
import { chartLabel } from '@evenkeel/core/cards';
import { type Cents, sum } from '@evenkeel/core/money';
import { PROFIT_AND_LOSS } from '@evenkeel/core/reports/names';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Track } from '../charts.tsx';
import { shareText } from '../words.ts';
import { ALL_OTHER, type BodyProps, cardKind, Explain, type ExplainedFigure, linesFigure, mostOf } from './kind.tsx';

export const expenseBreakdown = cardKind('expenseBreakdown', {
  about: 'Expenses and cost of goods sold in the period, by account category.',
  report: PROFIT_AND_LOSS,
  Body: ExpenseBody,
  explain: (name, card) => (name.startsWith('share-') ? shareFigure(name, card) : categoryFigureOf(name, card)),
});

/** The maximum number of categories shown. */
const MOST_CATEGORIES = 6;

/** Returns the categories that fit on the card, and the categories combined in its last line. */
function categoriesShown<T extends { categoryName: string; total: Cents }>(categories: readonly T[]) {
  if (categories.length <= MOST_CATEGORIES) return { shown: categories, rest: [] };
  const rest = categories.slice(MOST_CATEGORIES - 1);
  const other = { categoryName: ALL_OTHER, total: sum(rest.map(({ total }) => total)) };
  return { shown: [...categories.slice(0, MOST_CATEGORIES - 1), other], rest };
}

/** Returns the URL name of a category's amount. */
function categoryFigure(categoryName: string): string {
  return `category-${categoryName}`;
}

/** Returns the source of a category's share of total expenses. */
function shareFigure(name: string, { categories, total, parts = [] }: ExpenseBreakdown): ExplainedFigure | undefined {
  const figure = name.replace('share-', '');
  const one = categoriesShown(categories).shown.find(({ categoryName }) => categoryFigure(categoryName) === figure);
  if (one === undefined) return undefined;
  const part = { name: figure, label: one.categoryName, amount: one.total };
  return {
    title: `Share for ${one.categoryName}`,
    what: { kind: 'parts', figure: shareText(one.total, total, true), how: 'of all expenses', parts: [part, ...parts] },
  };
}

/** Returns the source of a category's amount, or of the line for all other categories. */
function categoryFigureOf(name: string, { categories }: ExpenseBreakdown): ExplainedFigure | undefined {
  const isRest = name === categoryFigure(ALL_OTHER) && !categories.some((one) => one.categoryName === ALL_OTHER);
  const lines = isRest
    ? categoriesShown(categories).rest
    : categories.filter((one) => categoryFigure(one.categoryName) === name);
  const [line] = lines;
  return line && linesFigure(lines.length > 1 ? ALL_OTHER : line.categoryName, lines);
}

function ExpenseBody({ card }: Pick<BodyProps<ExpenseBreakdown>, 'card'>) {
  const { categories, total } = card;
  const { shown } = categoriesShown(categories);
  const most = mostOf(shown.map((one) => one.total));
  if (shown.length === 0) return <p className="db-none ek-muted">No expenses in this period</p>;
  return (
    <>
      <ul className="db-categories">
        {shown.map(({ categoryName, total: amount }) => (
          <li key={categoryName}>
            <span title={categoryName}>
              <span aria-hidden="true">{chartLabel(categoryName)}</span>
              <span className="ek-vh">{categoryName}</span>
            </span>
            <Track share={amount / most} />
            <Explain name={`expenseBreakdown.${categoryFigure(categoryName)}`}>
              <Amount value={amount} />
            </Explain>
            <span className="ek-muted ek-num">
              <Explain name={`expenseBreakdown.share-${categoryFigure(categoryName)}`}>
                {shareText(amount, total)}
              </Explain>
            </span>
          </li>
        ))}
      </ul>
      <div className="db-foot">
        <span className="ek-second">Total</span>
        <Explain name="expenseBreakdown.total">
          <Amount value={total} sign />
        </Explain>
      </div>
    </>
  );
}
