import type { BodyOf } from '@evenkeel/contract/endpoint';
import { FiledForm, type formCalls } from '@evenkeel/contract/forms1099';
import { conflict, notFound, refuse } from '@evenkeel/core/failure';
import { formatUsd } from '@evenkeel/core/money';
import { partsOf } from '@evenkeel/core/dates';
import { formTitle } from '@evenkeel/core/taxes/forms1099';
import { csvText } from '@evenkeel/core/csv';
import { IRIS_NEC_COLUMNS, type IrisForm, irisFiles } from '@evenkeel/core/taxes/iris';
import { sql } from 'kysely';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { StoredFile } from '../../platform/http/route.ts';
import { openJournal } from '../../books/ledger/journal.ts';
import {
  boxTotal,
  type CurrentForm,
  filedForm,
  isExported,
  type Payer,
  readForms,
  readPayer,
  recipientOf,
} from './forms.ts';
import { filedForms, type FiledRow, type FormSnapshot, nextFormId, taxIdPlaces } from './forms.sql.ts';
import { openedTaxId } from './vendor-tax.ts';

const subject: Subject<typeof FiledForm> = { name: '1099 form', schema: FiledForm, idOf: ({ id }) => id };

const NO_PAYER_FACTS = "Enter the company's tax ID, address, and phone number first";

/** Returns a filed form as people see it. */
export function shownForm(row: FiledRow, isLast: boolean): FiledForm {
  const { snapshot, form, year, version } = row;
  const correction = version === 1 ? '' : `, correction ${version - 1}`;
  const { name, lines, taxIdEnd } = snapshot.recipient;
  return {
    id: row.id,
    vendorId: row.vendorId,
    name: `${formTitle(form)} ${year}, ${name}${correction}`,
    year,
    form,
    version,
    isLast,
    filedDate: row.filedDate,
    filedBy: row.person,
    filedAt: row.filedAt.toISOString(),
    recipient: { name, lines: [...lines], taxIdEnd },
    boxes: [...snapshot.boxes],
    reported: row.reported,
    withheld: row.withheld,
  };
}

/** Returns a filed form. Throws 404 if the form does not exist. */
export async function getForm(ctx: Ctx, id: number): Promise<FiledForm> {
  const { row, isLast } = await filedForm(ctx, id);
  return shownForm(row, isLast);
}

/**
 * Marks forms as filed, with the current amounts and details in the books. If a form was filed before and has changed,
 * another version is added. The ledger is locked, so that no payment changes during the filing. Throws 409 if an amount
 * differs from the one that the user saw, and 422 if a form is not due, incomplete, or unchanged.
 */
export async function fileForms(ctx: Ctx, input: BodyOf<typeof formCalls.fileForms>): Promise<FiledForm[]> {
  const { year, filedDate } = input;
  if (year < 2020 || year > partsOf(ctx.today).year)
    throw refuse('Please select a year', { year: 'Please select a year' });
  if (partsOf(filedDate).year <= year) {
    const message = "Forms can't be filed before the year ends";
    throw refuse(message, { filedDate: message });
  }
  await openJournal(ctx.tx);
  const payer = await readPayer(ctx);
  if (payer.missing.length > 0) throw refuse(NO_PAYER_FACTS);
  const { forms } = await readForms(ctx, year);
  const replies: FiledForm[] = [];
  const seen = new Set<CurrentForm>();
  for (const [at, asked] of input.forms.entries()) {
    const found = forms.find(({ vendorId, form }) => vendorId === asked.vendorId && form === asked.form);
    if (found === undefined || seen.has(found)) throw notFound('1099 form');
    seen.add(found);
    const name = found.vendor?.displayname ?? 'A vendor';
    const reported = boxTotal(found.boxes);
    if (found.status !== 'ready' && found.status !== 'changed') {
      const message = `${name}: this form ${found.status === 'filed' ? 'is already filed' : "isn't ready"}`;
      throw refuse(message, { [`forms.${at}.vendorId`]: message });
    }
    if (reported !== asked.reported || found.withheld !== asked.withheld) {
      throw conflict(`${name} now has ${formatUsd(reported)}. Review the form and file it again.`);
    }
    replies.push(await fileOne(ctx, found, { payer, year, filedDate }));
  }
  return replies;
}

interface Filing {
  payer: Payer;
  year: number;
  filedDate: FiledRow['filedDate'];
}

