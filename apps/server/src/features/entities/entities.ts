import type { Area } from '@evenkeel/contract/areas';
import type { DocumentLink } from '@evenkeel/contract/attachments';
import { Entity, type EntityInput } from '@evenkeel/contract/entities';
import type { PropertyDefinition } from '@evenkeel/contract/settings';
import { checkEntity, entityEmail, entityLabel, entityName } from '@evenkeel/core/entities';
import { conflict, notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { PAYABLE, RECEIVABLE, type Side } from '@evenkeel/core/documents/side';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { mergeDetails, NO_DETAILS, shownDetails } from '../settings/entity-details.ts';
import { linksSql } from '../../books/attachments/attachments.sql.ts';
import { planLinks, unlinkAll } from '../../books/attachments/links.ts';
import type { Owner } from '../../books/attachments/owners.ts';
import { customerParty, keepParty } from '../../books/parties.ts';
import { definitionsOf, keptValues } from '../settings/properties.ts';
import { emailFactsSql, entities, type EntityRow, openSql, scenarioSql } from './entities.sql.ts';
import { balanceSql } from './list.sql.ts';

/** The differences between customers and vendors. The functions below handle both. */
export interface EntityBook {
  side: Side;
  /** The area whose permissions apply. */
  area: Area & ('Customers' | 'Vendors');
  /** The area whose documents refer to the entities. */
  documents: Area & ('Billing' | 'Expenses');
}

export const customers: EntityBook = { side: RECEIVABLE, area: 'Customers', documents: 'Billing' };
export const vendors: EntityBook = { side: PAYABLE, area: 'Vendors', documents: 'Expenses' };

const labelOf = ({ side }: EntityBook): string => entityLabel(side.entityKind);
/** The kind of record that files are attached to. */
const ownerOf = ({ side }: EntityBook, id: number): Owner => ({
  kind: side === PAYABLE ? 'vendor' : 'customer',
  id,
});

/** Returns one customer or vendor, active or inactive. Throws 404 if it does not exist. */
export async function getEntity(ctx: Ctx, book: EntityBook, id: number): Promise<Entity> {
  const [row, balance, attached] = await Promise.all([
    ctx.tx.row(entities.find({ kind: book.side.entityKind, id })),
    ctx.tx.row(balanceSql(book.side, id)),
    ctx.tx.row(linksSql(ownerOf(book, id))),
  ]);
  if (row === undefined) throw notFound(labelOf(book));
  return toEntity(row, balance?.balance ?? ZERO, attached?.links);
}

/**
 * Returns the email addresses that each customer's documents are sent to: the primary contact's, or else the customer's
 * own.
 */
export async function emailsOf(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await ctx.tx.rows(emailFactsSql(ids));
  return new Map(
    rows.map(({ id, emailAddress, details }) => [id, shownDetails(details).primaryContactEmail || emailAddress]),
  );
}

/**
 * Creates an entity. Throws 422 if validation fails (core/entities) or a referenced record doesn't belong to the
 * company.
 */
export async function createEntity(ctx: Ctx, book: EntityBook, input: EntityInput): Promise<Entity> {
  const kind = book.side.entityKind;
  const row = merged({ ...NEW_ROW, kind }, input);
  requireGood(book, { ...input, name: row.name, emailAddress: row.emailAddress });
  const [known, scenario, links] = await Promise.all([
    ctx.tx.rows(definitionsOf(kind)),
    ctx.tx.row(scenarioSql(row.salesTaxScenarioId ?? 0)),
    planLinks(ctx, ownerOf(book, 0), input.documentLinks),
  ]);
  requireReferences(row, { input, stored: NEW_ROW, known, scenario });
  const { id: _, ...unsaved } = row;
  const saved = await ctx.tx.one(entities.insert(unsaved, ['id']));
  return record(ctx, subjectOf(book), {
    after: toEntity({ ...row, ...saved }, ZERO, links.after),
    write: links.write(saved.id),
  });
}

/**
 * Saves an entity. `deleted: false` makes an inactive one active. Throws 404, 409 'stale', and 422 for the same reasons
 * as createEntity.
 */
export async function updateEntity(
  ctx: Ctx,
  book: EntityBook,
  { id, input }: { id: number; input: EntityInput },
): Promise<Entity> {
  const where = { kind: book.side.entityKind, id };
  const [[[stored], [standing], [balance], known, [scenario]], links] = await Promise.all([
    ctx.tx.inOrder([
      entities.find(where, { lock: 'for update' }),
      openSql(id),
      balanceSql(book.side, id),
      definitionsOf(where.kind),
      scenarioSql(input.salesTaxScenarioId ?? 0),
    ]),
    planLinks(ctx, ownerOf(book, id), input.documentLinks),
  ]);
  if (stored === undefined) throw notFound(labelOf(book));
  const before = toEntity(stored, balance?.balance ?? ZERO, links.before);
  requireFresh(Entity, before, input.rowVersion);
  const row = { ...merged(stored, input), rowVersion: stored.rowVersion + 1, deleted: input.deleted ?? stored.deleted };
  if (row.deleted && !stored.deleted) requireNothingOpen(book, stored, standing);
  requireGood(book, { ...input, name: row.name, emailAddress: row.emailAddress, isIndividual: row.isIndividual });
  requireReferences(row, { input, stored, known, scenario });
  const after = toEntity(row, before.currentbalance, links.after);
  const parties = { before: customerParty(before), after: customerParty(after) };
  const write = [
    entities.update(where, row),
    ...keepParty({ entityId: id, lastVersion: before.rowVersion, ...parties }),
    ...links.write(id),
  ];
  return record(ctx, subjectOf(book), { before, after, write });
}

/**
 * Deletes an entity, or makes it inactive if a record refers to it. Throws 404, or 409 while it has open records.
 */
export async function removeEntity(ctx: Ctx, book: EntityBook, id: number): Promise<{ ok: true }> {
  const where = { kind: book.side.entityKind, id };
  // The entity must be locked first. Documents that refer to it wait for this lock, so the checks that follow can't
  // become outdated.
  const [[stored], [standing], [use], [balance], [attached]] = await ctx.tx.inOrder([
    entities.find(where, { lock: 'for update' }),
    openSql(id),
    entities.isUsed(id),
    balanceSql(book.side, id),
    linksSql(ownerOf(book, id)),
  ]);
  if (stored === undefined) throw notFound(labelOf(book));
  if (!stored.deleted) requireNothingOpen(book, stored, standing);
  const kept = { deleted: true, rowVersion: stored.rowVersion + 1 };
  const write =
    use?.used === false ? [unlinkAll(ownerOf(book, id)), entities.delete(where)] : entities.update(where, kept);
  record(ctx, subjectOf(book), { before: toEntity(stored, balance?.balance ?? ZERO, attached?.links), write });
  return { ok: true };
}

/** Throws 409 if the entity has open records, because an inactive customer or vendor can't be billed or paid. */
function requireNothingOpen(
  book: EntityBook,
  { displayname }: EntityRow,
  standing: { open: string[] } | undefined,
): void {
  const open = standing?.open ?? [];
  if (open.length === 0) return;
  const list = open.length === 1 ? open[0] : `${open.slice(0, -1).join(', ')} and ${open.at(-1)}`;
  throw conflict(
    `${displayname} has ${list}. Settle or remove them before you make this ${book.side.words.entity} inactive.`,
  );
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
  exemptReason: null,
  exemptUntil: null,
  termsDays: null,
  discountPercent: null,
  discountDays: null,
  deleted: false,
  rowVersion: 1,
};

function subjectOf(book: EntityBook): Subject<typeof Entity> {
  return { name: labelOf(book).toLowerCase(), schema: Entity, idOf: (entity) => entity.id };
}

/** Returns the row with the input applied. Omitted fields keep their values. */
function merged(stored: EntityRow, input: EntityInput): EntityRow {
  const isIndividual = input.isIndividual ?? stored.isIndividual;
  const name = entityName({ ...input, name: input.name ?? stored.name, isIndividual });
  const renamed = stored.displayname === stored.name ? name : stored.displayname;
  const { discountPercent, discountDays } = discountTerms(input, stored);
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
    exemptReason: input.exemptReason === undefined ? stored.exemptReason : input.exemptReason,
    exemptUntil: input.exemptUntil === undefined ? stored.exemptUntil : input.exemptUntil,
    termsDays: input.termsDays === undefined ? stored.termsDays : input.termsDays,
    discountPercent,
    discountDays,
  };
}

