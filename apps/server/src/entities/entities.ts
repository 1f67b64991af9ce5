import { Entity, type EntityInput } from '@evenkeel/contract/entities';
import { checkEntity, type CUSTOMER, entityEmail, entityLabel, entityName, type VENDOR } from '@evenkeel/core/entities';
import { notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { record, type Subject } from '../db/audit.ts';
import type { Runnable } from '../db/query.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { mergeDetails, NO_DETAILS, requireProperties, shownDetails } from '../settings/entity-details.ts';
import { entities, type EntityReferences, type EntityRow, referencesSql } from './entities.sql.ts';

/** What differs between customers and vendors; the use cases below serve both. */
export interface EntityBook {
  kind: typeof CUSTOMER | typeof VENDOR;
  /** What is owed by (or to) the entity now. */
  balanceSql: (id: number) => Runnable<{ balance: Cents }>;
}

/** One entity of the book, also a deactivated one. 404 when the company has none with that id. */
export async function getEntity(ctx: Ctx, book: EntityBook, id: number): Promise<Entity> {
  const [row, balance] = await Promise.all([
    ctx.tx.row(entities.find({ kind: book.kind, id })),
    ctx.tx.row(book.balanceSql(id)),
  ]);
  if (row === undefined) throw notFound(entityLabel(book.kind));
  return toEntity(row, balance?.balance ?? ZERO);
}

/** Creates an entity. 422 by core/entities' rules, or when the body names what the company does not have. */
export async function createEntity(ctx: Ctx, book: EntityBook, input: EntityInput): Promise<Entity> {
  const row = merged({ ...NEW_ROW, kind: book.kind }, input);
  requireGood(book, { ...input, name: row.name, emailAddress: row.emailAddress });
  requireReferences(await ctx.tx.row(referencesSql(book.kind, row.salesTaxScenarioId ?? 0)), row);
  const { id: _, ...unsaved } = row;
  const saved = await ctx.tx.row(entities.insert(unsaved, ['id']));
  return record(ctx, subjectOf(book), { after: toEntity({ ...row, id: saved?.id ?? 0 }, ZERO) });
}

/** Saves an entity. 404, 409 'stale', 422 as createEntity; `deleted: false` restores a deactivated one. */
export async function updateEntity(
  ctx: Ctx,
  book: EntityBook,
  { id, input }: { id: number; input: EntityInput },
): Promise<Entity> {
  const where = { kind: book.kind, id };
  const [[stored], [balance], [references]] = await ctx.tx.inOrder([
    entities.find(where, { lock: 'for update' }),
    book.balanceSql(id),
    referencesSql(book.kind, input.salesTaxScenarioId ?? 0),
  ]);
  if (stored === undefined) throw notFound(entityLabel(book.kind));
  const before = toEntity(stored, balance?.balance ?? ZERO);
  requireFresh(Entity, before, input.rowVersion);
  const row = { ...merged(stored, input), rowVersion: stored.rowVersion + 1, deleted: input.deleted ?? stored.deleted };
  requireGood(book, { ...input, name: row.name, emailAddress: row.emailAddress, isIndividual: row.isIndividual });
  if (input.salesTaxScenarioId || input.extendedProperties) requireReferences(references, row);
  const after = toEntity(row, before.currentbalance);
  return record(ctx, subjectOf(book), { before, after, write: entities.update(where, row) });
}

/** Removes an entity; one that anything refers to is kept and marked deleted. 404 when there is none. */
export async function removeEntity(ctx: Ctx, book: EntityBook, id: number): Promise<{ ok: true }> {
  const where = { kind: book.kind, id };
  // Locked first: a document that names the entity waits for this, so that the answer read next is the last word.
  const [[stored], [use], [balance]] = await ctx.tx.inOrder([
    entities.find(where, { lock: 'for update' }),
    entities.isUsed(id),
    book.balanceSql(id),
  ]);
  if (stored === undefined) throw notFound(entityLabel(book.kind));
  const kept = { deleted: true, rowVersion: stored.rowVersion + 1 };
  const write = use?.used === false ? entities.delete(where) : entities.update(where, kept);
  record(ctx, subjectOf(book), { before: toEntity(stored, balance?.balance ?? ZERO), write });
  return { ok: true };
}

const NEW_ROW: Omit<EntityRow, 'kind'> = {
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

function subjectOf({ kind }: EntityBook): Subject<typeof Entity> {
  return { name: entityLabel(kind).toLowerCase(), schema: Entity, idOf: (entity) => entity.id };
}

/** The row with what the input gives; what it does not mention stays. */
function merged(stored: EntityRow, input: EntityInput): EntityRow {
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
  refuseFields(checkEntity(input, book.kind));
}

function requireReferences(known: EntityReferences | undefined, row: EntityRow): void {
  if (row.salesTaxScenarioId !== null && known?.scenario !== true) {
    const message = 'Please Select a Sales Tax Scenario';
    throw refuse(message, { salesTaxScenarioId: message });
  }
  requireProperties(row.details, known?.properties ?? []);
}

function toEntity(row: EntityRow, currentbalance: Cents): Entity {
  const { details, kind: _, ...columns } = row;
  return { ...columns, ...shownDetails(details), currentbalance };
}
