import './figures.css';
import { formatAmount } from '@evenkeel/core/money';
import { IconInfoCircle } from '@tabler/icons-react';
import { Opener } from '../../ui/lazy/Opener.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import type { ListSum } from './sums.ts';

const load = async () => (await import('./SumBox.tsx')).SumBox;

/** A total in a list's footer. Selecting it shows the amounts that it consists of. */
export function SumButton({ sum }: { sum: ListSum }) {
  const { label } = sum;
  const amount = formatAmount(sum.total.amount);
  const button = (
    <button type="button" className="lg-sum" aria-label={`${label} ${amount}`}>
      <span className="lg-sum-words">
        {label} <span className="ek-num">{amount}</span>
      </span>
      <IconInfoCircle {...ICON_SMALL} />
    </button>
  );
  return <Opener button={button} popup="dialog" load={load} box={{ sum }} />;
}
