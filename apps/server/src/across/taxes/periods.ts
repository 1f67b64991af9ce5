import type { TaxAgency } from '@evenkeel/contract/taxreturns';
import { addDays, type DateRange, type IsoDate } from '@evenkeel/core/dates';
import { businessDayFrom, periodName, periodOf } from '@evenkeel/core/taxes/due';
import { type LawRule, lawOn, statedDueDate } from '@evenkeel/core/taxes/law';
import type { ReturnRow } from './taxes.sql.ts';

/** Returns the name of a return, such as "Ohio, May 2026". Versions after the first one are amendments. */
export function returnName(agency: TaxAgency, period: DateRange, version = 1): string {
  const name = `${agency.name}, ${periodName(period)}`;
  return version === 1 ? name : `${name}, amendment ${version - 1}`;
}

export function dueDateOf(
  rules: readonly LawRule[],
  { state, frequency }: TaxAgency,
  { to }: DateRange,
): IsoDate | null {
  const rule = lawOn(rules, { state, topic: 'due', frequency, date: to });
  return rule === undefined ? null : businessDayFrom(statedDueDate(rule, to));
}

/** Returns the first period that is not filed. */
export function nextPeriod(agency: TaxAgency, filed: readonly ReturnRow[]): DateRange {
  const last = filed.at(-1);
  return periodOf(agency, last === undefined ? agency.startDate : addDays(last.to, 1));
}
