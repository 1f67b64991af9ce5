import { useState } from 'react';
import { useBooksSettings } from '../choices/booksSettings.ts';
import { useDimensions } from '../choices/dimensions.ts';
import { readLocal, writeLocal } from '../ui/hooks/localState.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { CUSTOM, presetDates, type ReportAsk, textOf, THIS_YEAR } from './openReports.ts';
import { reportKind, reportKinds } from '@evenkeel/core/reports/kinds';

/** Local storage keys (Specification part 2 §9). */
const PC_KEY = 'reportingReportPCID';
const LOCATION_KEY = 'reportingReportLocationID';
const PERIOD_KEY = 'reportingReportPeriod';

function storedId(key: string): number {
  const text = readLocal(key) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

function storedPeriod(): number {
  const period = storedId(PERIOD_KEY);
  return readLocal(PERIOD_KEY) !== undefined && period < CUSTOM ? period : THIS_YEAR;
}

/** What the toolbar holds: an ask whose report is perhaps not chosen yet. */
export type RunSettings = Omit<ReportAsk, 'reportId'> & { reportId: number | undefined };

/**
 * What the next run is asked for. It starts as the report that is shown, so that the same is easily run for other
 * dates; without one as it was last: period, profit center and location are remembered on this device. The filters
 * count only while their feature is on.
 */
export function useRunSettings(shown: ReportAsk | undefined) {
  const { isLoaded, fyStartMonth, basis } = useBooksSettings();
  const dimensions = useDimensions();
  const today = useToday();
  const of = shown === undefined ? '' : textOf(shown);
  const [typed, setTyped] = useState<{ of: string; change: Partial<RunSettings> }>({ of, change: {} });
  const change = typed.of === of ? typed.change : {};
  const stored = () => ({
    reportId: undefined,
    period: storedPeriod(),
    basis,
    profitCenterId: storedId(PC_KEY),
    locationId: storedId(LOCATION_KEY),
  });
  const chosen = { ...(shown ?? stored()), ...change };
  const isRanged = reportKind(chosen.reportId ?? reportKinds.profitAndLoss.id)?.dates === 'range';
  const year = presetDates(THIS_YEAR, { today, fyStartMonth, isRanged: true });
  const custom = { from: 'from' in chosen ? (chosen.from ?? year.from) : year.from, to: chosen.to ?? today };
  const dates = chosen.period === CUSTOM ? custom : presetDates(chosen.period, { today, fyStartMonth, isRanged });
  const settings: RunSettings = {
    ...chosen,
    ...dates,
    profitCenterId: dimensions.profitCenters === undefined ? 0 : chosen.profitCenterId,
    locationId: dimensions.locations === undefined ? 0 : chosen.locationId,
  };
  return {
    settings,
    isLoaded,
    isRanged,
    dimensions,
    change: (patch: Partial<RunSettings>) => {
      // Custom dates begin with those of the preset.
      const isFirst = patch.period === CUSTOM && settings.period !== CUSTOM;
      const next = { ...change, ...(isFirst ? dates : {}), ...patch };
      setTyped({ of, change: next });
      const { period, profitCenterId, locationId } = { ...settings, ...next };
      if (period !== CUSTOM) writeLocal(PERIOD_KEY, String(period));
      writeLocal(PC_KEY, String(profitCenterId));
      writeLocal(LOCATION_KEY, String(locationId));
    },
    /** The ask of a report under these settings; a preset's dates depend on the kind of report. */
    askFor: (reportId: number): ReportAsk => {
      const kind = reportKind(reportId);
      const when = { today, fyStartMonth, isRanged: kind?.dates === 'range' };
      const own = settings.period === CUSTOM ? {} : presetDates(settings.period, when);
      const { compare, customerId } = settings;
      return {
        ...settings,
        ...own,
        reportId,
        compare: compare !== undefined && kind?.compares?.includes(compare) === true ? compare : undefined,
        customerId: kind?.of === 'customer' ? customerId : undefined,
      };
    },
  };
}
