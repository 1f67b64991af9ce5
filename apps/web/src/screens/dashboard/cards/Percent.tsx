import { type CardKey, GOOD_PERCENT, type Judgement, judgePercent } from '@evenkeel/core/cards';
import { NOTHING } from '@evenkeel/core/nothing';
import { Status } from '../../../ui/show/Status.tsx';
import { Track } from '../charts.tsx';
import { LOOKS, percentText } from '../words.ts';
import { Explain } from './kind.tsx';

const METER_END = 50;

interface PercentProps {
  percent: number | null;
  name: CardKey;
  /** The text shown if the percentage is missing. */
  none: string;
}

/** A percentage with its rating and its position on a scale. */
export function Percent({ percent, name, none }: PercentProps) {
  const judgement = percent === null ? undefined : judgePercent(percent);
  const mark = `${GOOD_PERCENT}%`;
  const words: Readonly<Record<Judgement, string>> = {
    extreme: 'Loss, below 0%',
    bad: `Low, below ${mark}`,
    good: `Good, ${mark} or more`,
  };
  return (
    <>
      <div className="ek-figure">
        <span className="ek-figure-value">
          <Explain name={`${name}.percent`}>{percent === null ? NOTHING : percentText(percent)}</Explain>
        </span>
        {judgement === undefined ? (
          <span className="ek-muted ek-small">{none}</span>
        ) : (
          <Status look={LOOKS[judgement]}>{words[judgement]}</Status>
        )}
      </div>
      <div className="db-meter" aria-hidden="true">
        <Track share={(percent ?? 0) / METER_END} tone={judgement ?? 'c1'} />
        <span>0%</span>
        <span>{mark}</span>
        <span>{METER_END}%</span>
      </div>
    </>
  );
}
