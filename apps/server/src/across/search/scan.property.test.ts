import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { searchCalls } from '@evenkeel/contract/search';
import { addDays, type IsoDate, isoDate } from '@evenkeel/core/dates';
import { fold, readSearch, type Term } from '@evenkeel/core/words/search';
import { documentKinds, PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import { searchNumberOf } from '@evenkeel/core/words/searched';
import { narrowedTo } from '../../platform/db/search.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { countSql } from '../../features/entities/list.sql.ts';
import { verifyWithin } from '../health/books-verify.ts';
import { countList, countPayments } from '../../books/documents/reads.sql.ts';
import { Refused, startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor, makeInactive } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { selectFound } from './search.sql.ts';

const RUNS = Number(process.env['TORTURE_RUNS'] ?? 2);
const FIRST = isoDate('2026-01-01');

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** Uses only a few characters, so that words repeat. Some have accents, and some fold to two characters. */
const word = fc
  .array(fc.constantFrom('a', 'B', 'é', 'ø', 'ß', 'Ł', 'n', 'ñ', 'Σ', '-', '%', '_', '1', '.'), {
    minLength: 3,
    maxLength: 6,
  })
  .map((letters) => `x${letters.join('')}`);
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

const event = fc.record({
  kind: fc.constantFrom<'invoice' | 'bill' | 'payment' | 'rename' | 'delete' | 'deactivate'>(
    'invoice',
    'invoice',
    'bill',
    'payment',
    'rename',
    'delete',
    'deactivate',
  ),
  at: fc.nat(),
  dollars: fc.integer({ min: 1, max: 300 }),
  day: fc.nat({ max: 40 }),
  name,
});
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

const of = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

async function makeBooks(company: WorldCompany, names: readonly string[], events: readonly Event[]): Promise<void> {
  const { token, ...make } = factoryFor(t, company);
  const customers: number[] = [];
  const vendors: number[] = [];
  for (const [at, one] of names.entries()) {
    if (at % 2 === 0) customers.push(await make.customer(one));
    else vendors.push(await make.vendor(one));
  }
  const invoices: number[] = [];
  const post: Record<Event['kind'], (event: Event, ids: { customerId: number; vendorId: number }) => Promise<unknown>> =
    {
      invoice: async ({ dollars, day }, { customerId }) => {
        const dated = { invoiceDate: addDays(FIRST, day), dueDate: addDays(FIRST, day) };
        invoices.push((await make.invoice({ customerId, amount: dollars, ...dated })).id);
      },
      bill: ({ dollars, day, name: invoiceNumber }, { vendorId }) =>
        make.bill({ vendorId, amount: dollars, invoiceNumber, invoiceDate: addDays(FIRST, day) }),
      payment: ({ dollars, day }, { customerId }) =>
        make.payment({ customerId, paymentAmount: dollars, paymentDate: addDays(FIRST, day) }),
      rename: ({ name: other }, { customerId }) => {
        const body = { name: other, displayname: other, emailAddress: 'a@b.example', deleted: false };
        return t.call(entityCalls.updateCustomer, { token, params: { id: customerId }, body });
      },
      deactivate: (_, { customerId }) => makeInactive(t, company.companyId, customerId),
      delete: ({ at }) => t.call(billingCalls.deleteInvoice, { token, params: { id: of(invoices, at) ?? 0 } }),
    };
  for (const one of events) {
    const ids = { customerId: of(customers, one.at) ?? 0, vendorId: of(vendors, one.at) ?? 0 };
    // Deleted customers can't be billed, and paid invoices can't be deleted.
    await post[one.kind](one, ids).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  }
}

interface Scanned {
  kind: number;
  id: number;
  texts: string[];
  amounts: number[];
  day: IsoDate | null;
}

/** The records in their own tables, each with its searchable text. */
function scan(companyId: number): Promise<Scanned[]> {
  return t.inCompany(companyId, (tx) =>
    tx.rows(sql<Scanned>`
      select e.kind, e.id, array[e.displayname, e.name, e.email_address, e.account_number] as texts,
        '{}'::bigint[] as amounts, null::date as day
      from entity e where company_id = ${companyId} and not deleted
      union all
      select case d.side when 'receivable' then 2 else 3 end, d.id, array[d.document_number, e.displayname,
          (d.total_cents / 100.0)::numeric(18, 2)::text,
          case d.side when 'payable' then (d.open_cents / 100.0)::numeric(18, 2)::text else '' end],
        array[d.total_cents], d.dated
      from (select d.*, coalesce(d.invoice_date, d.document_date) as dated from document d) d
      join entity e on e.company_id = d.company_id and e.id = d.entity_id
      where d.company_id = ${companyId} and not d.deleted
      union all
      select 6, p.id, array[p.payment_number, e.displayname, (p.amount_cents / 100.0)::numeric(18, 2)::text],
        array[p.amount_cents], p.payment_date
      from payment p join entity e on e.company_id = p.company_id and e.id = p.entity_id
      where p.company_id = ${companyId} and not p.deleted`),
  );
}

function meets({ texts, amounts, day }: Scanned, term: Term): boolean {
  const words = ` ${texts.map(fold).join(' ')} `;
  const { amount, days } = term;
  return (
    term.texts.some((text) => words.includes(text)) ||
    (amount !== undefined &&
      amounts.some((one) => Math.abs(one) >= (amount.from ?? 0) && Math.abs(one) <= (amount.to ?? Infinity))) ||
    (days !== undefined && day !== null && day >= days.from && day <= days.to)
  );
}

const asked = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(word, fc.nat(5), fc.integer({ min: 3, max: 5 }))
      .map(([w, from, n]) => w.slice(from % 3, n + 1)),
  },
  fc.tuple(word, word).map((words) => words.map((each) => each.slice(0, 3)).join(' ')),
  fc.integer({ min: 1, max: 300 }).map((dollars) => `${dollars}.00`),
  fc.integer({ min: 1, max: 300 }).map((dollars) => `>${dollars}`),
  fc.nat({ max: 40 }).map((day) => addDays(FIRST, day)),
  fc.constantFrom('january 2026', '2026', '1000', '100', '.00', '2026-02'),
);

