import { type IsoDate, PERIODS, PRESETS } from '@evenkeel/core/dates';
import { ActionIcon, Button, Switch } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { CUSTOMERS, useEntityOptions } from '../../parts/choices/entities.ts';
import type { Dimensions } from '../../parts/choices/dimensions.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { FieldsPopover } from '../../ui/overlay/FieldsPopover.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { useRoom } from '../../ui/table/useRoom.ts';
import { CUSTOM, THIS_YEAR } from './openReports.ts';
import { AGE_BY, type Compare, COMPARES, isAgeBy, reportGroups, reportKind } from '@evenkeel/core/reports/kinds';
import { PeriodField } from './PeriodField.tsx';
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

/** The settings for the next run: report, dates, comparison, basis, profit center, and location. */
export function ReportToolbar(props: ReportToolbarProps) {
  return props.isNarrow ? <PhoneToolbar {...props} /> : <RowToolbar {...props} />;
}

/** A field in the row, with its width in px. */
interface RowField {
  key: string;
  width: number;
  field: ReactNode;
  /** Whether the field is always among the options. */
  isRare?: true;
}

const GAP = 12;
/**
 * The width in px of the report field, the period field, and the Run button together. Also the widths of the Options
 * button and of the fields after the period.
 */
const FIXED = 248 + 248 + 56 + 2 * GAP;
const OPTIONS = 104;
const WIDTHS = { customer: 248, compare: 152, basis: 138, ageBy: 196, filter: 164 } as const;
/** The row width at which the Options button is only an icon. */
const NARROW = 700;

/** The fields in one row. The fields that don't fit are in the Options popover. */
function RowToolbar(props: ReportToolbarProps) {
  const { settings, onSettings, complaint } = props;
  const [opened, setOpened] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const room = useRoom(place);
  const kind = settings.reportId === undefined ? undefined : reportKind(settings.reportId);
  const fields = fieldsOf(props);
  const { shown, rest } = fitted(fields, room);
  return (
    <div className="rp-toolbar" role="group" aria-label="Report settings">
      <div className="rp-row" ref={place}>
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
        <PeriodField {...props} choices={PERIOD_CHOICES} />
        {shown.map(({ key, width, field }) => (
          <div key={key} className="rp-item" data-field={key} style={{ flexBasis: width }}>
            {field}
          </div>
        ))}
        {rest.length > 0 && (
          <FieldsPopover
            label="Options"
            opened={opened}
            onChange={setOpened}
            button={
              room > 0 && room < NARROW ? (
                <ActionIcon variant="default" size={36} className="rp-run" aria-label="Options">
                  <IconAdjustmentsHorizontal {...ICON} />
                </ActionIcon>
              ) : (
                <Button
                  variant="default"
                  className="rp-run"
                  leftSection={<IconAdjustmentsHorizontal {...ICON_SMALL} />}
                >
                  Options
                </Button>
              )
            }
          >
            <div className="rp-options">
              {rest.map(({ key, field }) => (
                <div key={key}>{field}</div>
              ))}
            </div>
          </FieldsPopover>
        )}
        <Button className="rp-run" onClick={props.onRun}>
          Run
        </Button>
      </div>
    </div>
  );
}

/**
 * Returns the fields that fit in the row, in order, and the remaining fields, including the rarely used ones. If the
 * width is 0 (unknown), all other fields fit.
 */
function fitted(fields: readonly RowField[], room: number): { shown: readonly RowField[]; rest: readonly RowField[] } {
  const common = fields.filter(({ isRare }) => isRare !== true);
  const widthOf = (count: number) => common.slice(0, count).reduce((all, { width }) => all + width + GAP, FIXED);
  let count = common.length;
  while (room > 0 && count > 0 && widthOf(count) + (count < fields.length ? OPTIONS + GAP : 0) > room) count -= 1;
  const shown = common.slice(0, count);
  return { shown, rest: fields.filter((field) => !shown.includes(field)) };
}

/** Returns the fields of the report after its dates, the most important first. */
function fieldsOf(props: ReportToolbarProps): RowField[] {
  const { settings, dimensions } = props;
  const kind = settings.reportId === undefined ? undefined : reportKind(settings.reportId);
  const fields: RowField[] = [];
  const add = (key: string, width: number, field: ReactNode) => fields.push({ key, width, field });
  if (kind?.of === 'customer') add('customer', WIDTHS.customer, <CustomerPick {...props} />);
  if (kind?.compares !== undefined) add('compare', WIDTHS.compare, <CompareBy {...props} of={kind.compares} />);
  if (kind?.isWhole !== true) add('basis', WIDTHS.basis, <Basis {...props} />);
  if (kind?.isAged === true) add('ageBy', WIDTHS.ageBy, <AgeFrom {...props} />);
  if (kind?.isWhole !== true && kind?.isOfCompany !== true) {
    const { profitCenters, locations } = dimensions;
    if (profitCenters !== undefined) add('profitCenter', WIDTHS.filter, <ProfitCenterPick {...props} />);
    if (locations !== undefined && kind?.hasNoLocations !== true) {
      add('location', WIDTHS.filter, <LocationPick {...props} />);
    }
  }
  // In the row, the field would move to the options as soon as the profit centers have loaded.
  if (kind !== undefined) fields.push({ key: 'knownAt', width: 0, field: <KnownAt {...props} />, isRare: true });
  return fields;
}

