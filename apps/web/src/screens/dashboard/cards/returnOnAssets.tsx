import type { ReturnOnAssets } from '@evenkeel/contract/dashboard';
import { formatUsd, negate } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { PROFIT_AND_LOSS } from '@evenkeel/core/reports/names';
import { percentText } from '../words.ts';
import { type BodyProps, cardKind, Explain, quotientFigure } from './kind.tsx';
import { Percent } from './Percent.tsx';

export const returnOnAssets = cardKind('returnOnAssets', {
  about:
    'Net income for the period as a percentage of average assets. Below 0 is a loss. Below 20 is low, but a month or ' +
    'quarter rarely reaches 20.',
  report: PROFIT_AND_LOSS,
  Body: ReturnBody,
  explain: (name, { roaPercent, averageAssets, parts }) => {
    if (name === 'average') {
      const [title, how] = ['Average assets', 'the average of the start and end of the period'];
      return quotientFigure({ title, how, figure: formatUsd(averageAssets), of: ['opening', 'closing'] }, parts);
    }
    if (name !== 'percent') return undefined;
    const figure = roaPercent === null ? NOTHING : percentText(roaPercent);
    const [title, how] = ['Return on Assets', 'net income as a percentage of average assets'];
    return quotientFigure({ title, how, figure, of: ['net', 'opening', 'closing'] }, parts);
  },
});

function ReturnBody({ card }: Pick<BodyProps<ReturnOnAssets>, 'card'>) {
  const { roaPercent, netIncome, averageAssets } = card;
  const isLoss = netIncome < 0;
  const none = averageAssets < 0 ? 'Assets are negative' : 'No assets in this period';
  return (
    <>
      <Percent percent={roaPercent} name="returnOnAssets" none={none} />
      <div className="db-foot ek-second ek-num">
        <span>
          <Explain name="returnOnAssets.net">{formatUsd(isLoss ? negate(netIncome) : netIncome)}</Explain>{' '}
          {isLoss ? 'lost' : 'earned'} on <Explain name="returnOnAssets.average">{formatUsd(averageAssets)}</Explain> of
          assets
        </span>
      </div>
    </>
  );
}