const KINDS = [0, 1, 2, 3, 6];

const scanned = (records: readonly Scanned[], text: string): string[] =>
  records
    .filter((record) => readSearch(text, FIRST).terms.every((term) => meets(record, term)))
    .map(({ kind, id }) => `${kind} ${id}`)
    .toSorted();

/**
 * Returns the results of a list search, found in two ways: by the IDs in the search index, and by the lists' own rows.
 */
async function listed(tx: Tx, q: string) {
  const sameDay = { today: FIRST, status: 'all' as const, q };
  const lists = [
    [searchNumberOf(documentKinds.invoice), (ids?: number[]) => countList(documentKinds.invoice, { ...sameDay, ids })],
    [searchNumberOf(documentKinds.expense), (ids?: number[]) => countList(documentKinds.expense, { ...sameDay, ids })],
    [searchNumberOf(documentKinds.payment), (ids?: number[]) => countPayments(RECEIVABLE, { today: FIRST, q, ids })],
    ...[RECEIVABLE, PAYABLE].map((side) => {
      const of = (ids?: number[]) =>
        countSql(side, { q, withInactive: false, ids }, { withTerms: true, withBalance: true, today: FIRST });
      return [side.entityKind, of] as const;
    }),
  ] as const;
  const answers = [];
  for (const [kind, countOf] of lists) {
    const ids = await narrowedTo(tx, [kind], q);
    answers.push({ byEntries: await tx.row(countOf(ids)), byRows: await tx.row(countOf()) });
  }
  return { byEntries: answers.map(({ byEntries }) => byEntries), byRows: answers.map(({ byRows }) => byRows) };
}

it('an index search finds the same records as a scan of all tables', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { minLength: 4, maxLength: 8 }),
      fc.array(event, { maxLength: 20 }),
      fc.array(asked, { minLength: 16, maxLength: 16 }),
      async (names, events, questions) => {
        const company = await t.createCompany();
        await makeBooks(company, names, events);
        const records = await scan(company.companyId);
        const asks = questions.filter((text) => readSearch(text, FIRST).whole.length > 2);
        const expected = asks.map((text) => scanned(records, text));
        const byIndex = await t.inCompany(company.companyId, async (tx) => {
          await tx.rows(sql`set local enable_seqscan = off`);
          await tx.rows(sql`set local enable_indexscan = off`);
          const found = asks.map((text) =>
            tx.rows(selectFound(readSearch(text, FIRST), { kinds: KINDS, account: 9, common: new Set() })),
          );
          return (await Promise.all(found)).map((rows) => rows.map(({ kind, id }) => `${kind} ${id}`).toSorted());
        });
        expect(asks.map((text, at) => [text, byIndex[at]])).toEqual(asks.map((text, at) => [text, expected[at]]));
        for (const [at, body] of asks.slice(0, 6).entries()) {
          if (expected[at]?.length === 0) continue;
          const found = await t.call(searchCalls.search, { token: company.administrator.token, body });
          const mine = found.filter(({ itemType }) => KINDS.includes(itemType));
          expect([body, mine.map(({ itemType, itemId }) => `${itemType} ${itemId}`).toSorted()]).toEqual([
            body,
            expected[at],
          ]);
        }
        await t.inCompany(company.companyId, async (tx) => {
          for (const q of [...questions, '(1', '$10', '1,0', '.00', '00', '0.0', '5.00', 'ß', 'é', 'xa %']) {
            const { byEntries, byRows } = await listed(tx, q);
            expect([q, byEntries]).toEqual([q, byRows]);
          }
        });
        const { faults } = await t.inCompany(company.companyId, verifyWithin);
        expect(faults).toEqual([]);
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
});
