import { type SalesTaxInput, SalesTaxScenario } from '@evenkeel/contract/settings';
import { encode } from '@evenkeel/contract/wire';
import { notFound, refuse } from '@evenkeel/core/failure';
import { decimal } from '@evenkeel/core/money';
import { checkSalesTax, displayPercentage, taxItemLabel } from '@evenkeel/core/salestax';
import { audit } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import {
  deleteItemsSql,
  insertItemSql,
  insertScenarioSql,
  lockScenarioSql,
  type ScenarioRow,
  scenariosSql,
  taxAccountSql,
  type TaxItemRow,
  updateItemSql,
  updateScenarioSql,
} from './salestax.sql.ts';

const SUBJECT = 'salestax';

/** Sales tax scenarios with their live items; the first is the default of every customer. */
export async function listSalesTax(ctx: Ctx): Promise<SalesTaxScenario[]> {
  return (await ctx.tx.rows(scenariosSql(ctx.companyId))).map(toScenario);
}

/** One scenario; 404 when the company has none with that id. */
export async function getSalesTax(ctx: Ctx, id: number): Promise<SalesTaxScenario> {
  const row = await ctx.tx.row(scenariosSql(ctx.companyId, id));
  if (row === undefined) throw notFound('Sales tax scenario');
  return toScenario(row);
}

/** Creates a scenario. 422 by core/salestax' rules, or when the account is not an active current liability. */
export async function createSalesTax(ctx: Ctx, input: SalesTaxInput): Promise<SalesTaxScenario> {
  const header = await requireGood(ctx, input);
  const saved = await ctx.tx.row(insertScenarioSql(ctx.companyId, header));
  const id = saved?.id ?? 0;
  await writeItems(ctx, { id, known: [] }, input);
  const after = await getSalesTax(ctx, id);
  audit(ctx, { action: 'create', subjectType: SUBJECT, subjectId: id, after: encode(SalesTaxScenario, after) });
  return after;
}

/**
 * Saves a scenario: the given items take the place of the stored ones, those marked deleted (or left out) are deleted.
 * Invoices already saved keep their rates. 404, 409 'stale', 422 as createSalesTax.
 */
export async function updateSalesTax(ctx: Ctx, id: number, input: SalesTaxInput): Promise<SalesTaxScenario> {
  // Locked before it is read, so that the items read are the last ones saved.
  await ctx.tx.rows(lockScenarioSql(ctx.companyId, id));
  const before = await getSalesTax(ctx, id);
  requireFresh(SalesTaxScenario, before, input.rowVersion);
  const header = await requireGood(ctx, input);
  const known = before.salesTaxItems.map((item) => item.id);
  await Promise.all([
    ctx.tx.rows(updateScenarioSql(ctx.companyId, { id, ...header })),
    writeItems(ctx, { id, known }, input),
  ]);
  const after = await getSalesTax(ctx, id);
  const change = { before: encode(SalesTaxScenario, before), after: encode(SalesTaxScenario, after) };
  audit(ctx, { action: 'update', subjectType: SUBJECT, subjectId: id, ...change });
  return after;
}

async function requireGood(ctx: Ctx, input: SalesTaxInput) {
  const fields = checkSalesTax(input);
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
  const header = { glAccountId: input.glAccountId ?? 0, filingFrequency: input.filingFrequency ?? 0 };
  const account = await ctx.tx.row(taxAccountSql(ctx.companyId, header.glAccountId));
  if (account?.fits !== true) {
    throw refuse('Please Select an Account', { glAccountId: 'Please Select an Account' });
  }
  return header;
}

async function writeItems(
  ctx: Ctx,
  scenario: { id: number; known: readonly number[] },
  input: SalesTaxInput,
): Promise<void> {
  const items = input.salesTaxItems.flatMap((item, index): TaxItemRow[] => {
    const id = item.id ?? 0;
    if (id > 0 && !scenario.known.includes(id)) {
      const message = 'There is no such tax item';
      throw refuse(message, { [`salesTaxItems.${index}.id`]: message });
    }
    if (item.deleted === true) return [];
    const percentage = item.percentage.toString();
    return [{ id, label: item.label ?? '', salesTaxType: item.salesTaxType ?? 0, percentage }];
  });
  const kept = items.map((item) => item.id);
  await Promise.all([
    ctx.tx.rows(deleteItemsSql(ctx.companyId, scenario.id, kept)),
    ...items.map((item) =>
      ctx.tx.rows(
        item.id > 0 ? updateItemSql(ctx.companyId, scenario.id, item) : insertItemSql(ctx.companyId, scenario.id, item),
      ),
    ),
  ]);
}

function toScenario({ items, ...row }: ScenarioRow): SalesTaxScenario {
  const salesTaxItems = items.map((item) => {
    const percentage = decimal(item.percentage);
    const display = { displayLabel: taxItemLabel(item), displayValue: displayPercentage(percentage) };
    return { ...item, percentage, deleted: false, ...display };
  });
  return { ...row, salesTaxItems };
}
