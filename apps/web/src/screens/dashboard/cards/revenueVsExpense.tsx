import type { RevenueVsExpense } from '@evenkeel/contract/dashboard';
import { PROFIT_AND_LOSS } from '@evenkeel/core/reports/names';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Track } from '../charts.tsx';
import { type BodyProps, cardKind, Explain, mostOf } from './kind.tsx';

export const revenueVsExpense = cardKind('revenueVsExpense', {
  about:
    'Income compared with expenses for the period. The difference is the net income on the ' +
    'Profit & Loss Statement.',
  report: PROFIT_AND_LOSS,
  Body: RevenueExpenseBody,
});

function RevenueExpenseBody({ card }: Pick<BodyProps<RevenueVsExpense>, 'card'>) {
  const { revenue, totalExpense, otherIncome, netProfitLoss } = card;
  const most = mostOf([revenue, totalExpense]);
  const bars = [
    { key: 'revenue', name: 'Revenue', amount: revenue, tone: 'c1' },
    { key: 'expense', name: 'Expense', amount: totalExpense, tone: 'c3' },
  ];
  return (
    <>
      <ul className="db-pair">
        {bars.map(({ key, name, amount, tone }) => (
          <li key={key}>
            <span className="ek-second">{name}</span>
            <Explain name={`revenueVsExpense.${key}`}>
              <Amount value={amount} />
            </Explain>
            <Track share={amount / most} tone={tone} height={12} />
          </li>
        ))}
      </ul>
      <ul className="db-lines db-end">
        {otherIncome !== 0 && (
          <li>
            <span className="ek-second">Other income in revenue</span>
            <Explain name="revenueVsExpense.otherIncome">
              <Amount value={otherIncome} />
            </Explain>
          </li>
        )}
        <li className="db-sum">
          <span>{netProfitLoss < 0 ? 'Net loss' : 'Net profit'}</span>
          <Explain name="revenueVsExpense.net">
            <Amount value={netProfitLoss} sign />
          </Explain>
        </li>
      </ul>
    </>
  );
}
