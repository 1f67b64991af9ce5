import { idOrNull } from '@evenkeel/contract/fields';
import { type JournalEntryInput, ledgerCalls, type PostedTransaction } from '@evenkeel/contract/ledger';
import {
  accountLabel,
  accountTypeInfo,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from '@evenkeel/core/books/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import { type FieldMessages, refuse } from '@evenkeel/core/failure';
import { type Chained, difference } from '@evenkeel/core/books/ledger';
import { cents } from '@evenkeel/core/money';
import { lineRequirements } from '@evenkeel/core/documents/invoice';
import { type JournalLine, postJournal } from '@evenkeel/core/books/posting';
import { sql } from 'kysely';
import { asJson, COMPANY, listOf, type Runnable } from '../../platform/db/query.ts';
import type { Creation } from '../../platform/http/creation.ts';
import type { Actor } from '../../platform/http/context.ts';
import {
  ACTIVE_LOCATIONS,
  ACTIVE_PROFIT_CENTERS,
  type SettingRow,
  settingsSql,
  toCompanySettings,
} from '../company-settings.ts';
import { type AccountRow, accountsByIdSql } from './accounts.sql.ts';
import type { DraftEntry, DraftLine } from './journal-draft.sql.ts';
import { accountFault, noteFault, referenceFault, refuseFaults } from './references.ts';
import { closingOverride } from './journal.ts';
import { glEntry } from './register.ts';

/** A record that a journal line may refer to, and whether it is active. */
export interface ReferenceRow {
  kind: 'profitCenter' | 'location' | 'entity';
  id: number;
  name: string;
  active: boolean;
}

/** The IDs of the records that journal lines refer to. */
interface ReferencedIds {
  profitCenterIds: readonly number[];
  locationIds: readonly number[];
  entityIds: readonly number[];
}

/** The company's records that the lines of journal entries refer to. */
export interface References {
  accounts: readonly AccountRow[];
  references: readonly ReferenceRow[];
}

interface JournalFacts extends References {
  settings: SettingRow[];
  activeProfitCenters: number;
  activeLocations: number;
}

/**
 * Creates journal entries that are posted immediately and that the server composes, for example for a schedule. For
 * drafts and reversals, see `journal-entry.ts`.
 */
export const journalCreation: Creation<JournalEntryInput, JournalFacts, undefined, PostedTransaction> = {
  kind: 'journal',
  reply: ledgerCalls.postTransaction.reply,
  facts: journalFacts,
  make: (actor, input, facts) => {
    const entry = entryOf(actor, input);
    requireReferences(entry, facts, {});
    const transaction = postJournal({
      postingDate: entry.postingDate,
      basis: entry.basis,
      lines: linesWithSides(entry.lines),
      accountType: (id) => {
        const { type, contra } = accountOf(facts, id);
        return accountTypeInfo(type, contra);
      },
    });
    return {
      source: { type: 'journal', id: 0 },
      postings: difference([], [transaction]),
      reason: closingOverride(actor, input.closingOverrideReason),
      action: 'post',
      finish: ({ transactions: [posted] }) => {
        if (posted === undefined) throw new Error('the journal entry has no transaction');
        return { row: undefined, view: viewOf(posted, facts) };
      },
    };
  },
  write: () => [],
};

/**
 * Creates journal entries that a user enters. Each line requires a profit center and a location if the company uses
 * them, as in other documents (specification, part 2, "Validation rules").
 */
export const enteredJournal: typeof journalCreation = {
  ...journalCreation,
  make: (actor, input, facts) => {
    const { activeProfitCenters: profitCenters, activeLocations: locations } = facts;
    const required = lineRequirements(toCompanySettings(facts.settings), { profitCenters, locations });
    requireReferences(entryOf(actor, input), facts, required);
    return journalCreation.make(actor, input, facts);
  },
};

function journalFacts(inputs: readonly JournalEntryInput[]) {
  const lines = inputs.flatMap((input) => input.generalLedgerEntries);
  // On the cash basis, money in a control account posts to these accounts, even though no line refers to them.
  const unapplied = [UNAPPLIED_CASH_INCOME, UNAPPLIED_CASH_EXPENSE];
  const accounts = accountsByIdSql(ids([...lines.map((line) => line.accountID), ...unapplied]));
  const named = {
    profitCenterIds: ids(lines.map((line) => line.profitcenterid)),
    locationIds: ids(lines.map((line) => line.locationid)),
    entityIds: ids([...inputs.map((input) => input.entityID), ...lines.map((line) => line.entityId)]),
  };
  const references = sql`(select jsonb_agg(x) from (${referencesSql(named)}) x)`;
  return asJson(sql<JournalFacts>`
    select (select coalesce(jsonb_agg(x), '[]') from (${accounts}) x) as accounts,
      ${listOf(Object.values(named).flat(), references)} as "references",
      (select coalesce(jsonb_agg(x), '[]') from (${settingsSql()}) x) as settings,
      ${ACTIVE_PROFIT_CENTERS} as "activeProfitCenters", ${ACTIVE_LOCATIONS} as "activeLocations"`);
}

/** Selects the requested profit centers, locations, customers, and vendors that belong to the company. */
export function referencesSql(ids: ReferencedIds): Runnable<ReferenceRow> {
  return sql<ReferenceRow>`
    select 'profitCenter' as kind, id, name, active from profit_center
    where company_id = ${COMPANY} and id = any(${ids.profitCenterIds}::bigint[])
    union all
    select 'location', id, name, active from location
    where company_id = ${COMPANY} and id = any(${ids.locationIds}::bigint[])
    union all
    select 'entity', id, displayname, not deleted from entity
    where company_id = ${COMPANY} and id = any(${ids.entityIds}::bigint[])`;
}

function ids(all: readonly (number | null | undefined)[]): number[] {
  return [...new Set(all.map((id) => id ?? 0))].filter((id) => id > 0);
}

function accountOf({ accounts }: References, id: number): AccountRow {
  const account = accounts.find((each) => each.id === id);
  if (account === undefined) throw new Error(`account ${id} was not loaded`);
  return account;
}

/** Returns the posted transaction in the API format. */
function viewOf(posted: Chained, facts: JournalFacts): PostedTransaction {
  const { useAccountNumbers } = toCompanySettings(facts.settings);
  const { id, postingDate, sourceType, sourceId, lines, description } = posted;
  const common = { transactionId: id, postingDate, sourceType, sourceId, reversedBy: null, reconciliationId: null };
  return {
    transactionID: id,
    entityID: lines.find((line) => line.entityId !== null)?.entityId ?? 0,
    draft: false,
    postingDate,
    description,
    sourceType,
    sourceId,
    generalLedgerEntries: lines.map((line) => {
      const entity = facts.references.find((each) => each.kind === 'entity' && each.id === line.entityId);
      const label = accountLabel(accountOf(facts, line.accountId), useAccountNumbers);
      return glEntry({ ...line, ...common, entityName: entity?.name ?? null }, label);
    }),
    rowVersion: 1,
  };
}

/**
 * Returns the entry in a request, without incomplete lines at the end. Other responses contain the company's own ID as
 * `entityID`, so this ID means no customer or vendor.
 */
export function entryOf(actor: Pick<Actor, 'today' | 'companyId'>, input: JournalEntryInput): DraftEntry {
  const entityId = input.entityID === actor.companyId ? 0 : (input.entityID ?? 0);
  const lines = input.generalLedgerEntries.map((line): DraftLine => ({
    accountId: line.accountID ?? 0,
    debit: line.debit ?? null,
    amount: line.amount ?? cents(0),
    description: line.description ?? '',
    profitCenterId: line.profitcenterid || null,
    locationId: line.locationid || null,
    entityId: line.entityId || entityId || null,
  }));
  const { basis } = input;
  return {
    postingDate: postingDateOf(actor, input),
    basis: basis === 1 || basis === 2 ? basis : 0,
    entityId,
    lines: lines.at(-1)?.accountId === 0 ? lines.slice(0, -1) : lines,
  };
}

/** Returns the date for all lines. A draft without a date gets today's date. Core rejects an entry without lines. */
function postingDateOf(actor: Pick<Actor, 'today'>, input: JournalEntryInput): IsoDate {
  const dates = [input.postingDate, ...input.generalLedgerEntries.map((line) => line.postingDate)];
  const [date, other] = new Set(dates.filter((each) => each !== undefined && each !== null));
  if (other !== undefined)
    throw invalid({ postingDate: 'All lines of a journal entry must have the same posting date' });
  if (date !== undefined) return date;
  if (input.draft === true || input.generalLedgerEntries.length === 0) return actor.today;
  throw invalid({ postingDate: 'Please enter a posting date' });
}

/**
 * Throws 422 unless every ID belongs to the company and is active, and every required ID is set. Core handles an
 * account of 0, which means "not chosen".
 */
export function requireReferences(
  entry: DraftEntry,
  { accounts, references }: References,
  { useProfitCenters, useLocations }: Partial<ReturnType<typeof lineRequirements>>,
): void {
  const found = (kind: ReferenceRow['kind']) => references.filter((each) => each.kind === kind);
  const [centers, locations, entities] = [found('profitCenter'), found('location'), found('entity')];
  const fields: FieldMessages = {};
  entry.lines.forEach(({ accountId, profitCenterId, locationId, entityId }, index) => {
    const path = `generalLedgerEntries.${index}`;
    noteFault(fields, `${path}.accountID`, accountFault(accounts, { id: idOrNull(accountId) }));
    const center = { id: profitCenterId, isRequired: useProfitCenters === true };
    const location = { id: locationId, isRequired: useLocations === true };
    noteFault(fields, `${path}.profitcenterid`, referenceFault('profitCenter', centers, center));
    noteFault(fields, `${path}.locationid`, referenceFault('location', locations, location));
    noteFault(fields, `${path}.entityId`, referenceFault('entity', entities, { id: entityId }));
  });
  refuseFaults(fields);
}

function linesWithSides(lines: readonly DraftLine[]): JournalLine[] {
  const fields: FieldMessages = {};
  const sided = lines.map((line, index): JournalLine => {
    if (line.debit === null) fields[`generalLedgerEntries.${index}.debit`] = 'Please select Debit or Credit';
    return { ...line, debit: line.debit ?? true };
  });
  if (Object.keys(fields).length > 0) throw invalid(fields);
  return sided;
}

function invalid(fields: FieldMessages) {
  return refuse(Object.values(fields)[0] ?? 'The journal entry could not be posted', fields);
}
