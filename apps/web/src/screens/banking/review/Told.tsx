import { ClosingReason } from '../../../records/RecordModal.tsx';
import { FormErrorSummary } from '../../../ui/show/FormErrorSummary.tsx';
import type { Delivery } from './useDelivery.ts';

/** The messages about a bank transaction's input as a whole. */
export function Told({ delivery: { problems, closed } }: { delivery: Delivery }) {
  return (
    <>
      <FormErrorSummary problems={problems.map((message) => ({ message }))} />
      {closed !== undefined && <ClosingReason {...closed} />}
    </>
  );
}
