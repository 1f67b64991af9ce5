import { type IsoDate, PERIODS } from '@evenkeel/core/dates';

/** The dates of a card. */
interface Dated {
  from: IsoDate | null;
  to: IsoDate;
  basis: number;
}

/** The report of exactly a card's dates and basis, so that it shows the card's figures. */
export function reportAddress({ id }: { id: number }, { from, to, basis }: Dated): string {
  return `/reports?report=${[id, PERIODS.indexOf('Custom'), from ?? to, to, basis, 0, 0].join('_')}`;
}
