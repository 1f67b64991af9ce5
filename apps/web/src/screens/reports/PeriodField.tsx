import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { Switch } from '@mantine/core';
import { IconCalendar, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { DateField } from '../../ui/fields/DateField.tsx';
import { FieldsPopover } from '../../ui/overlay/FieldsPopover.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { CUSTOM, THIS_YEAR } from './openReports.ts';
import type { RunSettings } from './useRunSettings.ts';

interface PeriodFieldProps {
  settings: RunSettings;
  onSettings: (patch: Partial<RunSettings>) => void;
  /** False for a report with a single date. */
  isRanged: boolean;
  choices: readonly { id: number; label: string }[];
}

/** The dates for the next run. The field's popover has the presets and the two dates. */
export function PeriodField({ settings, onSettings, isRanged, choices }: PeriodFieldProps) {
  const [opened, setOpened] = useState(false);
  const { from, to, period } = settings;
  const dates = isRanged ? `${formatDate(from)} – ${formatDate(to)}` : formatDate(to);
  /** Entering a date changes the period to custom. */
  const choose = (name: 'from' | 'to', date: IsoDate | null) => {
    if (date !== null && date !== settings[name]) onSettings({ period: CUSTOM, [name]: date });
  };
  return (
    <div className="rp-period">
      <div className="mantine-InputWrapper-label" aria-hidden="true">
        Period
      </div>
      <FieldsPopover
        label="Period"
        opened={opened}
        onChange={setOpened}
        button={
          <button
            type="button"
            className="rp-dates ek-num"
            title={choices.find(({ id }) => id === period)?.label}
            aria-label={`Period ${dates}`}
          >
            <span className="ek-ellipsis">{dates}</span>
            <IconCalendar {...ICON_SMALL} />
          </button>
        }
      >
        <div className="rp-period-box">
          <div className="rp-presets" role="group" aria-label="Presets">
            {choices.map((choice) => (
              <button
                key={choice.id}
                type="button"
                aria-pressed={choice.id === period}
                onClick={() => {
                  onSettings({ period: choice.id });
                  if (choice.id !== CUSTOM) setOpened(false);
                }}
              >
                {choice.label}
                {choice.id === period && <IconCheck {...ICON_SMALL} />}
              </button>
            ))}
          </div>
          <div className="rp-period-dates">
            {isRanged && <DateField label="Start Date" value={from} onChange={(date) => choose('from', date)} />}
            <DateField label="Report Date" value={to} onChange={(date) => choose('to', date)} />
            <Switch
              label="Custom Dates"
              checked={period === CUSTOM}
              onChange={(event) => onSettings({ period: event.currentTarget.checked ? CUSTOM : THIS_YEAR })}
            />
          </div>
        </div>
      </FieldsPopover>
    </div>
  );
}
