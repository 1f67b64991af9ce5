import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { CompanyInput } from '@evenkeel/contract/settings';
import { refuse } from '@evenkeel/core/failure';
import { checkLogo, checkLogoSides, LOGO_UNREADABLE } from '@evenkeel/core/logo';
import { filesToLink, fileSql, type FoundFile, linksSql } from '../../books/attachments/attachments.sql.ts';
import { bytesOf } from '../../books/attachments/bytes.ts';
import { linkPlan } from '../../books/attachments/links.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Preparing } from '../../platform/http/route.ts';
import { bitmapSides, readyPicture } from '../../platform/pdf/bitmap.ts';
import type { Picture, RawPicture } from '../../platform/pdf/picture.ts';

/** The company's logo, which is the only attachment on the company record. Every user in the company can see it. */

const ownerOf = (companyId: number) => ({ kind: 'company', id: companyId }) as const;

/** Returns the company's logo, or null if there is none. */
export async function logoOf({ tx, companyId }: Pick<Ctx, 'tx' | 'companyId'>): Promise<DocumentLink | null> {
  return (await tx.row(linksSql(ownerOf(companyId))))?.links[0] ?? null;
}

/**
 * Reads the logo for a printed document in the caller's transaction. The logo is drawn later, when the document is
 * printed. If the logo is unreadable, this is logged, and the document is printed without it.
 */
export async function logoPicture(
  { tx, services, companyId }: Pick<Ctx, 'tx' | 'services' | 'companyId'>,
  logo: DocumentLink | null,
): Promise<Picture | RawPicture | undefined> {
  if (logo === null) return undefined;
  const onFault = (error: unknown): undefined => {
    services.log.warn({ err: error, companyId, documentId: logo.documentId }, 'omitted the logo from a document');
  };
  try {
    const file = await fileOf(tx, logo.documentId);
    const digest = file.sha256.toString('hex');
    const known = readyPicture(digest);
    if (known !== undefined) return known;
    const bytes = await bytesOf(tx, file);
    return { kind: bytes[0] === JPEG ? 'jpeg' : 'png', bytes, digest, onFault };
  } catch (error) {
    return onFault(error);
  }
}

/** The first byte of a JPEG image. */
const JPEG = 0xff;

interface LogoPlan {
  before: DocumentLink | null;
  after: DocumentLink | null;
  write: Runnable<unknown>[];
}

/**
 * Plans the change to a saved company's logo. An uploaded picture replaces the old one, null removes it, and a missing
 * field keeps it. Run this function after the company is locked. Throws 422 with a message for `logo` if the file can't
 * be printed.
 */
export async function planLogo(
  ctx: Ctx,
  given: CompanyInput['logo'],
  checked: CheckedLogo | undefined,
): Promise<LogoPlan> {
  const { tx, companyId } = ctx;
  const wanted = given !== null && given?.deleted !== true ? given : undefined;
  const [stored, files] = await Promise.all([
    tx.row(linksSql(ownerOf(companyId))),
    wanted?.documentId ? tx.rows(filesToLink([wanted.documentId])) : [],
  ]);
  const before = stored?.links ?? [];
  const [present = null] = before;
  if (given === undefined || (wanted !== undefined && wanted.documentId === present?.documentId)) {
    return { before: present, after: present, write: [] };
  }
  const gone = before.map(({ id }) => ({ id, deleted: true }));
  const fresh = wanted === undefined ? [] : [{ ...wanted, id: 0 }];
  const plan = linkPlan(ctx, 'company', { given: [...gone, ...fresh], before, files, at: () => 'logo' });
  const [file] = files;
  const fault = file && (checkLogo(file) ?? (checked?.documentId === file.id ? checked.fault : CHANGED));
  if (fault !== undefined) throw refuse(fault, { logo: fault });
  return { before: present, after: plan.after[0] ?? null, write: plan.write(companyId) };
}

const CHANGED = 'Someone else changed the logo at the same time. Try again.';

/** A file that was decoded before the transaction started. If the file can't be printed, contains the reason. */
export interface CheckedLogo {
  documentId: number;
  fault: string | undefined;
}

/** Decodes the uploaded logo before the request's transaction starts, so that no lock is held while decoding. */
export async function checkedLogo(preparing: Preparing, { logo }: CompanyInput): Promise<CheckedLogo | undefined> {
  const documentId = logo?.deleted === true ? undefined : logo?.documentId;
  if (!documentId) return undefined;
  const bytes = await preparing.read(async ({ tx }) => {
    const [file, stored] = await Promise.all([
      tx.row(fileSql(documentId)),
      tx.row(linksSql(ownerOf(preparing.companyId))),
    ]);
    const isStored = stored?.links.some((link) => link.documentId === documentId) === true;
    if (file === undefined || isStored || checkLogo(file) !== undefined) return undefined;
    return bytesOf(tx, file);
  });
  if (bytes === undefined) return undefined;
  const sides = await bitmapSides(bytes, (said) => checkLogoSides(said) !== undefined);
  return { documentId, fault: sides === undefined ? LOGO_UNREADABLE : checkLogoSides(sides) };
}

async function fileOf(tx: Tx, documentId: number): Promise<FoundFile> {
  const file = await tx.row(fileSql(documentId));
  if (file === undefined) throw new Error('a linked file is missing');
  return file;
}
