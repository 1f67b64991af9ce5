import '../../ui/theme/overlayStyles.ts';
import { formatAmount } from '@evenkeel/core/money';
import { Popover } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { type OpenerButton, usePopOverAtOnce } from '../../ui/lazy/Opener.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { ExplainButton } from './ExplainButton.tsx';
import type { ListSum, SumPart } from './sums.ts';

/** The amounts in a list's total, loaded as a separate chunk. */
export function SumBox({ sum, ...props }: { sum: ListSum; button: OpenerButton }) {
  const { opened, onChange, button } = usePopOverAtOnce(props.button);
  const { title, parts, total, proof, others = [] } = sum;
  // The transactions, which open on top of the page.
  const closeForEntries = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('.ek-explain') !== null) onChange(false);
  };
  return (
    <Popover position="top-start" width={372} trapFocus returnFocus opened={opened} onChange={onChange}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={title} onClickCapture={closeForEntries} tabIndex={-1} data-autofocus>
        <h3>{title}</h3>
        <dl className="lg-sums ek-num">
          {parts.map((part) => (
            <Part key={part.label} part={part} />
          ))}
          <div data-total="">
            <Pair part={total} />
          </div>
          {proof !== undefined && (
            <div className="lg-proof ek-small">
              <IconCheck {...ICON_SMALL} />
              {proof}
            </div>
          )}
          {others.map((part) => (
            <Part key={part.label} part={part} isOther />
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}

function Part({ part, isOther = false }: { part: SumPart; isOther?: boolean }) {
  return (
    <div data-other={isOther ? '' : undefined}>
      <Pair part={part} />
    </div>
  );
}

function Pair({ part: { label, amount, name } }: { part: SumPart }) {
  const text = formatAmount(amount);
  return (
    <>
      <dt>{label}</dt>
      <dd>{name === undefined ? text : <ExplainButton name={name}>{text}</ExplainButton>}</dd>
    </>
  );
}
