import { isTrue } from '@evenkeel/contract/endpoint';
import { LINE_STATES } from '@evenkeel/contract/bankRules';
import { type BankLine, type Candidate, type MatchedEntry, type PayableDocument } from '@evenkeel/contract/statements';
import { notFound } from '@evenkeel/core/failure';
import { ZERO } from '@evenkeel/core/money';
import { grouped } from '@evenkeel/core/reports/report';
import { pageOf } from '../../platform/db/page.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { holds } from '../../platform/http/session.ts';
import { markedLines } from '../../books/ledger/marks.sql.ts';
import { bankingAccounts } from './accounts.sql.ts';
import { bestOf, candidatesOf, entryView } from './candidates.ts';
import { searchDocuments } from './evidence.sql.ts';
import { sizeOf } from './postings.ts';
import {
  actsSql,
  type BankLineRow,
  bankLines,
  type EntryRow,
  entriesOfActs,
  type LineFilter,
  linesOfActs,
  linesSql,
  searchEntries,
  SETTLED,
  type ShownAct,
  statesSql,
  toReviewSql,
} from './lines.sql.ts';
import { type Review, reviewOf } from './review.ts';

interface ListAsk extends LineFilter {
  sure?: string | undefined;
}

/**
 * Lists bank transactions, sorted by date. Those for review include their best suggestion. `parts` counts them by
 * state.
 */
export async function listBankLines(ctx: Ctx, ask: ListAsk) {
  if (isTrue(ask.sure)) return sureLines(ctx, ask);
  const [rows, states] = await Promise.all([
    ctx.tx.rows(linesSql(ask)),
    ask.limit === undefined ? [] : ctx.tx.rows(statesSql(ask)),
  ]);
  const views = new Map((await lineViews(ctx, rows)).map((view) => [view.id, view]));
  const shown = rows.flatMap((row) => {
    const view = views.get(row.id);
    return view === undefined ? [] : [{ ...row, view }];
  });
  const parts = Object.fromEntries(
    LINE_STATES.map((state) => {
      const { count = 0, amount = ZERO } = states.find((each) => each.state === state) ?? {};
      return [state, { count, amount }];
    }),
  );
  const isAll = ask.state === undefined || ask.state === 'all';
  const shownStates: readonly string[] = ask.state === 'settled' ? SETTLED : isAll ? LINE_STATES : [ask.state ?? ''];
  const total = shownStates.reduce((all, state) => all + (parts[state]?.count ?? 0), 0);
  return pageOf(ask, { rows: shown, total, parts }, ({ view }) => view);
}

/** Returns the number of bank transactions for review, as shown on the cash card. Counts only active accounts. */
export async function linesToReview(tx: Tx): Promise<number> {
  return (await tx.one(toReviewSql())).count;
}

/**
 * Returns the bank transactions whose suggested match is certain. All of them are on one page, because users accept
 * them together.
 */
async function sureLines(ctx: Ctx, { limit, after: _, skip: _s, ...ask }: ListAsk) {
  const rows = await ctx.tx.rows(linesSql({ ...ask, state: 'review' }));
  const items = (await lineViews(ctx, rows)).filter(({ candidate }) => candidate?.sure === true);
  return limit === undefined ? items : { items, next: null, total: items.length };
}

/** Returns one bank transaction. Throws 404 if it does not exist. */
export async function getBankLine(ctx: Ctx, id: number): Promise<BankLine> {
  const [view] = await lineViews(ctx, [await lineRow(ctx.tx, id)]);
  if (view === undefined) throw notFound('Bank transaction');
  return view;
}

async function lineRow(tx: Tx, id: number): Promise<BankLineRow> {
  const row = await tx.row(bankLines.find({ id }));
  if (row === undefined) throw notFound('Bank transaction');
  return row;
}

/** Whether the caller may view the documents that a bank transaction can pay: invoices or bills. */
const viewsDocuments = (ctx: Ctx, { amount }: Pick<BankLineRow, 'amount'>): boolean =>
  holds(ctx, amount > 0 ? 'View Billing' : 'View Expenses');

/**
 * Returns all suggested matches for a bank transaction, the open documents that it can pay, and search results.
 * Documents that the caller can't view are omitted. Throws 404 if the bank transaction does not exist.
 */
