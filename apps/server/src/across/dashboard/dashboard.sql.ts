import type { CardLayout, Target } from '@evenkeel/contract/dashboard';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

export const layouts = table('dashboard_layout', { userId: 'user_id', cards: 'cards' }).typed<{
  cards: CardLayout[];
}>();

export const dismissals = table('first_steps_dismissal', { userId: 'user_id' });

export const targets = table('revenue_target', { periodType: 'period_type', amount: 'amount_cents' });

/** Saves one row per user. If two tabs save at the same time, the last save wins. */
export function saveLayout(userId: number, cards: readonly CardLayout[]): RawBuilder<unknown> {
  return sql`
    insert into dashboard_layout (company_id, user_id, cards)
    values (${COMPANY}, ${userId}, ${JSON.stringify(cards)}::jsonb)
    on conflict (company_id, user_id) do update set cards = excluded.cards`;
}

export function saveTarget({ periodType, amount }: Target): RawBuilder<unknown> {
  return sql`
    insert into revenue_target (company_id, period_type, amount_cents) values (${COMPANY}, ${periodType}, ${amount})
    on conflict (company_id, period_type) do update set amount_cents = excluded.amount_cents`;
}
