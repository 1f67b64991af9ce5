import { type IsoDate, PERIODS, PRESETS } from '@evenkeel/core/dates';
import { ActionIcon, Button, Switch } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { CUSTOMERS, useEntityOptions } from '../../parts/choices/entities.ts';
import type { Dimensions } from '../../parts/choices/dimensions.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { ICON } from '../../ui/show/icons.ts';
import { CUSTOM, THIS_YEAR } from './openReports.ts';
import { AGE_BY, type Compare, COMPARES, isAgeBy, reportGroups, reportKind } from '@evenkeel/core/reports/kinds';
import type { RunSettings } from './useRunSettings.ts';

const REPORTS = reportGroups.flatMap((group) =>
  group.reports.map((report) => ({ id: report.id, label: report.title, group: group.title })),
);
const PERIOD_CHOICES = [...PRESETS, CUSTOM].map((id) => ({ id, label: PERIODS[id] ?? '' }));
const AGES = Object.entries(AGE_BY).map(([value, label]) => ({ value, label }));
const BASES = [
  { value: '0', label: 'Accrual' },
  { value: '1', label: 'Cash' },
] as const;

export interface ReportToolbarProps {
  /**
   * On a phone, reports are selected in a sheet, each change runs the displayed report again, and most fields are under
   * More.
   */
  isNarrow: boolean;
  /** The message shown if the user selects Run before selecting a report. */
  complaint: string | undefined;
  onRun: () => void;
  settings: RunSettings;
  onSettings: (patch: Partial<RunSettings>) => void;
  /** False for a report with a single date, which hides the start date. */
  isRanged: boolean;
  /** Whether the available filters are still loading. */
  isWaiting: boolean;
  dimensions: Dimensions;
}

/** The settings for the next run: report, dates, basis, profit center, and location. */
export function ReportToolbar(props: ReportToolbarProps) {
  const { settings, onSettings, complaint, isNarrow, isWaiting } = props;
  const [isAll, setAll] = useState(false);
  const fields = useId();
  const kind = settings.reportId === undefined ? undefined : reportKind(settings.reportId);
  return (
    <div
      className="rp-toolbar"
      role="group"
      aria-label="Report settings"
      data-all={isAll ? '' : undefined}
      data-waiting={isWaiting ? '' : undefined}
    >
      <div className="rp-fields" id={fields}>
        <div className="rp-when">
          {!isNarrow && (
            <div className="rp-pick">
              <Picker
                label="Report"
                placeholder="Please Select a Report to Run"
                options={REPORTS}
                value={settings.reportId ?? null}
                onChange={(id) => onSettings({ reportId: id ?? undefined })}
                error={kind?.of === 'customer' ? undefined : complaint}
              />
            </div>
          )}
          <Dates {...props} />
        </div>
        <div className="rp-what">
          {kind?.of === 'customer' && <CustomerPick {...props} />}
          {kind?.isWhole !== true && kind?.isOfCompany !== true && <Filters {...props} />}
          {kind?.compares !== undefined && <CompareBy {...props} of={kind.compares} />}
          {kind?.isAged === true && <AgeFrom {...props} />}
          {kind?.isWhole !== true && (
            <div className="rp-basis rp-extra">
              <Choice
                label="Basis"
                options={BASES}
                value={settings.basis === 1 ? '1' : '0'}
                onChange={(value) => onSettings({ basis: value === '1' ? 1 : 0 })}
              />
            </div>
          )}
          {!isNarrow && (
            <Button className="rp-run" onClick={props.onRun}>
              Run
            </Button>
          )}
        </div>
      </div>
      {isNarrow && (
        <ActionIcon
          variant="default"
          className="rp-more"
          aria-label="More"
          aria-expanded={isAll}
          aria-controls={fields}
          onClick={() => setAll(!isAll)}
        >
          <IconAdjustmentsHorizontal {...ICON} />
        </ActionIcon>
      )}
    </div>
  );
}

