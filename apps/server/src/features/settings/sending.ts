import { SendingSettings, type SendingSettingsInput } from '@evenkeel/contract/sending';
import { type FieldMessages, refuseFields } from '@evenkeel/core/failure';
import {
  checkMail,
  mailWording,
  type MailKind,
  payLink,
  payLinkFault,
  TEMPLATE_KINDS,
} from '@evenkeel/core/words/mailtext';
import { type Cents, formatAmount } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { record, type Subject } from '../../platform/db/audit.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';

/** The company's texts of e-mails, and how its customers pay. */

const templates = table('mail_template', { kind: 'kind', subject: 'subject', text: 'body' }).typed<{
  kind: MailKind;
}>();

/** One row of a company; made with its first save. */
export const sendingRows = table('sending_settings', {
  howToPay: 'how_to_pay',
  payLink: 'pay_link',
  linkDays: 'link_days',
  remindersBy: 'reminders_by',
  rowVersion: 'row_version',
});

const subjectOf = (companyId: number): Subject<typeof SendingSettings> => ({
  name: 'sending settings',
  schema: SendingSettings,
  idOf: () => companyId,
});

/** The texts, the company's own or else the product's, and how customers pay. */
export async function sendingSettings({ tx }: Pick<Ctx, 'tx'>): Promise<SendingSettings> {
  const [own, row] = await Promise.all([tx.rows(templates.find({})), tx.row(sendingRows.find({}))]);
  return {
    templates: TEMPLATE_KINDS.map((kind) => {
      const { subject, text, placeholders } = mailWording(kind);
      return { subject, text, ...own.find((one) => one.kind === kind), kind, placeholders: [...placeholders] };
    }),
    howToPay: row?.howToPay ?? '',
    payLink: row?.payLink ?? '',
    linkDays: row?.linkDays ?? null,
    rowVersion: row?.rowVersion ?? 0,
  };
}

/** The row is there and locked before it is read: of two who save at once the second sees the first. */
export const lockSendingRow = () => sql`
  insert into sending_settings (company_id, row_version) values (${COMPANY}, 0)
  on conflict (company_id) do update set row_version = sending_settings.row_version`;

/** Saves what is given; the rest stays. 409 'stale'; 422 names a placeholder that is not known. */
export async function saveSendingSettings(ctx: Ctx, input: SendingSettingsInput): Promise<SendingSettings> {
  await ctx.tx.rows(lockSendingRow());
  const before = await sendingSettings(ctx);
  requireFresh(SendingSettings, before, input.rowVersion);
  const given = input.templates ?? [];
  refuseFields(faultsOf(input));
  const after: SendingSettings = {
    templates: before.templates.map((one) => ({ ...one, ...given.find(({ kind }) => kind === one.kind) })),
    howToPay: input.howToPay ?? before.howToPay,
    payLink: input.payLink ?? before.payLink,
    linkDays: (input.linkDays ?? before.linkDays) || null,
    rowVersion: before.rowVersion + 1,
  };
  const changed = after.templates.filter(({ subject, text }, at) => {
    return before.templates[at]?.subject !== subject || before.templates[at]?.text !== text;
  });
  const { howToPay, payLink: link, linkDays, rowVersion } = after;
  const write = [
    sendingRows.update({}, { howToPay, payLink: link, linkDays, rowVersion }),
    ...changed.flatMap((one) => [templates.delete({ kind: one.kind }), templates.insert(one)]),
  ];
  return record(ctx, subjectOf(ctx.companyId), { action: 'update', before, after, write });
}

function faultsOf({ templates: given, payLink: link }: SendingSettingsInput): FieldMessages {
  const faults = (given ?? []).flatMap(({ kind, ...texts }, index) =>
    Object.entries(checkMail(kind, texts)).map(([field, message]) => [`templates.${index}.${field}`, message]),
  );
  const linkFault = payLinkFault(link ?? '');
  return { ...Object.fromEntries(faults), ...(linkFault === undefined ? {} : { payLink: linkFault }) };
}

/** The ways to pay one invoice: the company's words, and its address with number and amount in it. */
export interface WaysToPay {
  text: string;
  link: string | undefined;
}

/** The ways to pay so much of an invoice. */
export function waysToPay(settings: SendingSettings, about: { number: string; amount: Cents }): WaysToPay {
  const amount = formatAmount(about.amount).replaceAll(',', '');
  return { text: settings.howToPay, link: payLink(settings.payLink, { number: about.number, amount }) };
}

/** Returns the ways to pay as one text. */
export const payText = ({ text, link }: WaysToPay): string =>
  [text, link ?? ''].filter((part) => part !== '').join('\n');
