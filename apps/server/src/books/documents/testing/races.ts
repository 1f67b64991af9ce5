import type { Side } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { verifyCompany } from '../../../across/health/books-verify.ts';
import type { RawAnswer, TestApp } from '../../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../../testing/factories.ts';
import type { WorldCompany } from '../../../testing/world.ts';
import { type Command, companyOfSales, makeSales, salesCommands, type SharedSales } from './sales-races.ts';

/**
 * The records that the commands share: two documents for 100.00, a payment of 60.00 on the first document, a payment of
 * 50.00 on both documents, a credit of 40.00, and a draft invoice.
 */
interface Shared {
  entityId: number;
  first: number;
  second: number;
  payment: number;
  other: number;
  credit: number;
  bank: number;
  /**
   * An unapplied payment of 30.00, a refund of 5.00 of the credit, and a write-off. The IDs are 0 if these records are
   * not used.
   */
  rest: number;
  refund: number;
  writeOff: number;
  /** Set if billing commands are part of the race. */
  sales?: SharedSales;
}

/** The calls for the records on one side. */
interface RacedSide {
  documents: string;
  payments: string;
  entity: (make: Factory) => Promise<number>;
  document: (entityId: number, given: { amount?: number; date?: string; id?: number }) => object;
  /** Fields that change a document in a way that leaves no open balance. */
  settled: object;
  payment: (entityId: number) => object;
  /** Returns the body of the draft, if the side has drafts. */
  other?: (entityId: number) => object;
  /** The URL of the endpoint for credits. */
  credits: string;
  credit: (entityId: number) => object;
  /** Commands that exist only on this side, by name. */
  own: Readonly<Record<string, (shared: Shared) => Command>>;
}

const bill = (vendorId: number, given: object): object => ({
  vendorId,
  invoiceNumber: 'R-1',
  invoiceDate: '2026-03-10',
  ...given,
});
const CREDIT = { lineItems: [{ description: 'Credit', lineItemAmount: 40, accountId: 153, creditLine: true }] };

const draft = (customerId: number, given: object): object => ({
  customerId,
  invoiceDate: '2026-03-12',
  dueDate: '2026-04-11',
  arBillingStatus: 1,
  lineItems: [{ description: 'Offered', itemPrice: 40, quantity: 1, accountId: 140 }],
  ...given,
});

const memo = (customerId: number): object => ({
  customerId,
  invoiceDate: '2026-03-12',
  lineItems: [{ description: 'Returned', itemPrice: 40, quantity: 1, accountId: 140 }],
});

/** Returns an application of a credit of 40.00 to a document. */
const used = (credit: number, documentId: number) => ({
  paymentApplications: [
    { invoiceId: credit, amount: -40 },
    { invoiceId: documentId, amount: 40 },
  ],
});

const racedSides: Readonly<Record<Side['name'], RacedSide>> = {
  receivable: {
    documents: '/api/billinginvoice',
    payments: '/api/billingpayment',
    entity: (make) => make.customer(),
    document: (customerId, { amount = 100, date = '2026-03-10', id = 0 }) => {
      const lineItems = [{ description: 'Work', itemPrice: amount, quantity: 1, accountId: 140 }];
      return { id, customerId, invoiceDate: date, dueDate: '2026-04-09', lineItems };
    },
    settled: { arBillingStatus: 5 },
    payment: (customerId) => {
      return { customerId, paymentDate: '2026-03-20', paymentTypeId: 2, paymentAccountId: 104, paymentAmount: 60 };
    },
    other: (customerId) => draft(customerId, {}),
    credits: '/api/billingcredit',
    credit: (customerId) => memo(customerId),
    own: {
      'open draft': ({ entityId, other: id }) => {
        return { method: 'PUT', url: '/api/billinginvoice', body: draft(entityId, { id, arBillingStatus: 2 }) };
      },
      'apply credit': ({ entityId, first, credit }) => {
        const paid = { customerId: entityId, paymentDate: '2026-03-22', paymentAmount: 0 };
        return { method: 'POST', url: '/api/billingpayment', body: { ...paid, ...used(credit, first) } };
      },
      'delete credit': ({ credit }) => ({ method: 'DELETE', url: `/api/billingcredit/${credit}` }),
      'document becomes a draft': ({ entityId, second: id }) => {
        return { method: 'PUT', url: '/api/billinginvoice', body: draft(entityId, { id }) };
      },
    },
  },
  payable: {
    documents: '/api/expenseinvoice',
    payments: '/api/expensepayment',
    entity: (make) => make.vendor(),
    document: (vendorId, { amount = 100, date: postingDate = '2026-03-10', id = 0 }) => {
      const lineItems = [
        { description: 'Diesel', lineItemAmount: amount + 25, accountId: 153 },
        { description: 'Returned', lineItemAmount: 25, accountId: 168, creditLine: true },
      ];
      return { id, vendorId, invoiceNumber: 'R-1', invoiceDate: '2026-03-10', postingDate, lineItems };
    },
    settled: { lineItems: [{ description: 'Credit', lineItemAmount: 10, accountId: 153, creditLine: true }] },
    payment: (vendorId) => ({ vendorId, paymentDate: '2026-03-20', paymentAccountId: 104, paymentAmount: 60 }),
    credits: '/api/expenseinvoice',
    credit: (vendorId) => bill(vendorId, CREDIT),
    own: {
      'apply credit': ({ entityId, first, credit }) => {
        const paid = { vendorId: entityId, paymentDate: '2026-03-22', paymentAccountId: 104, paymentAmount: 0 };
        return { method: 'POST', url: '/api/expensepayment', body: { ...paid, ...used(credit, first) } };
      },
      'void credit': ({ entityId, credit: id }) => {
        return { method: 'PUT', url: '/api/expenseinvoice', body: bill(entityId, { ...CREDIT, id, voided: true }) };
      },
      'delete credit': ({ credit }) => ({ method: 'DELETE', url: `/api/expenseinvoice/${credit}` }),
      'pay document at once': ({ entityId, first: id, bank: bankAccountId }) => {
        const lineItems = [{ description: 'Diesel', lineItemAmount: 100, accountId: 153 }];
        const atOnce = { id, lineItems, postToVendorAccount: false, bankAccountId };
        return { method: 'PUT', url: '/api/expenseinvoice', body: bill(entityId, atOnce) };
      },
    },
  },
};

