import { kindOf, documentKinds, kinds, namesOf, RECEIVABLE } from '@evenkeel/core/documents/side';
import { DRAFT } from '@evenkeel/core/documents/invoice';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { type RawBuilder, sql } from 'kysely';
import { documents } from '../../books/documents/settlement.sql.ts';
import { readParties } from '../../features/entities/parties.ts';
import { entityStanding } from '../../features/entities/home.ts';
import { payNowOf, type PortalPay, type Returned } from '../online/paynow.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { withDrawable } from '../../platform/pdf/bitmap.ts';

/** The customer portal: everything that one customer may see, always selected by the customer's ID. */

/** The maximum number of rows in each list. A statement contains all rows. */
const MOST_OPEN = 200;
const MOST_PAYMENTS = 50;

export interface PortalDocument {
  id: number;
  kind: string;
  number: string;
  dueDate: IsoDate | null;
  amount: Cents;
  openAmount: Cents;
  status: number;
}

export interface PortalPayment {
  id: number;
  date: IsoDate;
  type: string;
  checkNumber: string;
  amount: Cents;
  appliedTo: string[];
}

const documentsOf = (customerId: number, which: RawBuilder<unknown>): Runnable<PortalDocument> =>
  sql<PortalDocument>`
    select d.id, d.kind, d.document_number as number, d.due_date as "dueDate", d.total_cents as amount,
      d.open_cents as "openAmount", d.status
    from document d
    where d.company_id = ${COMPANY} and d.entity_id = ${customerId} and not d.deleted and ${which}
    order by d.due_date nulls last, d.id limit ${MOST_OPEN}`;

const paymentsOf = (customerId: number): Runnable<PortalPayment> => sql<PortalPayment>`
  select p.id, p.payment_date as date, p.amount_cents as amount, p.check_number as "checkNumber",
    coalesce(t.display_name, '') as type,
    coalesce((
      select jsonb_agg(d.document_number order by d.document_date, d.id) from document d
      where d.company_id = ${COMPANY} and d.id in (
        select a.document_id from payment_application a
        where a.company_id = ${COMPANY} and a.payment_id = p.id
        group by a.document_id having sum(a.amount_cents) <> 0)), '[]'::jsonb) as "appliedTo"
  from payment p left join payment_type t on t.company_id = ${COMPANY} and t.id = p.payment_type_id
  where p.company_id = ${COMPANY} and p.side = ${RECEIVABLE.name} and p.entity_id = ${customerId} and not p.deleted
    and p.amount_cents <> 0
  order by p.payment_date desc, p.id desc limit ${MOST_PAYMENTS}`;

/** Returns the contents of a customer's portal. */
export async function readPortal(ctx: Ctx, customerId: number, returned: Returned) {
  const { tx, today } = ctx;
  const isAsked = [...kinds.values()].flatMap(({ source, offer }) =>
    offer === undefined ? [] : [sql`d.kind = ${source} and d.status = ${offer.asked}`],
  );
  const isOffered = sql`(${sql.join(isAsked, sql` or `)}) and coalesce(d.due_date >= ${today}, true)`;
  const [{ customer, parties }, standing, invoices, offers, payments] = await Promise.all([
    readParties(ctx, customerId),
    entityStanding(ctx, RECEIVABLE, customerId),
    tx.rows(
      documentsOf(customerId, sql`d.kind = ${documentKinds.invoice.source} and d.is_posted and d.open_cents > 0`),
    ),
    tx.rows(documentsOf(customerId, isOffered)),
    tx.rows(paymentsOf(customerId)),
  ]);
  const pay: PortalPay = await payNowOf(tx, customerId, { invoices, returned });
  return { customer, company: parties.company, standing, invoices, offers, payments, pay, today };
}

export type Portal = Awaited<ReturnType<typeof readPortal>>;

/** Returns the portal without the company's logo if the logo can't be shown. */
export async function drawablePortal(portal: Portal): Promise<Portal> {
  return { ...portal, company: (await withDrawable(portal)).company };
}

/** Returns whether a customer may open a document: it is the customer's own and not a draft. */
export async function isOwnDocument(tx: Tx, customerId: number, id: number): Promise<boolean> {
  const shown = namesOf([...kinds.values()].filter(({ mail }) => mail?.hasLink));
  const row = await tx.row(documents.find({ id, entityId: customerId, kind: shown, deleted: false }));
  return row !== undefined && row.status !== (kindOf(row.kind).offer?.draft ?? DRAFT);
}