/** The settings on a phone, most of them under More. */
function PhoneToolbar(props: ReportToolbarProps) {
  const { isWaiting } = props;
  const [isAll, setAll] = useState(false);
  const fields = useId();
  return (
    <div
      className="rp-toolbar"
      role="group"
      aria-label="Report settings"
      data-all={isAll ? '' : undefined}
      data-waiting={isWaiting ? '' : undefined}
    >
      <div className="rp-fields" id={fields}>
        <Dates {...props} />
        {fieldsOf(props).map(({ key, field }) => (
          <div key={key} className={isExtra(key, props) ? 'rp-filter rp-extra' : 'rp-filter'}>
            {field}
          </div>
        ))}
      </div>
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
    </div>
  );
}

/** Returns whether a field is under More. The comparison fits next to a single date. */
function isExtra(key: string, { settings, isRanged }: ReportToolbarProps): boolean {
  if (key === 'customer') return false;
  return key !== 'compare' || settings.period !== CUSTOM || isRanged;
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

function Basis({ settings, onSettings }: ReportToolbarProps) {
  return (
    <Choice
      label="Basis"
      options={BASES}
      value={settings.basis === 1 ? '1' : '0'}
      onChange={(value) => onSettings({ basis: value === '1' ? 1 : 0 })}
    />
  );
}

/** The date that determines the age of open amounts in an aging report. */
function AgeFrom({ settings, onSettings }: ReportToolbarProps) {
  return (
    <Choice
      label="Age From"
      options={AGES}
      value={settings.ageBy ?? 'duedate'}
      onChange={(value) => onSettings({ ageBy: isAgeBy(value) && value !== 'duedate' ? value : undefined })}
    />
  );
}

/** The time after which entries are excluded. Empty means now. */
function KnownAt({ settings, onSettings }: ReportToolbarProps) {
  return (
    <TextField
      kind="datetime-local"
      label="As Known At"
      hint={<span className="ek-vh">Later entries and changes are excluded</span>}
      value={settings.knownAt ?? ''}
      onChange={(text) => onSettings({ knownAt: text === '' ? undefined : text })}
    />
  );
}

/** Includes inactive profit centers and locations, because old entries use them. */
const everOffered = (choices: NonNullable<Dimensions['profitCenters']>) =>
  choices.map(({ id, label }) => ({ id, label }));

function ProfitCenterPick({ settings, onSettings, dimensions }: ReportToolbarProps) {
  return (
    <Picker
      label="Profit Center"
      noneLabel="All profit centers"
      options={everOffered(dimensions.profitCenters ?? [])}
      value={settings.profitCenterId === 0 ? null : settings.profitCenterId}
      onChange={(id) => onSettings({ profitCenterId: id ?? 0 })}
    />
  );
}

function LocationPick({ settings, onSettings, dimensions }: ReportToolbarProps) {
  return (
    <Picker
      label="Location"
      noneLabel="All locations"
      options={everOffered(dimensions.locations ?? [])}
      value={settings.locationId === 0 ? null : settings.locationId}
      onChange={(id) => onSettings({ locationId: id ?? 0 })}
    />
  );
}

/** The customer for a statement. Shown only for that report. */
function CustomerPick({ settings, onSettings, complaint }: ReportToolbarProps) {
  const customers = useEntityOptions(CUSTOMERS, settings.customerId ?? null);
  return (
    <Picker
      label="Customer"
      placeholder="Please Select a Customer"
      {...customers}
      value={settings.customerId ?? null}
      onChange={(id) => onSettings({ customerId: id ?? undefined })}
      error={complaint}
    />
  );
}

function CompareBy({ settings, onSettings, dimensions, of }: ReportToolbarProps & { of: readonly Compare[] }) {
  const hidden: Compare[] = [
    ...(settings.knownAt === undefined ? (['now'] as const) : []),
    ...(dimensions.profitCenters === undefined ? (['profitcenter'] as const) : []),
    ...(dimensions.locations === undefined ? (['location'] as const) : []),
  ];
  const options = of.filter((id) => !hidden.includes(id)).map((id) => ({ id, label: COMPARES[id] }));
  return (
    <Picker
      label="Compare"
      noneLabel="No comparison"
      options={options}
      value={settings.compare ?? null}
      onChange={(compare) => onSettings({ compare: compare ?? undefined })}
    />
  );
}
