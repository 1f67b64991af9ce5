import { PRESETS } from '@evenkeel/core/dates';
import { useState } from 'react';
import { useBooksSettings } from '../../parts/choices/booksSettings.ts';
import { useDimensions } from '../../parts/choices/dimensions.ts';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { takenFrom, textsOf } from './parameters.ts';
import { CUSTOM, presetDates, type ReportAsk, THIS_YEAR } from './openReports.ts';
import type { OpenReportsPlace } from './useOpenReports.ts';
import { reportKind, reportKinds } from '@evenkeel/core/reports/kinds';

/** Local storage keys. */
const PC_KEY = 'reportingReportPCID';
const LOCATION_KEY = 'reportingReportLocationID';
const PERIOD_KEY = 'reportingReportPeriod';

function storedId(key: string): number {
  const text = readLocal(key) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

function storedPeriod(): number {
  const period = storedId(PERIOD_KEY);
  return readLocal(PERIOD_KEY) !== undefined && PRESETS.includes(period) ? period : THIS_YEAR;
}

/** The contents of the toolbar, which are report parameters. The report itself may not be selected yet. */
export type RunSettings = Omit<ReportAsk, 'reportId'> & { reportId: number | undefined };

/**
 * The parameters for the next run. They start with the displayed report's parameters, so that it is easy to run the
 * report for other dates. Without a report, they come from the URL or the last run. The preset, profit center, and
 * location are remembered on this device, but custom dates are not. Filters apply only while their setting is on. `of`
 * identifies the displayed report: edits belong to that report and are discarded when another report is displayed.
 */
export function useRunSettings({ ask: shown, when, chooseWhen }: ShownPlace, of: string) {
  const { fyStartMonth, basis, error, retry } = useBooksSettings();
  const dimensions = useDimensions();
  const { isLoaded } = dimensions;
  const today = useToday();
  const [typed, setTyped] = useState<{ of: string; change: Partial<RunSettings> }>({ of, change: {} });
  if (typed.of !== of) setTyped({ of, change: {} });
  const change = typed.of === of ? typed.change : {};
  const stored = () => ({
    reportId: undefined,
    period: storedPeriod(),
    basis,
    profitCenterId: storedId(PC_KEY),
    locationId: storedId(LOCATION_KEY),
  });
  const year = presetDates(THIS_YEAR, { today, fyStartMonth, isRanged: true });
  /** A tab's dates become custom if its preset now means other dates, for example in a new fiscal year. */
  const ofTab = (ask: ReportAsk): ReportAsk => {
    const isRanged = isRange(ask.reportId);
    const { from, to } = presetDates(ask.period, { today, fyStartMonth, isRanged });
    const isPreset = ask.period === CUSTOM || (ask.to === to && (!isRanged || ask.from === from));
    return isPreset || !isLoaded ? ask : { ...ask, period: CUSTOM };
  };
  /** Completes the settings: adds a preset's dates and removes filters whose setting is off. */
  const resolved = (chosen: Chosen): RunSettings => {
    const when = { today, fyStartMonth, isRanged: isRange(chosen.reportId) };
    const { from = year.from, to = today } = chosen;
    const isDated = chosen.period === CUSTOM || (!isLoaded && chosen.to !== undefined);
    return {
      ...chosen,
      ...(isDated ? { from, to } : presetDates(chosen.period, when)),
      profitCenterId: offered(dimensions.profitCenters, chosen.profitCenterId),
      locationId: offered(dimensions.locations, chosen.locationId),
    };
  };
  const settings = resolved({ ...(shown === undefined ? { ...stored(), ...when } : ofTab(shown)), ...change });
  const changed = (patch: Partial<RunSettings>): Partial<RunSettings> => {
    // Custom dates start with the preset's dates.
    const isFirst = patch.period === CUSTOM && settings.period !== CUSTOM;
    return { ...change, ...(isFirst ? { from: settings.from, to: settings.to } : {}), ...patch };
  };
  return {
    settings,
    /**
     * Whether the settings have loaded. Until then, the basis, fiscal year, and remembered filters are unknown, and no
     * report can run.
     */
    isLoaded,
    error,
    retry,
    isRanged: isRange(settings.reportId),
    dimensions,
    change: (patch: Partial<RunSettings>) => {
      setTyped({ of, change: changed(patch) });
      const isDated = [patch.period, patch.from, patch.to].some((each) => each !== undefined);
      if (shown === undefined && isDated) chooseWhen(resolved({ ...settings, ...changed(patch) }));
      const { period = CUSTOM, profitCenterId, locationId } = patch;
      if (period !== CUSTOM) writeLocal(PERIOD_KEY, String(period));
      if (profitCenterId !== undefined) writeLocal(PC_KEY, String(profitCenterId));
      if (locationId !== undefined) writeLocal(LOCATION_KEY, String(locationId));
    },
    /** Returns a report's parameters with these settings, and with optional changes. */
    askFor: (reportId: number, patch: Partial<RunSettings> = {}): ReportAsk => {
      const wanted = resolved({ ...settings, ...changed(patch), reportId });
      return { ...wanted, reportId, ...takenFrom(textsOf(wanted), reportKind(reportId)) };
    },
  };
}

/** The displayed report, or the dates in the report list. */
type ShownPlace = Pick<OpenReportsPlace, 'ask' | 'when' | 'chooseWhen'>;

/** Settings whose dates may be missing. */
type Chosen = Omit<RunSettings, 'from' | 'to'> & Partial<Pick<RunSettings, 'from' | 'to'>>;

const isRange = (reportId: number | undefined): boolean =>
  reportKind(reportId ?? reportKinds.profitAndLoss.id)?.dates === 'range';

/** A remembered filter applies only while it can be selected. 0 means all. */
const offered = (choices: readonly { id: number }[] | undefined, id: number): number =>
  choices?.some((each) => each.id === id) === true ? id : 0;
