import type { ProfitMargin } from '@evenkeel/contract/dashboard';
import { formatUsd } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { PROFIT_AND_LOSS } from '@evenkeel/core/reports/names';
import { percentText } from '../words.ts';
import { type BodyProps, cardKind, Explain, quotientFigure } from './kind.tsx';
import { Percent } from './Percent.tsx';

export const profitMargin = cardKind('profitMargin', {
  about:
    'Profit as a percentage of income. Gross profit is before expenses, and net profit is after ' +
    'expenses. Below 0 is a loss. Below 20 is low.',
  report: PROFIT_AND_LOSS,
  Body: MarginBody,
  explain: (name, { profitMarginPercent: percent, parts }) => {
    if (name !== 'percent') return undefined;
    const figure = percent === null ? NOTHING : percentText(percent);
    const how = 'profit as a percentage of income';
    return quotientFigure({ title: 'Profit Margin', how, figure, of: ['profit', 'income'] }, parts);
  },
});

const PL_TYPES = ['Gross', 'Net'];

function MarginBody({ card, choosePlType }: BodyProps<ProfitMargin>) {
  const { profitMarginPercent, netProfitLoss, pltype, income } = card;
  const kind = PL_TYPES[pltype] ?? '';
  const none = income < 0 ? 'Income is negative' : 'No income in this period';
  return (
    <>
      <Percent percent={profitMarginPercent} name="profitMargin" none={none} />
      <div className="db-foot">
        <span className="db-switch" role="group" aria-label="Profit">
          {PL_TYPES.map((name, value) => (
            <button key={name} type="button" aria-pressed={value === pltype} onClick={() => choosePlType(value)}>
              {name}
            </button>
          ))}
        </span>
        <span className="ek-second ek-num">
          {kind} {netProfitLoss < 0 ? 'loss' : 'profit'}{' '}
          <Explain name="profitMargin.profit">{formatUsd(netProfitLoss)}</Explain>
        </span>
      </div>
    </>
  );
}
