import type { RevenueCard } from '@evenkeel/contract/dashboard';
import { CUSTOM_PERIOD } from '@evenkeel/core/cards';
import { endOfMonth, laterOf, parseDate } from '@evenkeel/core/dates';
import { cents, formatAmount, formatUsd } from '@evenkeel/core/money';
import { PROFIT_AND_LOSS } from '@evenkeel/core/reports/names';
import { useMay } from '../../../client/session.ts';
import { ExplainButton } from '../../../parts/ledger/ExplainButton.tsx';
import { useSeesLedger } from '../../../client/seesLedger.ts';
import { Opener } from '../../../ui/lazy/Opener.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Figure } from '../../../ui/show/Figure.tsx';
import { counted } from '../../../ui/show/words.ts';
import { Columns } from '../charts.tsx';
import { compact, monthText, shareText, TARGET_OF } from '../words.ts';
import { cardKind, entries, type ExplainedFigure } from './kind.tsx';

export const revenue = cardKind('revenue', {
  about:
    'Income minus discounts and returns for the period, compared with your target. If you ' +
    "haven't set a target, the comparison is your budget, the same period a year earlier, or the " +
    'average of earlier periods.',
  report: PROFIT_AND_LOSS,
  Body: RevenueBody,
  explain: (name, card) => {
    if (name === 'target' || name === 'progress') return targetFigure(name, card);
    if (name.startsWith('month-')) return monthFigure(name, card);
    const part = card.earlier?.find((each) => each.name === name);
    return part && { title: `Revenue ${part.label}`, what: entries(part.source, part.credit) };
  },
});

const load = async () => (await import('../TargetBox.tsx')).TargetBox;

/** Revenue compared with its target, and by month. The target can be edited here. */
function RevenueBody({ card }: { card: RevenueCard }) {
  const { revenueAmount, target, months, periodType } = card;
  const may = useMay();
  const seesLedger = useSeesLedger();
  const mayEdit =
    (may('Manage Dashboard') || may('Manage Accounting')) && periodType !== null && periodType !== CUSTOM_PERIOD;
  const isMany = months.length > 7;
  const columns = months.map(({ month, amount }, index) => ({
    key: month,
    name: `revenue.month-${month}`,
    title: `${monthText(month, false)} ${month.slice(0, 4)}: ${formatAmount(amount)}`,
    label: monthText(month, isMany),
    text: isMany || amount === 0 ? '' : compact(amount),
    amount,
    isLast: index === months.length - 1,
  }));
  return (
    <>
      <Figure
        note={
          target === null ? undefined : (
            <ExplainButton name="revenue.target" isAllowed={seesLedger}>
              {noteOf(target)}
            </ExplainButton>
          )
        }
      >
        <ExplainButton name="revenue.revenue" isAllowed={seesLedger}>
          <Amount value={revenueAmount} sign />
        </ExplainButton>
      </Figure>
      <Columns columns={columns} label="Revenue by month" isExplained={seesLedger} />
      <div className="db-foot">
        <span className="ek-second ek-num">
          <ExplainButton name="revenue.progress" isAllowed={seesLedger && target !== null}>
            {progress(card)}
          </ExplainButton>
        </span>
        {mayEdit && (
          <Opener
            popup="dialog"
            load={load}
            box={{ card, period: periodType }}
            button={
              <button type="button" className="ek-link db-to">
                {target === null || target.computed ? 'Set target' : 'Edit target'}
              </button>
            }
          />
        )}
      </div>
    </>
  );
}

function noteOf({ amount, computed, budgeted }: NonNullable<RevenueCard['target']>): string {
  return `of ${formatUsd(amount)} ${budgeted === true ? 'budget' : computed ? 'expected' : 'target'}`;
}

/** Returns the progress, for example "50.50% of target, $346,610.85 to go". */
function progress({ revenueAmount, target }: RevenueCard): string {
  if (target === null) return 'No target yet';
  const share = shareText(revenueAmount, target.amount, true);
  const rest = cents(target.amount - revenueAmount);
  const words = rest > 0 ? `${formatUsd(rest)} to go` : `${formatUsd(cents(-rest))} above`;
  const of =
    target.budgeted === true ? `${share} of budget` : target.computed ? `${share} reached` : `${share} of target`;
  return rest === 0 ? of : `${of}, ${words}`;
}

/** Returns the source of a revenue target or of the progress toward it. */
function targetFigure(name: 'target' | 'progress', card: RevenueCard): ExplainedFigure | undefined {
  const { target, earlier = [], parts = [] } = card;
  if (target === null) return undefined;
  const figure = formatUsd(target.amount);
  if (name === 'progress') {
    const label = target.budgeted === true ? 'Budget' : target.computed ? 'Expected' : 'Target';
    const whole = { name: 'target', label, amount: target.amount };
    const of = target.budgeted === true ? 'budget' : 'target';
    const [title, how] = [`Revenue and ${of}`, `of ${of}`];
    return {
      title,
      what: {
        kind: 'parts',
        figure: shareText(card.revenueAmount, target.amount, true),
        how,
        parts: [...parts, whole],
      },
    };
  }
  if (target.budgeted === true) {
    const how = 'income in the budget';
    return { title: 'Budgeted revenue', what: { kind: 'parts', figure, how, parts: [], words: BUDGET_WORDS } };
  }
  const isYear = earlier[0]?.name === 'earlier-0';
  const made = isYear
    ? 'revenue for the same period a year earlier'
    : `average of ${counted(earlier.length, PERIODS_BEFORE)}`;
  const how = target.computed ? made : `set for a ${TARGET_OF[target.periodType] ?? 'period'}`;
  const title = target.computed ? 'Expected revenue' : 'Revenue target';
  const rest =
    earlier.length === 0 ? 'No revenue in earlier periods.' : `Without a target, the comparison is the ${made}:`;
  return { title, what: { kind: 'parts', figure, how, parts: earlier, ...(!target.computed && { words: rest }) } };
}

const BUDGET_WORDS = 'To use another amount, set a target, or change the budget under Accounting.';
const PERIODS_BEFORE = { one: 'earlier period', many: 'earlier periods' };

/**
 * Returns the source of a month in the revenue chart, limited to the card's period unless the month precedes that
 * period.
 */
function monthFigure(name: string, { parts = [] }: RevenueCard): ExplainedFigure | undefined {
  const month = parseDate(name.replace('month-', ''));
  const source = parts.find((part) => part.name === 'revenue')?.source;
  if (month === undefined || source === undefined) return undefined;
  const end = endOfMonth(month);
  const { from, to } = source;
  const isIn = from !== null && end >= from;
  const dates = { from: isIn ? laterOf(month, from) : month, to: to !== null && end > to ? to : end };
  return {
    title: `Revenue in ${monthText(month, false)} ${month.slice(0, 4)}`,
    what: entries({ ...source, ...dates }, true),
  };
}
