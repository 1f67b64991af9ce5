import type { BodyOf } from '@evenkeel/contract/endpoint';
import { type formCalls, VendorTax } from '@evenkeel/contract/forms1099';
import { VENDOR } from '@evenkeel/core/entities';
import { notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { checkTaxId, taxIdDigits } from '@evenkeel/core/taxes/forms1099';
import { sql } from 'kysely';
import type { Place } from '../../platform/db/box.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { taxIdPlaces, type VendorTaxRow, vendorTaxes } from './forms.sql.ts';

const subject: Subject<typeof VendorTax> = { name: 'vendor tax', schema: VendorTax, idOf: ({ vendorId }) => vendorId };

const NONE: Omit<VendorTaxRow, 'vendorId'> = {
  is1099: false,
  classification: null,
  taxIdKind: null,
  taxIdBox: null,
  taxIdEnd: '',
  w9Date: null,
  w9Requested: null,
  rowVersion: 0,
};

/** Returns a vendor's name, and locks the vendor if its tax details are about to change. */
function nameOf(id: number, isLocked: boolean): Runnable<{ name: string }> {
  return sql<{ name: string }>`
    select e.displayname as name from entity e where e.company_id = ${COMPANY} and e.id = ${id} and e.kind = ${VENDOR}
    ${isLocked ? sql`for no key update` : sql``}`;
}

/** Reads a vendor's tax details. Throws 404 if the vendor does not exist. */
async function read(ctx: Ctx, vendorId: number, isLocked = false): Promise<{ name: string; row: VendorTaxRow }> {
  const [[vendor], [row]] = await ctx.tx.inOrder([nameOf(vendorId, isLocked), vendorTaxes.find({ vendorId })]);
  if (vendor === undefined) throw notFound('Vendor');
  return { name: vendor.name, row: row ?? { ...NONE, vendorId } };
}

const shown = ({ taxIdBox: _, ...row }: VendorTaxRow, vendorName: string): VendorTax => ({ ...row, vendorName });

/** Returns a vendor's tax details without the tax ID. Throws 404 if the vendor does not exist. */
export async function getVendorTax(ctx: Ctx, vendorId: number): Promise<VendorTax> {
  const { name, row } = await read(ctx, vendorId);
  return shown(row, name);
}

/**
 * Saves a vendor's tax details. If the tax ID is omitted, the stored one is kept. If it is empty, the stored one is
 * removed. Throws 404, 409 'stale', and 422 with the invalid fields.
 */
export async function updateVendorTax(
  ctx: Ctx,
  vendorId: number,
  input: BodyOf<typeof formCalls.updateVendorTax>,
): Promise<VendorTax> {
  const { name, row } = await read(ctx, vendorId, true);
  const before = shown(row, name);
  requireFresh(VendorTax, before, input.rowVersion);
  const w9Date = input.w9Date === undefined ? row.w9Date : input.w9Date;
  if (w9Date !== null && w9Date > ctx.today) {
    const message = "The W-9 can't be received after today";
    throw refuse(message, { w9Date: message });
  }
  const wanted: VendorTaxRow = {
    ...row,
    is1099: input.is1099,
    classification: input.classification === undefined ? row.classification : input.classification,
    ...taxIdColumns(ctx, input, { stored: row, place: taxIdPlaces.vendor(ctx.companyId, vendorId) }),
    w9Date,
    w9Requested: input.w9Requested === undefined ? row.w9Requested : input.w9Requested,
    rowVersion: row.rowVersion + 1,
  };
  const { vendorId: _, ...columns } = wanted;
  const write = row.rowVersion === 0 ? vendorTaxes.insert(wanted) : vendorTaxes.update({ vendorId }, columns);
  return record(ctx, subject, {
    ...(row.rowVersion === 0 ? {} : { before }),
    after: shown(wanted, name),
    write,
  });
}

type TaxIdColumns = Pick<VendorTaxRow, 'taxIdKind' | 'taxIdBox' | 'taxIdEnd'>;

/** Returns the columns for a tax ID after a save, encrypted for its location. Throws 422 with the invalid fields. */
export function taxIdColumns(
  { services }: Pick<Ctx, 'services'>,
  input: Pick<BodyOf<typeof formCalls.updateVendorTax>, 'taxId' | 'taxIdKind'>,
  { stored, place }: { stored: TaxIdColumns; place: Place },
): TaxIdColumns {
  const { taxIdKind, taxIdBox, taxIdEnd } = stored;
  const kind = input.taxIdKind === undefined ? taxIdKind : input.taxIdKind;
  if (input.taxId === undefined || input.taxId === null) {
    return { taxIdKind: taxIdBox === null ? null : (kind ?? taxIdKind), taxIdBox, taxIdEnd };
  }
  if (input.taxId.trim() === '') return { taxIdKind: null, taxIdBox: null, taxIdEnd: '' };
  refuseFields(checkTaxId({ taxId: input.taxId, taxIdKind: kind }));
  const digits = taxIdDigits(input.taxId) ?? '';
  return { taxIdKind: kind, taxIdBox: services.box.seal(place, digits), taxIdEnd: digits.slice(-4) };
}

/** Returns the nine digits of an encrypted tax ID. Throws 409 if it was encrypted with another key. */
export function openedTaxId({ services }: Pick<Ctx, 'services'>, place: Place, box: Buffer): string {
  const digits = services.box.open(place, box);
  if (digits === undefined)
    throw refuse("A tax ID can't be read with the key of this installation. Enter the tax ID again.");
  return digits;
}

/** Returns a tax ID with its hyphens: 12-3456789 for an EIN, and 123-45-6789 for an SSN. */
export function writtenTaxId(digits: string, kind: VendorTaxRow['taxIdKind']): string {
  return kind === 'ssn'
    ? `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`
    : `${digits.slice(0, 2)}-${digits.slice(2)}`;
}

/**
 * Returns a vendor's tax ID, and records in the audit log that it was viewed, with only its last four digits. Throws
 * 404 if the vendor has no tax ID.
 */
export async function showTaxId(ctx: Ctx, vendorId: number): Promise<{ taxId: string }> {
  const { name, row } = await read(ctx, vendorId);
  if (row.taxIdBox === null) throw notFound('Tax ID');
  const digits = openedTaxId(ctx, taxIdPlaces.vendor(ctx.companyId, vendorId), row.taxIdBox);
  record(ctx, { ...subject, name: 'tax ID view' }, { action: 'create', after: shown(row, name) });
  return { taxId: writtenTaxId(digits, row.taxIdKind) };
}