async function fileOne(ctx: Ctx, found: CurrentForm, { payer, year, filedDate }: Filing): Promise<FiledForm> {
  const { vendor, vendorId, form, boxes, withheld, filed } = found;
  const last = filed.at(-1);
  const recipient = (vendor && recipientOf(vendor)) ?? last?.snapshot.recipient;
  const { id } = await ctx.tx.one(nextFormId());
  const taxId =
    vendor?.taxIdBox === undefined || vendor.taxIdBox === null
      ? last && openedTaxId(ctx, taxIdPlaces.filed(ctx.companyId, last.id), last.taxIdBox)
      : openedTaxId(ctx, taxIdPlaces.vendor(ctx.companyId, vendorId), vendor.taxIdBox);
  if (recipient === undefined || taxId === undefined)
    throw refuse(`${vendor?.displayname ?? 'A vendor'} is incomplete`);
  const snapshot: FormSnapshot = {
    payer: { name: payer.name, lines: payer.lines, taxIdEnd: payer.row.taxIdEnd },
    recipient,
    boxes: boxes.map(({ box, amount }) => ({ box, amount })),
  };
  const row: Omit<FiledRow, 'filedAt'> = {
    id,
    vendorId,
    year,
    form,
    version: (last?.version ?? 0) + 1,
    filedDate,
    snapshot,
    reported: boxTotal(boxes),
    withheld,
    taxIdBox: ctx.services.box.seal(taxIdPlaces.filed(ctx.companyId, id), taxId),
    person: ctx.by.person,
  };
  const { filedAt } = await ctx.tx.one(
    filedForms.insert({ ...row, snapshot: sql`${JSON.stringify(snapshot)}::jsonb` }, ['filedAt']),
  );
  return record(ctx, subject, { after: shownForm({ ...row, filedAt }, true) });
}

/** Deletes the record of a filed form. Throws 404, and 409 if a correction was filed later. */
export async function undoForm(ctx: Ctx, id: number): Promise<{ ok: true }> {
  await ctx.tx.rows(filedForms.find({ id }, { lock: 'for update' }));
  const { row, isLast } = await filedForm(ctx, id);
  if (!isLast) throw conflict('A correction for this form has been filed. Undo that filing first.');
  record(ctx, subject, { before: shownForm(row, isLast), write: filedForms.delete({ id }) });
  return { ok: true };
}

/**
 * Returns a file with up to 100 Forms 1099-NEC for the IRS. Forms that are ready have their current amounts, and filed
 * forms have the amounts that were filed first. Corrections are entered in the portal. For a year without forms, the
 * file has only the headings. Throws 404 for a file number that does not exist, and 422 if the company's tax ID,
 * address, or phone number is missing.
 */
export async function exportForms(ctx: Ctx, year = partsOf(ctx.today).year, part = 1): Promise<StoredFile> {
  const forms = (await readForms(ctx, year)).forms.filter(isExported);
  const files = forms.length === 0 ? [csvText([IRIS_NEC_COLUMNS])] : await filledFiles(ctx, forms, year);
  const text = files[part - 1];
  if (text === undefined) throw notFound('File');
  const bytes = Buffer.from(text);
  async function* read(): AsyncGenerator<Buffer> {
    yield bytes;
  }
  const name = `IRIS 1099-NEC ${year}${files.length > 1 ? ` part ${part} of ${files.length}` : ''}.csv`;
  return { name, contentType: 'text/csv; charset=utf-8', size: bytes.length, bytes: read };
}

async function filledFiles(ctx: Ctx, forms: readonly CurrentForm[], year: number): Promise<string[]> {
  const { row, address, missing, name, phone } = await readPayer(ctx);
  if (missing.length > 0 || row.taxIdBox === null || row.taxIdKind === null || address === null) {
    throw refuse(NO_PAYER_FACTS);
  }
  const taxId = openedTaxId(ctx, taxIdPlaces.payer(ctx.companyId), row.taxIdBox);
  const payer = { name, taxId, taxIdKind: row.taxIdKind, address, phone };
  return irisFiles(
    payer,
    forms.map((form) => exported(ctx, form)),
    year,
  );
}

function exported(ctx: Ctx, { vendor, vendorId, boxes, withheld, filed: [first] }: CurrentForm): IrisForm {
  const { companyId } = ctx;
  if (first !== undefined) {
    const taxId = openedTaxId(ctx, taxIdPlaces.filed(companyId, first.id), first.taxIdBox);
    return { ...first.snapshot.recipient, taxId, amount: first.reported, withheld: first.withheld };
  }
  const recipient = vendor && recipientOf(vendor);
  if (recipient === undefined || vendor?.taxIdBox === undefined || vendor.taxIdBox === null) {
    throw new Error(`the form of vendor ${vendorId} is not ready`);
  }
  const taxId = openedTaxId(ctx, taxIdPlaces.vendor(companyId, vendorId), vendor.taxIdBox);
  return { ...recipient, taxId, amount: boxTotal(boxes), withheld };
}
