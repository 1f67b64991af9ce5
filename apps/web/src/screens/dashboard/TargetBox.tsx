import '../../ui/theme/overlayStyles.ts';
import '../../ui/theme/fieldStyles.ts';
import { Button, Popover } from '@mantine/core';
import { dashboardCalls, type RevenueCard } from '@evenkeel/contract/dashboard';
import { targetPeriod } from '@evenkeel/core/cards';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { messageOf, useWrite } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { type OpenerButton, usePopOverAtOnce } from '../../ui/lazy/Opener.tsx';
import { TARGET_OF } from './words.ts';

export interface TargetBoxProps {
  card: RevenueCard;
  period: number;
}

/** The revenue target for a month, quarter, or year. An empty value removes it. */
export function TargetBox({ card, period, ...props }: TargetBoxProps & { button: OpenerButton }) {
  const { opened, onChange, button } = usePopOverAtOnce(props.button);
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus opened={opened} onChange={onChange}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown>
        {opened && <TargetForm card={card} period={period} onDone={() => onChange(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function TargetForm({ card, period, onDone }: TargetBoxProps & { onDone: () => void }) {
  const periodType = targetPeriod(period);
  const set = card.targetAmounts.find((one) => one.periodType === periodType)?.amount;
  const [amount, setAmount] = useState<Cents | null>(set ?? null);
  const [error, setError] = useState<string>();
  const alerts = useAlerts();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  const write = useWrite(dashboardCalls.saveTargets);
  const save = async (next: Cents) => {
    try {
      await write.mutateAsync({ body: [{ periodType, amount: next }] });
      alerts.success(next === 0 ? 'Target removed' : 'Target saved');
      // The user may have closed the box in the meantime, and may even have opened it again.
      if (isHere.current) onDone();
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (amount === null) setError('Please enter an amount');
    else if (amount <= 0) setError('The target must be more than zero');
    else void save(amount);
  };
  return (
    <form className="db-target" onSubmit={onSubmit} noValidate>
      <MoneyField
        label={`Revenue target for a ${TARGET_OF[periodType] ?? 'period'}`}
        value={amount}
        onChange={(next) => {
          setAmount(next);
          setError(undefined);
        }}
        error={error}
        autoFocus
      />
      <div className="db-target-foot">
        {set !== undefined && (
          <Button variant="subtle" disabled={write.isPending} onClick={() => void save(ZERO)}>
            Remove
          </Button>
        )}
        <Button type="submit" loading={write.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
