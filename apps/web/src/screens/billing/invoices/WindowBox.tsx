import '../../../ui/theme/overlayStyles.ts';
import { Popover } from '@mantine/core';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { type OpenerButton, usePopOverAtOnce } from '../../../ui/lazy/Opener.tsx';
import type { Period } from '../usePeriod.ts';

/** The start and end dates of the invoice history. Loaded in a separate chunk. */
export function WindowBox({ period, ...props }: { period: Period; button: OpenerButton }) {
  const { opened, onChange, button } = usePopOverAtOnce(props.button);
  const { from, to, onFrom, onTo } = period;
  return (
    <Popover position="bottom-start" width={320} trapFocus returnFocus opened={opened} onChange={onChange}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown>
        <div className="ek-form">
          <DateField label="From" value={from} onChange={(day) => day !== null && onFrom(day)} span={6} />
          <DateField label="To" value={to} onChange={(day) => day !== null && onTo(day)} span={6} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
