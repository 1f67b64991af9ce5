import type { SearchResult } from '@evenkeel/contract/search';
import { accountLabel } from '@evenkeel/core/books/accounts';
import { formatDate } from '@evenkeel/core/dates';
import { present } from '@evenkeel/core/failure';
import { formatUsd, negate, type Cents } from '@evenkeel/core/money';
import {
  fold,
  LEAST_SEARCHED,
  meantBy,
  type Mistyped,
  mistyped,
  readSearch,
  type Search,
  type Term,
} from '@evenkeel/core/words/search';
import { type Searched, searchedKinds, searchNumberOf } from '@evenkeel/core/words/searched';
import { documentKinds, itemLabel, kindOf, PAYABLE, RECEIVABLE, type Side, sides } from '@evenkeel/core/documents/side';
import { commonTexts } from '../../platform/db/search.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { holds } from '../../platform/http/session.ts';
import { companySettings } from '../../books/company-settings.ts';
import * as statements from './search.sql.ts';

interface Shown extends Pick<SearchResult, 'itemText' | 'searchDisplayItems'> {
  /** Other lines that can be searched. Such a line is shown if it contains the search text. */
  besides: readonly string[];
}

/** Returns results by ID for one kind of record. */
type Show = (ctx: Ctx, ids: readonly number[]) => Promise<Map<number, Shown>>;

/** The records that are not documents, by their names in the audit log. */
const shows: Readonly<Record<string, Show>> = {
  customer: showEntities(RECEIVABLE),
  vendor: showEntities(PAYABLE),
  product: showOffered(statements.selectProducts),
  package: showOffered(statements.selectPackages),
  account: showAccounts,
  workitem: showWork,
  'scheduled invoice': showScheduled,
  'scheduled expense': showScheduled,
  'scheduled journal': showScheduled,
  [documentKinds.journal.source]: showJournals,
  ...Object.fromEntries(sides.map((side) => [side.payment.source, showPayments(side)])),
};

const numbersOf = (which: (kind: Searched) => boolean): number[] =>
  searchedKinds().flatMap((kind) => (which(kind) ? [kind.number] : []));
const ACCOUNT = present(
  searchedKinds().find(({ record }) => record === 'account'),
  'account search',
).number;

/**
 * Returns the records that match a search in the areas that the caller may view, or an empty list for fewer than 3
 * characters. If nothing matches, one typing error is corrected in words of five or more letters.
 */
export async function search(ctx: Ctx, text: string): Promise<SearchResult[]> {
  if (Array.from(text).length < LEAST_SEARCHED) return [];
  const asked = readSearch(text, ctx.today);
  const viewed = numbersOf(({ area }) => holds(ctx, `View ${area}`));
  if (asked.terms.length === 0 || viewed.length === 0) return [];
  const find = async (wanted: Search) => {
    const words = wanted.terms.filter(({ amount, days }) => amount === undefined && days === undefined);
    const common = await commonTexts(
      ctx.tx,
      words.map(({ texts }) => texts),
    );
    return ctx.tx.rows(statements.selectFound(wanted, { kinds: viewed, account: ACCOUNT, common }));
  };
  const found = await find(asked);
  if (found.length > 0) return shown(ctx, found, asked);
  const others = asked.ofAnyKind === undefined ? [] : await find(asked.ofAnyKind);
  if (asked.ofAnyKind !== undefined && others.length > 0) return shown(ctx, others, asked.ofAnyKind);
  const meant = await forgiven(ctx, asked.ofAnyKind ?? asked);
  if (meant === undefined) return [];
  const closest = await shown(ctx, await find(meant), meant);
  return closest.map((result) => ({ ...result, isClosest: true }));
}

/** Returns the search with similar words in place of mistyped ones, or undefined if no similar words exist. */
async function forgiven(ctx: Ctx, { whole, terms }: Search): Promise<Search | undefined> {
  const names = numbersOf(({ isName }) => isName === true);
  const others = async (term: Term): Promise<Term> => {
    const [word] = term.texts.length === 1 && term.days === undefined ? term.texts : [];
    const wrong = word === undefined ? undefined : mistyped(word);
    return wrong === undefined ? term : { texts: [...term.texts, ...(await meanings(ctx, wrong, names))] };
  };
  const read = await Promise.all(terms.map(others));
  return read.some(({ texts }, at) => texts.length > (terms[at]?.texts.length ?? 0))
    ? { whole, terms: read }
    : undefined;
}

async function meanings(ctx: Ctx, wrong: Mistyped, names: readonly number[]): Promise<string[]> {
  const common = await commonTexts(
    ctx.tx,
    wrong.halves.map((half) => [half]),
  );
  const rows = await ctx.tx.rows(statements.selectMeant(wrong, { kinds: names, common }));
  const words = rows.flatMap((row) => row.words.split(' '));
  return meantBy(wrong, words).map((word) => ` ${word}`);
}

