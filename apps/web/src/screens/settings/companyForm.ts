import { Company } from '@evenkeel/contract/company';
import { settingsCalls } from '@evenkeel/contract/settings';
import { COMPANY } from '@evenkeel/core/entities';
import { ask } from '../../client/api.ts';
import type { EntityKind } from '../../parts/entities/kind.ts';

/** The company as an entity. There is only one, which users can change but not create. */
export const COMPANY_INFO: EntityKind = {
  kind: COMPANY,
  name: 'company',
  records: {
    words: { one: 'company', many: 'companies', loadAll: 'Error Loading Settings', loadOne: 'Error Loading Settings' },
    idOf: (one) => one.id,
    get: () => ask(settingsCalls.getCompany, {}),
    create: (body) => ask(settingsCalls.createCompany, { body }),
    update: (id, body) => ask(settingsCalls.updateCompany, { params: { id }, body }),
  },
  manager: 'Administrator',
  reply: Company,
};

/** Formats a city line, for example "Akron, OH 44313". */
export function placeLine({ city, state, zipCode }: Pick<Company, 'city' | 'state' | 'zipCode'>): string {
  return [[city, state].filter(Boolean).join(', '), zipCode].filter(Boolean).join(' ');
}
