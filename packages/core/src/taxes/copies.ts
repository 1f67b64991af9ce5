import { addDays, type IsoDate, isoDate } from '../dates.ts';
import { businessDayFrom } from './due.ts';

/**
 * The electronic delivery of recipients' copies (Copy B) of 1099 forms. IRS Publication 1179, section 4.6, has the
 * rules for Forms 1099-NEC and 1099-MISC. They are the rules of 26 CFR 1.6050W-2(a) and 31.6051-1(j). The recipient
 * consents after eight disclosures, in a way that shows that the recipient can open a copy. Each copy stays available
 * for a minimum time.
 */

/** The version of the disclosures. It increases with every change of their text, and each consent records it. */
export const DISCLOSURES_VERSION = 1;

/** The subject line that Publication 1179 requires for an email about an available copy, in capital letters. */
export const COPY_NOTICE = 'IMPORTANT TAX RETURN DOCUMENT AVAILABLE';

export interface Disclosure {
  title: string;
  text: string;
}

/**
 * Returns the eight disclosures of Publication 1179, section 4.6, that a vendor sees before consenting. `contact` is
 * the company's address, phone number, and email address.
 */
export function disclosures({ company, contact }: { company: string; contact: string }): Disclosure[] {
  const named = contact === '' ? company : `${company} (${contact})`;
  return [
    {
      title: 'Paper copies',
      text: `If you don't consent, ${company} mails you a paper copy of each form.`,
    },
    {
      title: 'Scope and duration',
      text:
        `Your consent covers all 1099 forms from ${company}, for this year and every later year. Your consent lasts ` +
        'until you withdraw it or until electronic delivery ends.',
    },
    {
      title: 'Paper copies after you consent',
      text: `Contact ${named} to get a paper copy of any form. Asking for a paper copy doesn't withdraw your consent.`,
    },
    {
      title: 'Withdrawing your consent',
      text:
        `Select Withdraw Consent on this page at any time, or write to ${named}. The withdrawal takes effect on the ` +
        'day when it is received, and this page then confirms it with the date. The withdrawal applies to forms that ' +
        'have not been sent to you yet. Copies that you already received electronically stay valid.',
    },
    {
      title: 'When electronic delivery ends',
      text:
        `${company} stops electronic delivery if you withdraw your consent, if emails to you can't be delivered, or ` +
        'if the company no longer pays you or no longer offers this service. You then get paper copies by mail.',
    },
    {
      title: 'Changes to your contact details',
      text:
        `Contact ${named} to change your name, mailing address, or email address. ` +
        "We'll tell you if our own contact details change.",
    },
    {
      title: 'What you need',
      text:
        'You need an email account, a device with internet access and a current web browser, and a program that ' +
        'opens PDF files. You also need a printer if you want to print a copy.',
    },
    {
      title: 'How long copies are available',
      text:
        'Each copy stays on this page at least through October 15 of the year after the payments. Save or print ' +
        'the copy before then. You may have to print it and attach it to a federal, state, or local tax return.',
    },
  ];
}

/** The minimum number of days for which a corrected copy is available (26 CFR 1.6050W-2(a)(6)). */
const CORRECTED_DAYS = 90;

/**
 * Returns the last day on which a copy is available: October 15 of the year after the payments, or the next business
 * day. A corrected copy is available for at least 90 days after the first email about it.
 */
export function copyEnd({ year, version }: { year: number; version: number }, postedOn: IsoDate): IsoDate {
  const usual = businessDayFrom(isoDate(`${year + 1}-10-15`));
  const corrected = addDays(postedOn, CORRECTED_DAYS);
  return version > 1 && corrected > usual ? corrected : usual;
}

export const consentStates = ['none', 'requested', 'consented', 'withdrawn'] as const;
export type ConsentState = (typeof consentStates)[number];

/** Returns the state of a vendor's consent. `undefined` stands for a vendor who was never asked. */
export function consentState(
  consent: { consentedAt: Date | null; withdrawnAt: Date | null } | undefined,
): ConsentState {
  if (consent === undefined) return 'none';
  if (consent.withdrawnAt !== null) return 'withdrawn';
  return consent.consentedAt === null ? 'requested' : 'consented';
}