/** If a request contains one part of the discount terms, both parts are replaced. */
function discountTerms(
  { discountPercent: percent, discountDays: days }: EntityInput,
  stored: EntityRow,
): Pick<EntityRow, 'discountPercent' | 'discountDays'> {
  if (percent === undefined && days === undefined) return stored;
  return { discountPercent: typeof percent === 'number' ? String(percent) : null, discountDays: days ?? null };
}

function requireGood(book: EntityBook, input: EntityInput): void {
  refuseFields(checkEntity(input, book.side.entityKind));
}

interface References {
  input: EntityInput;
  stored: Pick<EntityRow, 'details'>;
  known: readonly PropertyDefinition[];
  scenario: { known: boolean } | undefined;
}

/**
 * Throws 422 for references that don't exist in the company. Returns the custom field values in their stored format.
 */
function requireReferences(row: EntityRow, { input, stored, known, scenario }: References): void {
  if (input.salesTaxScenarioId && scenario?.known !== true) {
    const message = 'Please Select a Sales Tax Scenario';
    throw refuse(message, { salesTaxScenarioId: message });
  }
  if (!input.extendedProperties) return;
  const { extendedProperties: sent = [] } = row.details;
  row.details.extendedProperties = keptValues(sent, stored.details.extendedProperties ?? [], known);
}

function toEntity(row: EntityRow, currentbalance: Cents, documentLinks: DocumentLink[] = []): Entity {
  const { details, kind: _, discountPercent: percent, ...columns } = row;
  return {
    ...columns,
    ...shownDetails(details),
    discountPercent: percent === null ? null : Number(percent),
    documentLinks,
    currentbalance,
  };
}
