import type { CurrentRatio } from '@evenkeel/contract/dashboard';
import { type Judgement, judgeRatio } from '@evenkeel/core/cards';
import type { Cents } from '@evenkeel/core/money';
import { BALANCE_SHEET } from '@evenkeel/core/reports/names';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Status } from '../../../ui/show/Status.tsx';
import { LOOKS, ratioText } from '../words.ts';
import { type BodyProps, cardKind, Explain, quotientFigure } from './kind.tsx';

export const currentRatio = cardKind('currentRatio', {
  about:
    'Current ratio: current assets divided by current liabilities. Quick ratio: the same, ' +
    'without inventory and other assets that take time to sell. A ratio below 1 means that you owe ' +
    'more in the near term than you have available.',
  report: BALANCE_SHEET,
  isAsOf: true,
  Body: RatioBody,
  explain: (name, { currentRatio: ratio, quickRatio: quick, parts }) => {
    if (name === 'current') {
      const [title, how] = ['Current Ratio', 'assets divided by liabilities'];
      return quotientFigure({ title, how, figure: ratioText(ratio), of: ['assets', 'liabilities'] }, parts);
    }
    if (name !== 'quickRatio') return undefined;
    const [title, how] = ['Quick Ratio', 'quick assets divided by liabilities'];
    return quotientFigure({ title, how, figure: ratioText(quick), of: ['quick', 'liabilities'] }, parts);
  },
});

function RatioBody({ card }: Pick<BodyProps<CurrentRatio>, 'card'>) {
  const { currentRatio, quickRatio, currentAssets, currentLiabilities } = card;
  const judgement = currentRatio === null ? undefined : judgeRatio(currentRatio);
  const extreme = currentLiabilities < 0 ? 'Negative liabilities' : 'Overdrawn';
  const words: Readonly<Record<Judgement, string>> = { extreme, bad: 'Low, below 1', good: 'Good' };
  const ratios = [
    { key: 'current', name: 'Current Ratio', value: currentRatio },
    { key: 'quickRatio', name: 'Quick Ratio', value: quickRatio },
  ];
  return (
    <>
      <div className="db-ratios">
        {ratios.map(({ key, name, value }) => (
          <div key={key}>
            <span className="ek-figure-value">
              <Explain name={`currentRatio.${key}`}>{ratioText(value)}</Explain>
            </span>
            <span className="ek-muted ek-small">{name}</span>
          </div>
        ))}
        {judgement === undefined ? (
          <span className="ek-muted ek-small">No current liabilities</span>
        ) : (
          <Status look={LOOKS[judgement]}>{words[judgement]}</Status>
        )}
      </div>
      <ul className="db-lines db-end">
        <Line name="assets" label="Current assets" amount={currentAssets} />
        <Line name="liabilities" label="Current liabilities" amount={currentLiabilities} />
      </ul>
    </>
  );
}

function Line({ name, label, amount }: { name: string; label: string; amount: Cents }) {
  return (
    <li>
      <span className="ek-second">{label}</span>
      <Explain name={`currentRatio.${name}`}>
        <Amount value={amount} zero="dash" />
      </Explain>
    </li>
  );
}
