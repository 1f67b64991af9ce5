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
import { bitmapSides, forPaper } from '../../platform/pdf/bitmap.ts';
import type { Picture } from '../../platform/pdf/picture.ts';

/** The company's logo is the one file that hangs on the company, for everyone of the company to see. */

const ownerOf = (companyId: number) => ({ kind: 'company', id: companyId }) as const;

/** The logo of the company; null where it has none. */
export async function logoOf({ tx, companyId }: Pick<Ctx, 'tx' | 'companyId'>): Promise<DocumentLink | null> {
  return (await tx.row(linksSql(ownerOf(companyId))))?.links[0] ?? null;
}

/**
 * Returns the logo as a paper shows it, read in the caller's transaction. A logo that can't be read or drawn is logged
 * and left off: it never stops a paper.
 */
export async function logoPicture(
  { tx, services, companyId }: Pick<Ctx, 'tx' | 'services' | 'companyId'>,
  logo: DocumentLink | null,
): Promise<Picture | undefined> {
  if (logo === null) return undefined;
  try {
    const file = await fileOf(tx, logo.documentId);
    const digest = file.sha256.toString('hex');
    const picture = ready.get(digest) ?? (await forPaper(await bytesOf(tx, file)));
    keepReady(digest, picture);
    return picture;
  } catch (error) {
    services.log.warn({ err: error, companyId, documentId: logo.documentId }, 'left the logo off a paper');
    return undefined;
  }
}

/** A company's papers have one logo, and making it small takes longer than the rest of reading it: it is made once. */
const ready = new Map<string, Picture>();
const MOST_READY = 64;

function keepReady(digest: string, picture: Picture): void {
  ready.delete(digest);
  ready.set(digest, picture);
  const [oldest] = ready.keys();
  if (ready.size > MOST_READY && oldest !== undefined) ready.delete(oldest);
}

interface LogoPlan {
  before: DocumentLink | null;
  after: DocumentLink | null;
  write: Runnable<unknown>[];
}

/**
 * Plans the change of a saved company's logo: an uploaded picture replaces the old one, null removes it, a missing
 * field leaves it. Start it behind the company's lock. 422 at `logo` for a file that is no printable picture.
 */
export async function planLogo(ctx: Ctx, given: CompanyInput['logo']): Promise<LogoPlan> {
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
  if (files[0] !== undefined) await requirePicture(tx, files[0]);
  return { before: present, after: plan.after[0] ?? null, write: plan.write(companyId) };
}

async function requirePicture(tx: Tx, file: { id: number; contentType: string; size: number }): Promise<void> {
  const no = (message: string | undefined): void => {
    if (message !== undefined) throw refuse(message, { logo: message });
  };
  no(checkLogo(file));
  const bytes = await bytesOf(tx, await fileOf(tx, file.id));
  const sides = await bitmapSides(bytes, (said) => checkLogoSides(said) !== undefined);
  no(sides === undefined ? LOGO_UNREADABLE : checkLogoSides(sides));
}

async function fileOf(tx: Tx, documentId: number): Promise<FoundFile> {
  const file = await tx.row(fileSql(documentId));
  if (file === undefined) throw new Error('a linked file is not there');
  return file;
}
