import type { BankLine, BankLineInput } from '@evenkeel/contract/statements';
import type { FieldMessages } from '@evenkeel/core/failure';
import { useState } from 'react';
import { isAdministrator, useSession } from '../../../client/session.ts';
import { useFormSave } from '../../../records/formSave.ts';
import { because } from '../../../records/reads.ts';
import type { SendPlace } from '../../../ui/hooks/draft.ts';
import type { Review } from './useReview.ts';

interface Typed {
  /** Messages about incomplete fields. */
  check?: FieldMessages;
  /** Identifies the place where the request and its draft, if there is one, are stored. */
  place?: SendPlace;
  /** Called after the action succeeds, for example to delete the draft. */
  onDone?: () => void;
}

/** Sends the input for a bank transaction and opens the next transaction. Errors appear next to the input. */
export function useDelivery(review: Review, line: BankLine, typed: Typed = {}) {
  const { check = {}, place, onDone } = typed;
  const saving = useFormSave(check);
  const administers = isAdministrator(useSession());
  const [reason, setReason] = useState('');
  const run = async (body: BankLineInput) => {
    const reply = await saving.attempt(() => review.deliver(line, { ...body, ...because(reason) }, place));
    if (reply === undefined) return;
    onDone?.();
    review.goOn(line.id);
  };
  return {
    isBusy: saving.busy,
    fields: saving.fields,
    problems: saving.problems,
    touched: saving.touched,
    /** An administrator's reason for changing a closed period, if one is required. */
    closed: saving.isClosed && administers ? { value: reason, onChange: setReason } : undefined,
    run: (body: BankLineInput) => void run(body),
  };
}
export type Delivery = ReturnType<typeof useDelivery>;
