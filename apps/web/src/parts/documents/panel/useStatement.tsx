import { reportCalls } from '@evenkeel/contract/reports';
import { ask } from '../../../client/api.ts';
import { useMay } from '../../../client/session.ts';
import { usePdf } from './usePdf.tsx';

/** Shows a customer's statement as a PDF. `open` is undefined for users without billing permission. */
export function useStatement(customerId: number, name: string) {
  const may = useMay();
  const { open, panel } = usePdf(ask(reportCalls.customerStatement, { params: { customerId }, query: {} }), {
    title: `Statement for ${name}`,
    fileName: `statement-${name}.pdf`,
  });
  return { open: may('View Billing') || may('View Reports') ? open : undefined, panel };
}
