import { PaymentType } from '@evenkeel/contract/banking';
import { sql } from 'kysely';
import type { RecordKind } from '../../platform/db/records.ts';
import { table } from '../../platform/db/table.ts';
import type { Ctx } from '../../platform/http/context.ts';

/** The payment types for customers and vendors. A company starts with six and can add its own. */
export const paymentTypes: RecordKind<PaymentType> = {
  label: 'Payment Type',
  table: table('payment_type', {
    id: 'id',
    displayName: 'display_name',
    active: 'active',
    rowVersion: 'row_version',
  }),
  schema: PaymentType,
  id: 'id',
  name: 'displayName',
  blank: { id: 0, displayName: '', active: true, rowVersion: 0 },
  taken: 'A payment type with this name already exists',
};

/** Returns payment types in order of creation. */
export async function listPaymentTypes(ctx: Ctx, withInactive: boolean): Promise<PaymentType[]> {
  return ctx.tx.rows(paymentTypes.table.find(withInactive ? {} : { active: true }, { orderBy: sql`id` }));
}