const applied = (invoiceId: number, amount: number) => ({ paymentApplications: [{ invoiceId, amount }] });

/** Commands on a document and a payment that other users also have open. */
const commands: Readonly<Record<string, (side: RacedSide, shared: Shared) => Command>> = {
  'create document': ({ documents: url, document }, { entityId }) => {
    return { method: 'POST', url, body: document(entityId, {}) };
  },
  'edit document': ({ documents: url, document }, { entityId, first: id }) => {
    return { method: 'PUT', url, body: document(entityId, { id, amount: 120 }) };
  },
  'move document': ({ documents: url, document }, { entityId, first: id }) => {
    return { method: 'PUT', url, body: document(entityId, { id, date: '2026-04-02' }) };
  },
  'settle document': ({ documents: url, document, settled }, { entityId, second: id }) => {
    return { method: 'PUT', url, body: { ...document(entityId, { id }), ...settled } };
  },
  'delete document': ({ documents }, { second }) => ({ method: 'DELETE', url: `${documents}/${second}` }),
  'create payment': ({ payments: url, payment }, { entityId }) => {
    return { method: 'POST', url, body: { ...payment(entityId), paymentAmount: 130 } };
  },
  'edit payment': ({ payments: url, payment }, { entityId, first, payment: id }) => {
    return { method: 'PUT', url, body: { ...payment(entityId), id, paymentAmount: 75, ...applied(first, 70) } };
  },
  'move payment': ({ payments: url, payment }, { entityId, second, payment: id }) => {
    return { method: 'PUT', url, body: { ...payment(entityId), id, ...applied(second, 60) } };
  },
  'unapply payment': ({ payments: url, payment }, { entityId, payment: id }) => {
    return { method: 'PUT', url, body: { ...payment(entityId), id, paymentApplications: [] } };
  },
  'delete payment': ({ payments }, { payment }) => ({ method: 'DELETE', url: `${payments}/${payment}` }),
};

const givenBack = (side: RacedSide, entityId: number, amount: number, from: object): object => ({
  ...side.payment(entityId),
  paymentDate: '2026-03-25',
  paymentAmount: -amount,
  paymentApplications: [],
  ...from,
});

