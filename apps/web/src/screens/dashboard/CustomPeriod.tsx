import '../../ui/theme/fieldStyles.ts';
import type { DateRange, IsoDate } from '@evenkeel/core/dates';
import { useState } from 'react';
import { DateField } from '../../ui/fields/DateField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';

export interface CustomPeriodProps {
  title: string;
  /** The previously selected dates. */
  range: DateRange | undefined;
  onChoose: (range: DateRange) => void;
  onClose: () => void;
}

/** The start and end dates of a card's custom period. */
export function CustomPeriod({ title, range, onChoose, onClose }: CustomPeriodProps) {
  const today = useToday();
  const [from, setFrom] = useState<IsoDate | null>(range?.from ?? null);
  const [to, setTo] = useState<IsoDate | null>(range?.to ?? today);
  const [asked, setAsked] = useState(false);
  const show = () => {
    setAsked(true);
    if (from === null || to === null || from > to) return;
    onChoose({ from, to });
    onClose();
  };
  const isTurned = from !== null && to !== null && from > to;
  const missing = (value: IsoDate | null) => (asked && value === null ? { error: 'Please enter a date' } : {});
  return (
    <AppModal
      opened
      onClose={onClose}
      title={`Period for ${title}`}
      size="sm"
      footer={{ actions: [{ label: 'Cancel', onClick: onClose }], primary: { label: 'Show', onClick: show } }}
    >
      <div className="db-dates">
        <DateField label="Start Date" value={from} onChange={setFrom} required autoFocus {...missing(from)} />
        <DateField
          label="End Date"
          value={to}
          onChange={setTo}
          required
          {...(asked && isTurned ? { error: 'The end date must be on or after the start date' } : missing(to))}
        />
      </div>
    </AppModal>
  );
}