function Dates({ settings, onSettings, isRanged }: ReportToolbarProps) {
  const isCustom = settings.period === CUSTOM;
  /** Entering a date changes the period to custom. */
  const choose = (name: 'from' | 'to', date: IsoDate | null) => {
    if (date !== null && date !== settings[name]) onSettings({ period: CUSTOM, [name]: date });
  };
  return (
    <>
      <div className={isCustom ? 'rp-period rp-extra' : 'rp-period'}>
        <Picker
          label="Period"
          options={PERIOD_CHOICES}
          value={settings.period}
          onChange={(period) => (period === null ? undefined : onSettings({ period }))}
        />
      </div>
      {isRanged && (
        <div className={isCustom ? 'rp-date' : 'rp-date rp-extra'}>
          <DateField label="Start Date" value={settings.from} onChange={(date) => choose('from', date)} />
        </div>
      )}
      <div className="rp-date">
        <DateField label="Report Date" value={settings.to} onChange={(date) => choose('to', date)} />
      </div>
      <div className="rp-switch rp-extra">
        <Switch
          label="Custom Dates"
          labelPosition="left"
          checked={isCustom}
          onChange={(event) => onSettings({ period: event.currentTarget.checked ? CUSTOM : THIS_YEAR })}
        />
      </div>
    </>
  );
}

/** The date that determines the age of open amounts in an aging report. */
function AgeFrom({ settings, onSettings }: ReportToolbarProps) {
  return (
    <div className="rp-basis rp-extra">
      <Choice
        label="Age From"
        options={AGES}
        value={settings.ageBy ?? 'duedate'}
        onChange={(value) => onSettings({ ageBy: isAgeBy(value) && value !== 'duedate' ? value : undefined })}
      />
    </div>
  );
}

/** Includes inactive profit centers and locations, because old entries use them. */
const everOffered = (choices: NonNullable<Dimensions['profitCenters']>) =>
  choices.map(({ id, label }) => ({ id, label }));

function Filters({ settings, onSettings, dimensions }: ReportToolbarProps) {
  const { profitCenters, locations } = dimensions;
  return (
    <>
      {profitCenters !== undefined && (
        <div className="rp-filter rp-extra">
          <Picker
            label="Profit Center"
            noneLabel="All profit centers"
            options={everOffered(profitCenters)}
            value={settings.profitCenterId === 0 ? null : settings.profitCenterId}
            onChange={(id) => onSettings({ profitCenterId: id ?? 0 })}
          />
        </div>
      )}
      {locations !== undefined && (
        <div className="rp-filter rp-extra">
          <Picker
            label="Location"
            noneLabel="All locations"
            options={everOffered(locations)}
            value={settings.locationId === 0 ? null : settings.locationId}
            onChange={(id) => onSettings({ locationId: id ?? 0 })}
          />
        </div>
      )}
    </>
  );
}

/** The customer for a statement. Shown only for that report. */
function CustomerPick({ settings, onSettings, complaint }: ReportToolbarProps) {
  const customers = useEntityOptions(CUSTOMERS, settings.customerId ?? null);
  return (
    <div className="rp-pick">
      <Picker
        label="Customer"
        placeholder="Please Select a Customer"
        {...customers}
        value={settings.customerId ?? null}
        onChange={(id) => onSettings({ customerId: id ?? undefined })}
        error={complaint}
      />
    </div>
  );
}

function CompareBy({
  settings,
  onSettings,
  dimensions,
  isRanged,
  of,
}: ReportToolbarProps & { of: readonly Compare[] }) {
  const hidden: Compare[] = [
    ...(dimensions.profitCenters === undefined ? (['profitcenter'] as const) : []),
    ...(dimensions.locations === undefined ? (['location'] as const) : []),
  ];
  const options = of.filter((id) => !hidden.includes(id)).map((id) => ({ id, label: COMPARES[id] }));
  // On a phone, the field fits next to a single date.
  const isBeside = settings.period === CUSTOM && !isRanged;
  return (
    <div className={isBeside ? 'rp-filter rp-compare' : 'rp-filter rp-compare rp-extra'}>
      <Picker
        label="Compare"
        noneLabel="No comparison"
        options={options}
        value={settings.compare ?? null}
        onChange={(compare) => onSettings({ compare: compare ?? undefined })}
      />
    </div>
  );
}
