import { type SalesTaxInput, SalesTaxScenario } from '@evenkeel/contract/settings';
import { ACCOUNT_INACTIVE } from '@evenkeel/core/books/accounts';
import { notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { decimal } from '@evenkeel/core/money';
import { checkSalesTax, displayPercentage, taxItemLabel } from '@evenkeel/core/documents/salestax';
import { rateOn } from '@evenkeel/core/documents/tax';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import {
  deleteItemsSql,
  type ScenarioRow,
  scenarios,
  scenariosSql,
  taxAccountSql,
  type TaxItemRow,
  taxItems,
  untouchedScenario,
} from './salestax.sql.ts';

const subject: Subject<typeof SalesTaxScenario> = {
  name: 'salestax',
  schema: SalesTaxScenario,
  idOf: (scenario) => scenario.id,
};

/** Returns the sales tax scenarios with their active items. The first one is the default for all customers. */
export async function listSalesTax(ctx: Ctx): Promise<SalesTaxScenario[]> {
  return (await ctx.tx.rows(scenariosSql())).map((row) => toScenario(ctx, row));
}

/** Returns one scenario. Throws 404 if the company has no scenario with this ID. */
export async function getSalesTax(ctx: Ctx, id: number): Promise<SalesTaxScenario> {
  const row = await ctx.tx.row(scenariosSql(id));
  if (row === undefined) throw missing();
  return toScenario(ctx, row);
}

/**
 * Creates a scenario. A new company has an empty scenario that taxes nothing. The first scenario that is created
 * without a name replaces the empty scenario and becomes the default. Throws 422 if validation fails (core/salestax) or
 * if the account is not an active current liability.
 */
export async function createSalesTax(ctx: Ctx, input: SalesTaxInput): Promise<SalesTaxScenario> {
  const first = (input.name ?? '') === '' ? await ctx.tx.row(untouchedScenario()) : undefined;
  if (first !== undefined) return updateSalesTax(ctx, first.id, { ...input, rowVersion: undefined });
  const header = {
    ...(await requireGood(ctx, input)),
    name: input.name ?? '',
    taxRounding: input.taxRounding ?? 'item',
  };
  const { id } = await ctx.tx.one(scenarios.insert(header, ['id']));
  writeItems(ctx, { id, items: [] }, input);
  return record(ctx, subject, { after: await getSalesTax(ctx, id) });
}

/**
 * Saves a scenario. The given items replace the stored ones. Items that are omitted or marked as deleted are deleted.
 * Saved invoices keep their rates. Throws 404, 409 'stale', and 422 for the same reasons as createSalesTax.
 */
export async function updateSalesTax(ctx: Ctx, id: number, input: SalesTaxInput): Promise<SalesTaxScenario> {
  const [, [stored]] = await ctx.tx.inOrder([scenarios.find({ id }, { lock: 'for update' }), scenariosSql(id)]);
  if (stored === undefined) throw missing();
  const before = toScenario(ctx, stored);
  requireFresh(SalesTaxScenario, before, input.rowVersion);
  const header = await requireGood(ctx, input);
  const { name, taxRounding } = input;
  ctx.tx.atEnd(
    scenarios.update(
      { id },
      {
        ...header,
        name: name ?? before.name,
        taxRounding: taxRounding ?? before.taxRounding,
        rowVersion: before.rowVersion + 1,
      },
    ),
  );
  writeItems(ctx, stored, input);
  return record(ctx, subject, { before, after: await getSalesTax(ctx, id) });
}

async function requireGood(ctx: Ctx, input: SalesTaxInput) {
  refuseFields(checkSalesTax(input));
  const header = { glAccountId: input.glAccountId ?? 0, filingFrequency: input.filingFrequency ?? 0 };
  const account = await ctx.tx.row(taxAccountSql(header.glAccountId));
  if (account?.active !== true) {
    refuseFields({ glAccountId: account === undefined ? 'Please Select an Account' : ACCOUNT_INACTIVE });
  }
  return header;
}

function writeItems(ctx: Ctx, scenario: Pick<ScenarioRow, 'id' | 'items'>, input: SalesTaxInput): void {
  const items = input.salesTaxItems.flatMap((item, index): TaxItemRow[] => {
    const id = item.id ?? 0;
    const known = scenario.items.find((each) => each.id === id);
    if (id > 0 && known === undefined) {
      const message = "This tax item doesn't exist";
      throw refuse(message, { [`salesTaxItems.${index}.id`]: message });
    }
    if (item.deleted === true) return [];
    const percentage = item.percentage.toString();
    const rates = item.rates
      ?.map((rate) => ({ from: rate.from, percentage: rate.percentage.toString() }))
      .toSorted((a, b) => (a.from < b.from ? -1 : 1));
    const { label, salesTaxType } = item;
    return [
      { id, label: label ?? '', salesTaxType: salesTaxType ?? 0, percentage, rates: rates ?? known?.rates ?? [] },
    ];
  });
  const scenarioId = scenario.id;
  ctx.tx.atEnd(
    deleteItemsSql(
      scenarioId,
      items.map((item) => item.id),
    ),
    ...items.map(({ id, ...item }) =>
      id > 0 ? taxItems.update({ id, scenarioId }, item) : taxItems.insert({ ...item, scenarioId }),
    ),
  );
}

function missing(): Error {
  return notFound('Sales tax scenario');
}

function toScenario({ today }: Ctx, { items, ...row }: ScenarioRow): SalesTaxScenario {
  const salesTaxItems = items.map((item) => {
    const exact = {
      ...item,
      percentage: decimal(item.percentage),
      rates: item.rates.map(({ from, percentage }) => ({ from, percentage: decimal(percentage) })),
    };
    const displayValue = displayPercentage(rateOn(exact, today).percentage);
    return { ...exact, deleted: false, displayLabel: taxItemLabel(item), displayValue };
  });
  return { ...row, salesTaxItems };
}
