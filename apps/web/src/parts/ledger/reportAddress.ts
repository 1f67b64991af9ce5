import { type IsoDate, PERIODS } from '@evenkeel/core/dates';

/** The dates and the basis of a report. */
interface Dated {
  from: IsoDate | null;
  to: IsoDate;
  basis: number;
}

/** Returns the URL of a report with these dates and this basis. */
export function reportAddress({ id }: { id: number }, { from, to, basis }: Dated): string {
  return `/reports?report=${[id, PERIODS.indexOf('Custom'), from ?? to, to, basis, 0, 0].join('_')}`;
}
