import { type ApiKeyRecord, type keyCalls, REQUESTS_PER_MINUTE } from '@evenkeel/contract/keys';
import { type Area, AREAS } from '@evenkeel/contract/areas';
import { addMonths, type IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import * as z from 'zod';
import type { BodyOf } from '@evenkeel/contract/endpoint';
import { Day } from '../../records/formFields.ts';
import { type Level, LEVELS, Levels, permissionsOf } from './roleForm.ts';

/** The data of the form for a new API key, its validation, and its request. */

export const KeyForm = z.object({
  name: z.string(),
  userId: z.number().nullable(),
  endsOn: Day.nullable(),
  requests: z.string(),
  /** One address or network per line, or separated by commas. */
  addresses: z.string(),
  levels: Levels,
});
export type KeyForm = z.output<typeof KeyForm>;

/** Returns the form for a key that belongs to the signed-in user and expires in three months. */
export const keyFormFor = (userId: number, today: IsoDate): KeyForm => ({
  name: '',
  userId,
  endsOn: addMonths(today, 3),
  requests: String(REQUESTS_PER_MINUTE.usual),
  addresses: '',
  levels: {},
});

const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((each) => each !== '');

/** Returns the lower of the chosen level and the user's own level for each area. */
export function levelsWithin(chosen: Levels, own: Levels): Levels {
  const least = (area: Area): Level => {
    const [a, b] = [chosen[area] ?? 'No Access', own[area] ?? 'No Access'];
    return LEVELS.indexOf(a) < LEVELS.indexOf(b) ? a : b;
  };
  return Object.fromEntries(AREAS.map((area) => [area, least(area)]));
}

export function keyFaults({ name, userId, endsOn, requests, levels }: KeyForm, today: IsoDate): FieldMessages {
  const { most } = REQUESTS_PER_MINUTE;
  const isCount = /^\d{1,3}$/.test(requests) && Number(requests) >= 1 && Number(requests) <= most;
  return {
    ...(name.trim() === '' ? { name: 'Please enter a name' } : {}),
    ...(userId === null ? { userId: 'Please select a user' } : {}),
    ...(endsOn === null ? { endsOn: 'Please enter an expiration date' } : {}),
    ...(endsOn !== null && endsOn < today ? { endsOn: "The expiration date can't be in the past" } : {}),
    ...(endsOn !== null && endsOn > addMonths(today, 12)
      ? { endsOn: 'The expiration date can be at most one year from today' }
      : {}),
    ...(isCount ? {} : { requestsPerMinute: `Please enter a number from 1 to ${most}` }),
    ...(permissionsOf(levels).length === 0 ? { permissions: 'Please select at least one permission' } : {}),
  };
}

export const keyInput = (form: KeyForm): BodyOf<typeof keyCalls.createApiKey> => ({
  name: form.name.trim(),
  userId: form.userId,
  permissions: permissionsOf(form.levels),
  addresses: addressesIn(form.addresses),
  requestsPerMinute: Number(form.requests),
  endsOn: form.endsOn,
});

/** A key is shown as expiring for this number of days before its expiration date. */
export const SOON_DAYS = 14;

/** Returns the permissions of a key as text: `Billing: manage. Reports: view`. */
export function permissionWords({ permissions }: Pick<ApiKeyRecord, 'permissions'>): string {
  return AREAS.flatMap((area) =>
    permissions.includes(`Manage ${area}`)
      ? [`${area}: manage`]
      : permissions.includes(`View ${area}`)
        ? [`${area}: view`]
        : [],
  ).join('. ');
}
