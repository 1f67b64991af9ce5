import type { BankLine, BankLineInput } from '@evenkeel/contract/statements';
import type { FieldMessages } from '@evenkeel/core/failure';
import { useState } from 'react';
import { isAdministrator, useSession } from '../../../client/session.ts';
import { useFormSave } from '../../../records/formSave.ts';
import { because } from '../../../records/reads.ts';
import type { SendPlace } from '../../../ui/hooks/draft.ts';
import type { Review } from './useReview.ts';

interface Typed {
  /** Messages by field of what is not complete. */
  check?: FieldMessages;
  /** Beside its draft, where it has one. */
  place?: SendPlace;
  /** Follows what came through, e.g. to forget the draft. */
  onDone?: () => void;
}

/** Does with a line what was typed for it, and goes on to the next; what is refused is told beside it. */
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
    /** An administrator's reason for changing closed books, once it is asked for. */
    closed: saving.isClosed && administers ? { value: reason, onChange: setReason } : undefined,
    run: (body: BankLineInput) => void run(body),
  };
}
export type Delivery = ReturnType<typeof useDelivery>;
