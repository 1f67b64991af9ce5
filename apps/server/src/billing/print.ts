import type { Ctx } from '../http/context.ts';
import { notFound } from '@evenkeel/core/failure';
export async function printInvoice(_ctx: Ctx, _id: number): Promise<Uint8Array> {
  throw notFound('Invoice');
}
