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

/** The company's email templates and payment instructions. */

const templates = table('mail_template', { kind: 'kind', subject: 'subject', text: 'body' }).typed<{
  kind: MailKind;
}>();

/** The company's single row, which is created when the settings are first saved. */
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

/** Returns the company's email templates, or the defaults, and the payment instructions. */
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

/**
 * Creates and locks the row before reading it, so that the second of two simultaneous saves sees what the first one
 * saved.
 */
export const lockSendingRow = () => sql`
  insert into sending_settings (company_id, row_version) values (${COMPANY}, 0)
  on conflict (company_id) do update set row_version = sending_settings.row_version`;

/**
 * Saves the given settings and keeps the others. Throws 409 'stale' for an outdated version and 422 for an unknown
 * placeholder.
 */
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

/**
 * The ways to pay an invoice: the company's instructions, and its payment link with the invoice's number and amount
 * filled in.
 */
export interface PaymentInstructions {
  text: string;
  link: string | undefined;
}

/** Returns the ways to pay an amount on an invoice. */
export function paymentInstructions(
  settings: SendingSettings,
  about: { number: string; amount: Cents },
): PaymentInstructions {
  const amount = formatAmount(about.amount).replaceAll(',', '');
  return { text: settings.howToPay, link: payLink(settings.payLink, { number: about.number, amount }) };
}

/** Returns the ways to pay as one block of text. */
export const payText = ({ text, link }: PaymentInstructions): string =>
  [text, link ?? ''].filter((part) => part !== '').join('\n');
