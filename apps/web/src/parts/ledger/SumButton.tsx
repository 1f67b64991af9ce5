import './figures.css';
import { formatAmount } from '@evenkeel/core/money';
import { IconInfoCircle } from '@tabler/icons-react';
import { Opener } from '../../ui/lazy/Opener.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import type { ListSum } from './sums.ts';

const load = async () => (await import('./SumBox.tsx')).SumBox;

/** A total in a list's footer. Selecting it shows the amounts that it consists of. */
export function SumButton({ sum }: { sum: ListSum }) {
  const button = (
    <button type="button" className="lg-sum">
      {sum.label} <span className="ek-num">{formatAmount(sum.total.amount)}</span>
      <IconInfoCircle {...ICON_SMALL} />
    </button>
  );
  return <Opener button={button} popup="dialog" load={load} box={{ sum }} />;
}
