import { type ReportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import type { Pool } from 'pg';
import type { Books } from './books.ts';
import { type Client, openClient, reportBody } from './client.ts';
import { type Aim, type Chapter, duration, figure, median, ratio, table } from './figures.ts';
import { BOOKS } from './fill.sql.ts';
import { fill } from './lists.ts';
import type { RunningServer } from './server.ts';

/** The times that the reports are run for. The books end on December 31, 2025. */
const TIMES = ['2025-11-30', '2024-12-31'] as const;
const DOCUMENTS = 100_000;

/**
 * Records were created on their dates. Nineteen of twenty invoices were paid 30 days later, which changed them, and the
 * other invoices and all bills are open.
 */
const spread = [
  `update journal_transaction set created_at = posting_date where company_id = $1`,
  `update document set born = document_date where company_id = $1`,
  `insert into invoice_line (company_id, invoice_id, line_no, description, item_price_cents, item_amount, quantity,
      taxable, account_id, line_amount_cents, line_tax, born)
    select company_id, id, 1, 'Work', total_cents, total_cents / 100.0, 1, false, 140, total_cents, 0, born
    from document where company_id = $1 and side = 'receivable'`,
  `insert into payment_application (company_id, payment_id, document_id, amount_cents, recognition_date, side,
      applied_before_cents, born)
    select d.company_id, p.id, d.id, d.total_cents, d.document_date + 30, d.side, 0, d.document_date + 30
    from (select *, row_number() over (order by id) as n from document where company_id = $1 and kind = 'invoice') d
    join (select *, row_number() over (order by id) as n from payment where company_id = $1) p using (n)
    where d.n % 20 <> 0`,
  `update payment p set born = a.recognition_date, payment_date = a.recognition_date, applied_cents = a.amount_cents,
      amount_cents = a.amount_cents, unapplied_cents = 0
    from payment_application a where p.company_id = $1 and a.company_id = $1 and a.payment_id = p.id`,
  `insert into past_row (company_id, relation, key, until, born, content)
    select d.company_id, 'document', d.id::text, a.born, d.born, to_jsonb(d) - 'seal'
    from document d join payment_application a on a.company_id = $1 and a.document_id = d.id where d.company_id = $1
    order by a.born`,
  `update document d set open_cents = 0, applied_cents = d.total_cents, status = 3
    from payment_application a where d.company_id = $1 and a.company_id = $1 and a.document_id = d.id`,
];

async function fillPast({ raw }: RunningServer, { companyId }: Books): Promise<void> {
  const amounts = { customers: 500, vendors: 500, invoices: DOCUMENTS, bills: DOCUMENTS / 10, payments: DOCUMENTS };
  await fill(raw, companyId, amounts);
  const client = await raw.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    for (const text of spread) await client.query(text, [companyId]);
    await client.query('commit');
  } finally {
    client.release();
  }
  const tables = 'journal_transaction, document, payment, payment_application, invoice_line, past_row';
  await raw.query(`vacuum (analyze) ${tables}`);
}

/** Returns the time that the database takes to add up the lines that were posted after a date. */
async function linesSince(raw: Pool, companyId: number, date: string, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await raw.query(
      `select account_id, basis, posting_date, sum(amount_cents) from journal_line
        where company_id = $1 and transaction_id > (
          select max(id) from journal_transaction where company_id = $1 and posting_date <= $2)
        group by 1, 2, 3`,
      [companyId, date],
    );
    times.push(performance.now() - began);
  }
  return median(times);
}

interface Asked {
  kind: ReportKind;
  books: Books;
  knownAt: string | undefined;
}

async function timed(client: Client, { kind, books: { token, customerId }, knownAt }: Asked): Promise<number> {
  const params = {
    startdate: '2025-12-24',
    reportdate: BOOKS.to,
    ...(kind.of === 'customer' ? { customerid: String(customerId) } : {}),
    ...(knownAt === undefined ? {} : { knownat: knownAt }),
  };
  const began = performance.now();
  const { status, text } = await client.send('POST', `/reports/${kind.id}`, {
    token,
    body: JSON.stringify(reportBody(params)),
  });
  // Lists with more lines than a report can have are rejected, which takes as long as reading them.
  if (status !== 200 && status !== 422) throw new Error(`${kind.title}: ${status} ${text}`);
  return performance.now() - began;
}

/** Measures every report on the largest books, now and as known at two earlier times. */
export async function measureKnown(server: RunningServer, books: Books, rounds: number): Promise<Chapter> {
  await fillPast(server, books);
  const client = openClient(server.url, 1);
  const kinds = Object.values<ReportKind>(reportKinds);
  const moments = [undefined, ...TIMES];
  const times = new Map(kinds.map((kind) => [kind.id, moments.map((): number[] => [])]));
  try {
    for (let round = -2; round < rounds; round += 1) {
      for (const kind of kinds) {
        for (const [at, knownAt] of moments.entries()) {
          const took = await timed(client, { kind, books, knownAt });
          if (round >= 0) times.get(kind.id)?.[at]?.push(took);
        }
      }
    }
  } finally {
    client.close();
  }
  const since = [0];
  for (const date of TIMES) since.push(await linesSince(server.raw, books.companyId, date, rounds));
  const medians = kinds.map((kind) => ({ kind, took: (times.get(kind.id) ?? []).map(median) }));
  const shareOf = (took: readonly number[], at: number): number =>
    (took[at] ?? 0) / ((took[0] ?? 0) + (since[at] ?? 0));
  const worst = medians
    .flatMap(({ kind, took }) => TIMES.map((date, at) => ({ kind, date, share: shareOf(took, at + 1) })))
    .reduce((a, b) => (b.share > a.share ? b : a));
  const aims: Aim[] = [
    {
      wanted: 'A report as known at an earlier time takes at most as long as the report and the lines since then',
      seen: `${ratio(worst.share)} times (${worst.kind.title}, ${worst.date})`,
      isMet: worst.share <= 1,
      why: 'A document that has changed since then is read from its stored version, which takes longer than a line',
    },
  ];
  const sinceWords = since.slice(1).map(duration).join(' and ');
  const text = [
    `Books of ${figure(books.lines)} lines with ${figure(DOCUMENTS)} invoices, most of them paid after 30 days.`,
    `Medians of ${rounds} rounds over HTTP. Reading the lines since then takes ${sinceWords}.`,
    '',
    table(
      ['report', 'now', ...TIMES.map((date) => `as known at ${date}`)],
      medians.map(({ kind, took }) => [kind.title, ...took.map(duration)]),
    ),
  ].join('\n');
  return { title: 'Reports as known at an earlier time', text, aims };
}
