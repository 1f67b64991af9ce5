import { createHash } from 'node:crypto';
import { type CardLayout, type Cards, Dashboard, Target } from '@evenkeel/contract/dashboard';
import { encode } from '@evenkeel/contract/wire';
import { type CardSettings, chosenOn, customRange, targetPeriods, wholeLayout } from '@evenkeel/core/cards';
import { type FieldMessages, refuseFields } from '@evenkeel/core/failure';
import { readSeparately } from '../../platform/db/apart.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { partialReadError } from '../../platform/http/errors.ts';
import { mayViewCard, openSheet, runCard } from './cards.ts';
import { layouts, saveLayout, saveTarget, targets } from './dashboard.sql.ts';
import { firstSteps } from './first-steps.ts';
import type { Sheet } from './sheet.ts';
import { waitingWork } from './waiting.ts';

/**
 * Returns, in one response, the cards on the user's dashboard that the user may view, each for its chosen period. If
 * the request has the version of the last response and nothing has changed, the response has no cards.
 */
export async function dashboard(ctx: Ctx, known: string | undefined) {
  const [layout, steps, waiting, sheet] = await Promise.all([
    dashboardCards(ctx),
    firstSteps(ctx),
    waitingWork(ctx),
    openSheet(ctx, { isShort: true }),
  ]);
  const shown = layout.filter(({ key, visible }) => visible && mayViewCard(ctx, key));
  const found: Dashboard = { layout, ...(await figuresOf(sheet, shown)), firstSteps: steps, waiting };
  const text = JSON.stringify([ctx.today, encode(Dashboard, found)]);
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { version, dashboard: version === known ? null : found };
}

/** Returns the cards that could be calculated, and the errors from the others. */
async function figuresOf(sheet: Sheet, shown: readonly CardSettings[]): Promise<Pick<Dashboard, 'cards' | 'failed'>> {
  const { tx, services } = sheet.ctx;
  const made = await readSeparately(
    tx,
    shown.map((card) => () => figureOf(sheet, card)),
  );
  const cards: Cards = Object.assign({}, ...made.map((each) => (each.status === 'fulfilled' ? each.value : {})));
  const failed = shown.flatMap(({ key }, index) => {
    const each = made[index];
    if (each?.status !== 'rejected') return [];
    services.log.error({ err: each.reason, card: key }, 'a card could not be created');
    return [{ key, ...partialReadError(each.reason) }];
  });
  return { cards, failed };
}

async function figureOf(sheet: Sheet, card: CardSettings): Promise<Cards> {
  const plType = chosenOn(card, 'pltype') === 1 ? 1 : 0;
  return {
    [card.key]: await runCard(sheet, card.key, {
      period: chosenOn(card, 'periodType'),
      plType,
      range: customRange(card),
    }),
  };
}

/** Returns the user's layout in this company, or the default layout. */
export async function dashboardCards(ctx: Ctx): Promise<CardSettings[]> {
  const row = await ctx.tx.row(layouts.find({ userId: ctx.userId }));
  return wholeLayout(row?.cards ?? []);
}

/** Saves the user's complete layout. If two tabs save at the same time, the last save wins. */
export async function saveDashboardCards(ctx: Ctx, given: readonly CardLayout[]): Promise<CardSettings[]> {
  const layout = wholeLayout(given);
  ctx.tx.atEnd(saveLayout(ctx.userId, layout));
  return layout;
}

const subject: Subject<typeof Target> = { name: 'revenuetarget', schema: Target, idOf: (target) => target.periodType };

export async function listTargets({ tx }: Ctx): Promise<Target[]> {
  return tx.rows(targets.find({}, { orderBy: targets.ref('periodType') }));
}

/**
 * Saves the given targets. 0 removes a target. Throws 422 for a period without targets and for a negative amount. If
 * two users save at the same time, the last save wins, and the audit log contains both changes.
 */
export async function saveTargets(ctx: Ctx, given: readonly Target[]): Promise<Target[]> {
  const fields: FieldMessages = {};
  given.forEach(({ periodType, amount }, index) => {
    if (!targetPeriods.includes(periodType)) fields[`${index}.periodType`] = 'must be 0, 1, or 4';
    if (amount < 0) fields[`${index}.amount`] = 'must not be negative';
  });
  refuseFields(fields);
  const before = new Map((await listTargets(ctx)).map((target) => [target.periodType, target]));
  const after = new Map(before);
  for (const target of given) {
    if (target.amount === 0) after.delete(target.periodType);
    else after.set(target.periodType, target);
  }
  for (const periodType of targetPeriods) change(ctx, before.get(periodType), after.get(periodType));
  return targetPeriods.toSorted((a, b) => a - b).flatMap((periodType) => after.get(periodType) ?? []);
}

function change(ctx: Ctx, before: Target | undefined, after: Target | undefined): void {
  if (before?.amount === after?.amount) return;
  if (after !== undefined) record(ctx, subject, { before, after, write: saveTarget(after) });
  else if (before !== undefined) {
    record(ctx, subject, { before, write: targets.delete({ periodType: before.periodType }) });
  }
}