/** Commands that refund credits or write off documents. Each of them races against all other commands. */
const wider: Readonly<Record<string, (side: RacedSide, shared: Shared) => Command>> = {
  'refund credit': (side, { entityId, credit }) => {
    const body = givenBack(side, entityId, 20, { paymentApplications: [{ invoiceId: credit, amount: -20 }] });
    return { method: 'POST', url: side.payments, body };
  },
  'refund rest': (side, { entityId, rest }) => {
    const body = givenBack(side, entityId, 20, { paymentRefunds: [{ paymentId: rest, amount: 20 }] });
    return { method: 'POST', url: side.payments, body };
  },
  'edit refund': (side, { entityId, refund: id, rest }) => {
    const body = givenBack(side, entityId, 15, { id, paymentRefunds: [{ paymentId: rest, amount: 15 }] });
    return { method: 'PUT', url: side.payments, body };
  },
  'delete refund': ({ payments }, { refund }) => ({ method: 'DELETE', url: `${payments}/${refund}` }),
  'apply rest': ({ payments: url, payment }, { entityId, rest: id, second }) => {
    const body = { ...payment(entityId), id, paymentAmount: 30, paymentDate: '2026-03-28', ...applied(second, 30) };
    return { method: 'PUT', url, body };
  },
  'delete rest': ({ payments }, { rest }) => ({ method: 'DELETE', url: `${payments}/${rest}` }),
};

/** The additional commands for customers. */
const writing: Readonly<Record<string, (shared: Shared) => Command>> = {
  'write off': ({ second: invoiceId }) => {
    return { method: 'POST', url: '/api/writeoff', body: { invoiceId, amount: 70, writeOffDate: '2026-04-02' } };
  },
  'delete write-off': ({ writeOff }) => ({ method: 'DELETE', url: `/api/writeoff/${writeOff}` }),
};

/** A journal entry. It is posted in the company's batches and waits in the same queue as documents. */
const ENTRY: Command = {
  method: 'POST',
  url: '/api/GeneralLedger/PostTransaction',
  body: {
    transactionID: 0,
    generalLedgerEntries: [
      { description: 'Cash sale', postingDate: '2026-03-15', amount: 12.5, accountID: 101, debit: true },
      { description: 'Cash sale', postingDate: '2026-03-15', amount: 12.5, accountID: 140, debit: false },
    ],
  },
};

function commandOf(side: RacedSide, name: string, shared: Shared): Command {
  const all = { ...commands, ...wider };
  const own = { ...side.own, ...writing };
  const sold = shared.sales && salesCommands[name]?.({ ...shared, ...shared.sales });
  const command = name === 'post entry' ? ENTRY : (all[name]?.(side, shared) ?? own[name]?.(shared) ?? sold);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return command;
}

const namesOf = (side: RacedSide): string[] => [...Object.keys(commands), ...Object.keys(side.own), 'post entry'];

const widerNames = (side: Side['name']): string[] => [
  ...Object.keys(wider),
  ...(side === 'receivable' ? [...Object.keys(writing), ...Object.keys(salesCommands)] : []),
];

/** Returns all pairs of commands, including each command with itself. */
const pairsOf = (names: readonly string[]): string[][] =>
  names.flatMap((one, at) => names.slice(at).map((other) => [one, other]));

/**
 * The allowed results of a command: done, deleted, changed by someone else, or rejected because of the current state.
 */
const lawful = [200, 404, 409, 422];

interface Raced {
  side: RacedSide;
  /** Adds an unapplied payment, a refund, and a write-off for the commands that refund, apply, or delete them. */
  isWide?: boolean;
}

/** Runs the commands at the same time. Returns the names of the commands that succeeded. */
async function race(
  t: TestApp,
  company: WorldCompany,
  { side, isWide = false }: Raced,
  run: readonly string[],
): Promise<string[]> {
  const make = factoryFor(t, company);
  const [entityId, bank] = [await side.entity(make), await checkingOf(t, company.companyId)];
  const send = async (url: string, body: object): Promise<{ id: number }> => {
    const answer = await t.request({ method: 'POST', url, token: make.token, body });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.body as { id: number };
  };
  const post = async (url: string, body: object) => (await send(url, body)).id;
  const first = await post(side.documents, side.document(entityId, {}));
  const second = await post(side.documents, side.document(entityId, {}));
  const payment = await post(side.payments, { ...side.payment(entityId), ...applied(first, 60) });
  const both = [
    { invoiceId: first, amount: 20 },
    { invoiceId: second, amount: 30 },
  ];
  await post(side.payments, { ...side.payment(entityId), paymentAmount: 50, paymentApplications: both });
  const other = side.other === undefined ? 0 : await post(side.documents, side.other(entityId));
  const credit = await post(side.credits, side.credit(entityId));
  const shared: Shared = { entityId, first, second, payment, other, credit, bank, rest: 0, refund: 0, writeOff: 0 };
  if (isWide) await widen(side, shared, post);
  if (run.some((name) => name in salesCommands)) shared.sales = await makeSales(entityId, send);
  const answers = await Promise.all(
    run.map(async (name): Promise<[string, RawAnswer]> => {
      return [name, await t.request({ ...commandOf(side, name, shared), token: make.token })];
    }),
  );
  const unlawful = answers.filter(([, { status }]) => !lawful.includes(status));
  expect(unlawful.map(([name, { status, body }]) => [name, status, body])).toEqual([]);
  expect({ run, wrong: await wrongSums(t, company.companyId) }).toEqual({ run, wrong: [] });
  return answers.flatMap(([name, { status }]) => (status === 200 ? [name] : []));
}