/** Returns the results for entries in the same order. Each kind's records are read by ID. */
async function shown(ctx: Ctx, found: readonly statements.Found[], { terms }: Search): Promise<SearchResult[]> {
  const kinds = searchedKinds().filter(({ number }) => found.some(({ kind }) => kind === number));
  const read = await Promise.all(
    kinds.map(async ({ number, record }) => {
      const ids = found.filter(({ kind }) => kind === number).map(({ id }) => id);
      return [number, await (shows[record] ?? showDocuments)(ctx, ids)] as const;
    }),
  );
  const results = new Map(read);
  return found.flatMap(({ kind, id }) => {
    const result = results.get(kind)?.get(id);
    if (result === undefined) return [];
    const { itemText, searchDisplayItems, besides } = result;
    const lines = [...searchDisplayItems, ...reasons([itemText, ...searchDisplayItems], besides, terms)];
    return [{ itemId: id, itemType: kind, itemText, searchDisplayItems: lines }];
  });
}

/** Returns the lines that contain the text, or none if an always-visible line contains it. */
function reasons(shownLines: readonly string[], besides: readonly string[], terms: readonly Term[]): string[] {
  const [before, all] = [shownLines.map(fold), besides.map(fold)];
  const unseen = terms.flatMap(({ texts }) => {
    const wanted = texts.map((text) => text.trimStart());
    return wanted.some((text) => before.some((line) => line.includes(text))) ? [] : wanted;
  });
  return [...new Set(besides.filter((_, at) => unseen.some((text) => all[at]?.includes(text))))];
}

/** Returns the results by ID, one for each row. Empty lines are omitted. */
function byId<R extends { id: number; besides: string[] }>(
  rows: readonly R[],
  view: (row: R) => [text: string, ...lines: string[]],
) {
  return new Map(
    rows.map((row): [number, Shown] => {
      const [itemText, ...lines] = view(row);
      const { id, besides } = row;
      return [id, { itemText, searchDisplayItems: lines.filter((line) => line !== ''), besides }];
    }),
  );
}

function showEntities(side: Side): Show {
  const balanceOf = (balance: Cents) => (balance === 0 ? '' : formatUsd(balance));
  return async (ctx, ids) =>
    byId(await ctx.tx.rows(statements.selectEntities(side, ids)), ({ name, email, phone, balance }) => [
      name,
      email,
      phone,
      balanceOf(balance),
    ]);
}

async function showDocuments(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  return byId(await ctx.tx.rows(statements.selectDocuments(ids)), (row) => datedView(row, 'open'));
}

function showPayments(side: Side): Show {
  return async (ctx, ids) =>
    byId(await ctx.tx.rows(statements.selectPaid(side, ids)), (row) => datedView(row, 'unapplied'));
}

function datedView(row: statements.DatedRow, left: string): [string, ...string[]] {
  // A write-off is shown with a positive amount.
  const amount = kindOf(row.kind).waives === true ? negate(row.amount) : row.amount;
  const state = row.isDraft ? 'Draft' : row.left === 0 ? '' : `${formatUsd(row.left)} ${left}`;
  return [`${itemLabel(row.kind, -row.amount)} ${row.number}`, row.name, formatDate(row.day), formatUsd(amount), state];
}

async function showWork(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  return byId(await ctx.tx.rows(statements.selectWork(ids)), ({ description, name, day, amount }) => [
    description,
    name,
    formatDate(day),
    formatUsd(amount),
  ]);
}

async function showScheduled(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  return byId(await ctx.tx.rows(statements.selectScheduled(ids)), ({ template, name, next, paused, amount }) => [
    template,
    name,
    paused ? 'Paused' : next === null ? 'Ended' : `Next ${formatDate(next)}`,
    formatUsd(amount),
  ]);
}

function showOffered(select: (ids: readonly number[]) => ReturnType<typeof statements.selectProducts>): Show {
  const priceOf = (price: Cents | null) => (price === null ? '' : formatUsd(price));
  return async (ctx, ids) =>
    byId(await ctx.tx.rows(select(ids)), ({ name, description, price }) => [name, description, priceOf(price)]);
}

async function showJournals(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  const rows = await ctx.tx.rows(statements.selectJournals(searchNumberOf(documentKinds.journal), ids));
  return byId(rows, ({ id, description, day, amount }) => [
    `${documentKinds.journal.label} ${id}`,
    description,
    formatDate(day),
    formatUsd(amount),
  ]);
}

async function showAccounts(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  const [rows, { useAccountNumbers }] = await Promise.all([
    ctx.tx.rows(statements.selectAccounts(ids)),
    companySettings(ctx),
  ]);
  return byId(rows, (account) => [accountLabel(account, useAccountNumbers), account.type]);
}
