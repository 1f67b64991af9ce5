import { Entity, type EntityInput } from '@evenkeel/contract/entities';
import { encode } from '@evenkeel/contract/wire';
import { checkEntity, type CUSTOMER, entityEmail, entityLabel, entityName, type VENDOR } from '@evenkeel/core/entities';
import { notFound, refuse } from '@evenkeel/core/failure';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { audit } from '../db/audit.ts';
import type { Runnable } from '../db/query.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { mergeDetails, NO_DETAILS, requireProperties, shownDetails } from '../settings/entity-details.ts';
import {
  deleteEntitySql,
  entitySql,
  type EntityReferences,
  type EntityRow,
  insertEntitySql,
  referencesSql,
  updateEntitySql,
} from './entities.sql.ts';

/** What differs between customers and vendors; the use cases below serve both. */
export interface EntityBook {
  kind: typeof CUSTOMER | typeof VENDOR;
  /** What is owed by (or to) the entity now. */
  balanceSql: (companyId: number, id: number) => Runnable<{ balance: Cents }>;
  /** Whether anything refers to the entity: a document, a payment, a line of the journal. */
  historySql: (companyId: number, id: number) => Runnable<{ used: boolean }>;
}

/** One entity of the book, also a deactivated one. 404 when the company has none with that id. */
export async function getEntity(ctx: Ctx, book: EntityBook, id: number): Promise<Entity> {
  const [row, balance] = await Promise.all([
    ctx.tx.row(entitySql(ctx.companyId, book.kind, { id })),
    ctx.tx.row(book.balanceSql(ctx.companyId, id)),
  ]);
  if (row === undefined) throw notFound(entityLabel(book.kind));
  return toEntity(row, balance?.balance ?? ZERO);
}

/** Creates an entity. 422 by core/entities' rules, or when the body names what the company does not have. */
export async function createEntity(ctx: Ctx, book: EntityBook, input: EntityInput): Promise<Entity> {
  const row = applied(NEW_ROW, input);
  requireGood(book, { ...input, name: row.name, emailAddress: row.emailAddress });
  requireReferences(await ctx.tx.row(referencesSql(ctx.companyId, book.kind, row.salesTaxScenarioId ?? 0)), row);
  const saved = await ctx.tx.row(insertEntitySql(ctx.companyId, book.kind, row));
  const entity = toEntity({ ...row, id: saved?.id ?? 0 }, ZERO);
  audit(ctx, { action: 'create', ...subjectOf(book, entity.id), after: encode(Entity, entity) });
  return entity;
}

/** Saves an entity. 404, 409 'stale', 422 as createEntity; `deleted: false` restores a deactivated one. */
export async function updateEntity(
  ctx: Ctx,
  book: EntityBook,
  { id, input }: { id: number; input: EntityInput },
): Promise<Entity> {
  const [stored, balance, references] = await Promise.all([
    ctx.tx.row(entitySql(ctx.companyId, book.kind, { id, lock: true })),
    ctx.tx.row(book.balanceSql(ctx.companyId, id)),
    ctx.tx.row(referencesSql(ctx.companyId, book.kind, input.salesTaxScenarioId ?? 0)),
  ]);
  if (stored === undefined) throw notFound(entityLabel(book.kind));
  const before = toEntity(stored, balance?.balance ?? ZERO);
  requireFresh(Entity, before, input.rowVersion);
  const row = {
    ...applied(stored, input),
    rowVersion: stored.rowVersion + 1,
    deleted: input.deleted ?? stored.deleted,
  };
  requireGood(book, { ...input, name: row.name, emailAddress: row.emailAddress, isIndividual: row.isIndividual });
  if (input.salesTaxScenarioId || input.extendedProperties) requireReferences(references, row);
  const after = toEntity(row, before.currentbalance);
  ctx.tx.atEnd(updateEntitySql(ctx.companyId, book.kind, row));
  const change = { before: encode(Entity, before), after: encode(Entity, after) };
  audit(ctx, { action: 'update', ...subjectOf(book, id), ...change });
  return after;
}

/** Removes an entity; one with history is kept and marked deleted. 404 when there is none. */
export async function removeEntity(ctx: Ctx, book: EntityBook, id: number): Promise<{ ok: true }> {
  // Locked first: a document that names the entity waits for this, so that the history read next is complete.
  const stored = await ctx.tx.row(entitySql(ctx.companyId, book.kind, { id, lock: true }));
  if (stored === undefined) throw notFound(entityLabel(book.kind));
  const [history, balance] = await Promise.all([
    ctx.tx.row(book.historySql(ctx.companyId, id)),
    ctx.tx.row(book.balanceSql(ctx.companyId, id)),
  ]);
  const before = encode(Entity, toEntity(stored, balance?.balance ?? ZERO));
  const kept = { ...stored, deleted: true, rowVersion: stored.rowVersion + 1 };
  const isUsed = history?.used !== false;
  ctx.tx.atEnd(
    isUsed ? updateEntitySql(ctx.companyId, book.kind, kept) : deleteEntitySql(ctx.companyId, book.kind, id),
  );
  audit(ctx, { action: 'delete', ...subjectOf(book, id), before });
  return { ok: true };
}

const NEW_ROW: EntityRow = {
  id: 0,
  displayname: '',
  name: '',
  emailAddress: '',
  accountNumber: '',
  isIndividual: false,
  details: NO_DETAILS,
  salesTaxScenarioId: null,
  taxExempt: false,
  taxPermitNo: '',
  deleted: false,
  rowVersion: 1,
};

function subjectOf(book: EntityBook, subjectId: number) {
  return { subjectType: entityLabel(book.kind).toLowerCase(), subjectId };
}

/** The row with what the input gives; what it does not mention stays. */
function applied(stored: EntityRow, input: EntityInput): EntityRow {
  const isIndividual = input.isIndividual ?? stored.isIndividual;
  const name = entityName({ ...input, name: input.name ?? stored.name, isIndividual });
  const renamed = stored.displayname === stored.name ? name : stored.displayname;
  return {
    ...stored,
    name,
    displayname: input.displayname || (input.displayname === '' ? name : renamed),
    emailAddress: entityEmail({ ...input, emailAddress: input.emailAddress ?? stored.emailAddress, isIndividual }),
    accountNumber: input.accountNumber ?? stored.accountNumber,
    isIndividual,
    details: mergeDetails({ ...NO_DETAILS, ...stored.details }, input),
    salesTaxScenarioId:
      input.salesTaxScenarioId === undefined ? stored.salesTaxScenarioId : input.salesTaxScenarioId || null,
    taxExempt: input.taxExempt ?? stored.taxExempt,
    taxPermitNo: input.taxPermitNo ?? stored.taxPermitNo,
  };
}

function requireGood(book: EntityBook, input: EntityInput): void {
  const fields = checkEntity(input, book.kind);
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}

function requireReferences(known: EntityReferences | undefined, row: EntityRow): void {
  if (row.salesTaxScenarioId !== null && known?.scenario !== true) {
    const message = 'Please Select a Sales Tax Scenario';
    throw refuse(message, { salesTaxScenarioId: message });
  }
  requireProperties(row.details, known?.properties ?? []);
}

function toEntity(row: EntityRow, currentbalance: Cents): Entity {
  const { details, ...columns } = row;
  return { ...columns, ...shownDetails(details), currentbalance };
}