/** Adds the records that the additional commands use. */
async function widen(side: RacedSide, shared: Shared, post: (url: string, body: object) => Promise<number>) {
  const { entityId, credit } = shared;
  const whole = { paymentAmount: 30, paymentDate: '2026-03-21', paymentApplications: [] };
  shared.rest = await post(side.payments, { ...side.payment(entityId), ...whole });
  const from = { paymentApplications: [{ invoiceId: credit, amount: -5 }] };
  shared.refund = await post(side.payments, givenBack(side, entityId, 5, from));
  if (side !== racedSides.receivable) return;
  const invoiceId = await post(side.documents, side.document(entityId, {}));
  shared.writeOff = await post('/api/writeoff', { invoiceId, amount: 100, writeOffDate: '2026-04-01' });
}

/**
 * Returns documents and payments whose stored amounts differ from their applications, and sides whose stored totals
 * differ from the open documents. Calculates the amounts independently of `verify`.
 */
async function wrongSums(t: TestApp, companyId: number): Promise<unknown[]> {
  return t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      select * from (
        select 'document' as what, d.id, d.open_cents as kept,
          case when d.deleted or not d.is_posted then 0 else d.total_cents end
          - coalesce((select sum(a.amount_cents) from payment_application a
            where a.company_id = ${companyId} and a.document_id = d.id), 0) as wanted
        from document d where d.company_id = ${companyId}
        union all
        select 'payment', p.id, p.unapplied_cents, case when p.deleted then 0 else p.amount_cents end
          - coalesce((select sum(case f.payment_id when p.id then f.amount_cents else -f.amount_cents end)
            from payment_refund f
            where f.company_id = ${companyId} and (f.payment_id = p.id or f.refund_id = p.id)), 0)
          - coalesce((select sum(a.amount_cents - a.waived_cents) from payment_application a
            where a.company_id = ${companyId} and a.payment_id = p.id), 0)
        from payment p where p.company_id = ${companyId}
        union all
        select 'sum of ' || side, 0, sum(kept)::bigint, sum(wanted)::bigint from (
          select side, open_cents as kept, 0 as wanted from document_open_sum where company_id = ${companyId}
          union all
          select side, 0, open_cents from document
          where company_id = ${companyId} and not deleted and is_posted) o
        group by side) s
      where kept <> wanted`),
  );
}

/**
 * Runs `rounds` rounds. Two pairs of commands race in each round, so that 60 rounds cover every pair. In every fourth
 * round, all commands race on shared documents. Checks the open and unapplied amounts after each round, and verifies
 * the books after every ten rounds.
 */
export async function raceRounds(t: TestApp, { name }: Side, rounds: number): Promise<void> {
  const side = racedSides[name];
  const names = namesOf(side);
  const pairs = pairsOf(names);
  let company = await t.createCompany();
  for (let round = 0; round < rounds; round += 1) {
    if (round % 4 === 0) await race(t, company, { side }, names);
    for (const place of [2 * round, 2 * round + 1]) await race(t, company, { side }, pairs[place % pairs.length] ?? []);
    if (round % 10 < 9 && round < rounds - 1) continue;
    expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
    company = await t.createCompany();
  }
}

/**
 * Runs rounds like raceRounds, but for refunds, write-offs, and the other billing commands. Each of them races against
 * every other command and against itself. One pair races in each round, and all of them race in every tenth round.
 */
export async function wideRounds(t: TestApp, { name }: Side, rounds: number): Promise<void> {
  const side = racedSides[name];
  const news = widerNames(name);
  const pairs = news.flatMap((one, at) => [...news.slice(at), ...namesOf(side)].map((other) => [one, other]));
  let company = await companyOfSales(t);
  // Each command must succeed when it runs alone, because a command that is always rejected would test nothing.
  const done: string[] = [];
  for (const one of news) done.push(...(await race(t, company, { side, isWide: true }, [one])));
  expect(done).toEqual(news);
  for (let round = 0; round < rounds; round += 1) {
    await race(t, company, { side, isWide: true }, pairs[(round * 97) % pairs.length] ?? []);
    if (round % 10 === 0) await race(t, company, { side, isWide: true }, [...news, ...namesOf(side)]);
    if (round % 20 < 19 && round < rounds - 1) continue;
    expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
    company = await companyOfSales(t);
  }
}