export async function bankLineCandidates(
  ctx: Ctx,
  id: number,
  q: string | undefined,
): Promise<{ candidates: Candidate[]; found: MatchedEntry[]; documents: PayableDocument[] }> {
  const line = await lineRow(ctx.tx, id);
  const { bankAccountId, date } = line;
  const withDocuments = viewsDocuments(ctx, line);
  const review = line.state === 'review' ? await reviewOf(ctx.tx, bankAccountId) : undefined;
  const account = await ctx.tx.row(bankingAccounts.find({ id: bankAccountId }));
  const [found, open] = await Promise.all([
    q ? ctx.tx.rows(searchEntries(account?.glAccountId ?? 0, date, q)) : [],
    review === undefined || !withDocuments ? [] : ctx.tx.rows(searchDocuments(line, q ?? '')),
  ]);
  return {
    candidates:
      review === undefined ? [] : candidatesOf(review, line).filter(({ action }) => action !== 'pay' || withDocuments),
    found: found.map((row) => entryView(row, bankAccountId)),
    documents: open.map(
      ({ id: invoiceId, kind, number, date: documentDate, open: openAmount, entityId, entityName }) => {
        const named = { kind, number, date: documentDate, entityId, entityName };
        return { ...named, invoiceId, openAmount: sizeOf(openAmount) };
      },
    ),
  };
}

/** The actions on bank transactions, read together. */
interface Acts {
  acts: ReadonlyMap<number, ShownAct>;
  /** Entries by action ID. */
  entries: ReadonlyMap<number, readonly EntryRow[]>;
  lines: ReadonlyMap<number, readonly { id: number; actId: number }[]>;
  reconciled: ReadonlySet<number>;
}

async function actsOf(tx: Tx, rows: readonly BankLineRow[]): Promise<Acts> {
  const ids = [...new Set(rows.flatMap(({ actId }) => actId ?? []))];
  if (ids.length === 0) return { acts: new Map(), entries: new Map(), lines: new Map(), reconciled: new Set() };
  const [acts, entries, lines] = await Promise.all([
    tx.rows(actsSql(ids)),
    tx.rows(entriesOfActs(ids)),
    tx.rows(linesOfActs(ids)),
  ]);
  const marked = await tx.rows(markedLines.find({ lineId: entries.map(({ glid }) => glid) }));
  return {
    acts: new Map(acts.map((act) => [act.id, act])),
    entries: grouped(entries, ({ actId }) => actId ?? 0),
    lines: grouped(lines, ({ actId }) => actId),
    reconciled: new Set(marked.map(({ lineId }) => lineId)),
  };
}

/** Returns a bank transaction without suggestions that pay documents and without the names of files on its payment. */
function withoutDocuments({ act, candidate, choices, ...line }: BankLine): BankLine {
  return {
    ...line,
    act: act?.action === 'pay' ? { ...act, documentLinks: [] } : act,
    ...(candidate?.action === 'pay' ? { candidate: null, choices: 0 } : { candidate, choices }),
  };
}

/**
 * Returns bank transactions as users see them, in the given order. Bank transactions for review are matched together
 * with all others for review in their account. If the caller can't view the documents that a bank transaction pays, the
 * suggestions and files that reveal them are omitted.
 */
export async function lineViews(ctx: Ctx, rows: readonly BankLineRow[]): Promise<BankLine[]> {
  const { tx } = ctx;
  const acts = await actsOf(tx, rows);
  const accountIds = new Set(rows.filter(({ state }) => state === 'review').map(({ bankAccountId }) => bankAccountId));
  const reviews = new Map<number, Review>();
  for (const id of accountIds) reviews.set(id, await reviewOf(tx, id));
  return rows.map((row) => {
    const view = lineView(row, acts, reviews.get(row.bankAccountId));
    return viewsDocuments(ctx, row) ? view : withoutDocuments(view);
  });
}

function lineView(row: BankLineRow, acts: Acts, review: Review | undefined): BankLine {
  const { lineNo: _, key: _k, payee: _p, isDoubtful: doubtful, actId, ...line } = row;
  const entries = acts.entries.get(actId ?? 0) ?? [];
  const best = row.state === 'review' && review !== undefined ? bestOf(review, row) : { candidate: null, choices: 0 };
  return {
    ...line,
    doubtful,
    reconciled: entries.some(({ glid }) => acts.reconciled.has(glid)),
    act: actId === null ? null : actView(row, acts, entries),
    ...best,
  };
}

function actView({ id, actId, bankAccountId }: BankLineRow, { acts, lines }: Acts, entries: readonly EntryRow[]) {
  const act = acts.get(actId ?? 0);
  if (act === undefined) throw new Error(`bank transaction ${id} has no action`);
  return {
    action: act.kind,
    reason: act.reason,
    by: act.by,
    at: act.madeAt.toISOString(),
    automatic: act.isAutomatic,
    ruleId: act.ruleId,
    documentLinks: act.documentLinks,
    entries: entries.map((entry) => entryView(entry, bankAccountId)),
    lineIds: (lines.get(act.id) ?? []).filter((other) => other.id !== id).map((other) => other.id),
  };
}
