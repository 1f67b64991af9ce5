import type { IsoDate } from '@evenkeel/core/dates';
import { PERIODS } from '@evenkeel/core/dates';
import { useState } from 'react';
import { useBooksSettings } from '../choices/booksSettings.ts';
import { useDimensions } from '../choices/dimensions.ts';
import { readLocal, writeLocal } from '../ui/hooks/localState.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { CUSTOM, presetDates, type ReportAsk } from './openReports.ts';
import { reportKind } from './reportList.ts';

/** What the toolbar holds: everything of an ask but the report. */
export type RunSettings = Omit<ReportAsk, 'reportId'>;

/** Local storage keys (Specification part 2 §9). */
const PC_KEY = 'reportingReportPCID';
const LOCATION_KEY = 'reportingReportLocationID';
const PERIOD_KEY = 'reportingReportPeriod';

const THIS_YEAR = PERIODS.indexOf('This Year');

function storedId(key: string): number {
  const text = readLocal(key) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

function storedPeriod(): number {
  const period = storedId(PERIOD_KEY);
  return readLocal(PERIOD_KEY) !== undefined && period < CUSTOM ? period : THIS_YEAR;
}

interface Typed {
  period: number;
  /** Custom dates as typed. */
  from?: IsoDate;
  to?: IsoDate;
  basis?: 0 | 1;
  profitCenterId: number;
  locationId: number;
}

/**
 * What the next run is asked for while no report is open. Period, profit center and location are remembered on this
 * device; the filters count only while their feature is on.
 */
export function useRunSettings() {
  const books = useBooksSettings();
  const dimensions = useDimensions();
  const today = useToday();
  const [typed, setTyped] = useState<Typed>(() => ({
    period: storedPeriod(),
    profitCenterId: storedId(PC_KEY),
    locationId: storedId(LOCATION_KEY),
  }));
  const datesOf = (period: number, isRanged: boolean) =>
    presetDates(period, { today, fyStartMonth: books.fyStartMonth, isRanged });
  const year = datesOf(THIS_YEAR, true);
  const dates =
    typed.period === CUSTOM ? { from: typed.from ?? year.from, to: typed.to ?? today } : datesOf(typed.period, true);
  const settings: RunSettings = {
    period: typed.period,
    ...dates,
    basis: typed.basis ?? books.basis,
    profitCenterId: dimensions.profitCenters === undefined ? 0 : typed.profitCenterId,
    locationId: dimensions.locations === undefined ? 0 : typed.locationId,
  };
  return {
    settings,
    isLoaded: books.isLoaded,
    dimensions,
    datesOf,
    remember: (next: RunSettings) => {
      setTyped(next);
      if (next.period !== CUSTOM) writeLocal(PERIOD_KEY, String(next.period));
      writeLocal(PC_KEY, String(next.profitCenterId));
      writeLocal(LOCATION_KEY, String(next.locationId));
    },
    /** The ask of a report under these settings; a preset's dates depend on the kind of report. */
    askFor: (reportId: number, given: RunSettings): ReportAsk => {
      const isRanged = reportKind(reportId)?.isRanged === true;
      return { ...given, ...(given.period === CUSTOM ? {} : datesOf(given.period, isRanged)), reportId };
    },
  };
}
