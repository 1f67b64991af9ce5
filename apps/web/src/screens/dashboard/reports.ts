import { type IsoDate, PERIODS } from '@evenkeel/core/dates';

/** The dates shown on a card. */
interface Dated {
  from: IsoDate | null;
  to: IsoDate;
  basis: number;
}

/** Returns the URL of a report with the card's dates and basis, so that the report shows the same amounts. */
export function reportAddress({ id }: { id: number }, { from, to, basis }: Dated): string {
  return `/reports?report=${[id, PERIODS.indexOf('Custom'), from ?? to, to, basis, 0, 0].join('_')}`;
}
