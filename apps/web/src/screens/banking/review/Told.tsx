import { ClosingReason } from '../../../records/RecordModal.tsx';
import { FormErrorSummary } from '../../../ui/show/FormErrorSummary.tsx';
import type { Delivery } from './useDelivery.ts';

/** The messages about the whole input for a bank transaction. */
export function Told({ delivery: { problems, closed } }: { delivery: Delivery }) {
  return (
    <>
      <FormErrorSummary problems={problems.map((message) => ({ message }))} />
      {closed !== undefined && <ClosingReason {...closed} />}
    </>
  );
}
