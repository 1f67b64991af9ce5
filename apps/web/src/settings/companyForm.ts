import type { Company } from '@evenkeel/contract/settings';
import { checkEntity, COMPANY } from '@evenkeel/core/entities';
import type { FieldMessages } from '@evenkeel/core/failure';
import { canadianProvinces, CANADA, UNITED_STATES, usStates } from '@evenkeel/core/geography.data';
import * as z from 'zod';

/** Company Info as data: what is typed, what is wrong with it, what is sent. */

export const CompanyForm = z.object({
  displayname: z.string(),
  emailAddress: z.string(),
  phone: z.string(),
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  /** Abbreviation in the United States and Canada, free text elsewhere. */
  state: z.string(),
  zipCode: z.string(),
  countryId: z.number(),
  timeZone: z.string(),
  rowVersion: z.number(),
});
export type CompanyForm = z.output<typeof CompanyForm>;

/** Messages by field (Specification part 1 §5 "Entity"): name and e-mail are required, of a company too. */
export function companyFaults(form: CompanyForm): FieldMessages {
  const { name, ...faults }: FieldMessages = checkEntity({ ...form, name: form.displayname }, COMPANY);
  if (name !== undefined) faults['displayname'] = name;
  if (form.timeZone === '') faults['timeZone'] = 'Please select a time zone';
  return faults;
}

/** The states or provinces of a country; undefined where the place is free text. What is stored stays to be chosen. */
export function regionsOf(
  countryId: number,
  stored: string,
): { id: string; label: string; aside?: string }[] | undefined {
  const known = countryId === UNITED_STATES ? usStates : countryId === CANADA ? canadianProvinces : undefined;
  if (known === undefined) return undefined;
  const options = known.map(({ abbrev, displayName }) => ({ id: abbrev, label: displayName, aside: abbrev }));
  const isOther = stored !== '' && !options.some((option) => option.id === stored);
  return isOther ? [{ id: stored, label: stored, aside: '' }, ...options] : options;
}

/** "Akron, OH 44313" */
export function placeLine({ city, state, zipCode }: Pick<Company, 'city' | 'state' | 'zipCode'>): string {
  return [[city, state].filter(Boolean).join(', '), zipCode].filter(Boolean).join(' ');
}
