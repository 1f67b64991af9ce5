import { type FormYear, formCalls } from '@evenkeel/contract/forms1099';
import { formName } from '@evenkeel/core/taxes/forms1099';
import type { FormId } from '@evenkeel/core/taxes/ids';
import { ask } from '../../client/api.ts';
import { useOpenRecord } from '../../records/openRecord.ts';
import type { StatusLook } from '../../ui/show/Status.tsx';

/** The API calls and wording for 1099 forms. */

export type FormRow = FormYear['rows'][number];

/** Returns the call that reads a year's forms. Without a year, the server uses the current year. */
export const formsOfYear = (year: string) =>
  ask(formCalls.listForms, { query: /^20[2-9]\d$/.test(year) ? { year: Number(year) } : {} });

/**
 * Returns the ID of a row, which consists of the form and the vendor, because a vendor can have a form of each kind.
 */
export const keyOf = ({ vendorId, form }: { vendorId: number; form: FormId }): string => `${form} ${vendorId}`;

/** The open row, which the URL identifies by form and vendor: `?nec=12`. */
export interface OpenForm {
  key: string | undefined;
  open: (row: { vendorId: number; form: FormId }) => void;
  close: () => void;
}

export function useOpenForm(): OpenForm {
  const nec = useOpenRecord('nec', { hasNew: false, other: 'misc' });
  const misc = useOpenRecord('misc', { hasNew: false, other: 'nec' });
  const found = { nec, misc };
  const form = misc.id === undefined ? 'nec' : 'misc';
  const { id, close } = found[form];
  return {
    key: id === undefined ? undefined : keyOf({ vendorId: id, form }),
    open: (row) => found[row.form].open(row.vendorId),
    close,
  };
}

const FACTS = { taxId: 'No tax ID', classification: 'No classification', address: 'No address' } as const;

/** Returns the wording and appearance of a status, including the name of a missing fact. */
export function statusOf({ status, missing, filed }: FormRow): { look: StatusLook; words: string } {
  const [fact] = missing;
  switch (status) {
    case 'ready':
      return { look: 'done', words: 'Ready' };
    case 'missing':
      return { look: fact === 'taxId' ? 'wrong' : 'low', words: fact === undefined ? 'Incomplete' : FACTS[fact] };
    case 'below':
      return { look: 'draft', words: 'Below' };
    case 'noBox':
      return { look: 'low', words: 'No box' };
    case 'filed':
      return { look: 'sent', words: filed !== null && filed.version > 1 ? 'Corrected' : 'Filed' };
    case 'changed':
      return { look: 'low', words: 'Changed' };
  }
}

/** Returns the title of a row's form: "Form 1099-NEC". */
export const titleOf = (form: FormId): string => `Form 1099-${formName(form)}`;
