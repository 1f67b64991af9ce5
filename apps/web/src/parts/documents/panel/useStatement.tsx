import { reportCalls } from '@evenkeel/contract/reports';
import { ask } from '../../../client/api.ts';
import { useMay } from '../../../client/session.ts';
import { usePdf } from './usePdf.tsx';

/** A customer's statement of account as a PDF; `open` is undefined for who may not see what is billed. */
export function useStatement(customerId: number, name: string) {
  const may = useMay();
  const { open, panel } = usePdf(ask(reportCalls.customerStatement, { params: { customerId }, query: {} }), {
    title: `Statement of ${name}`,
    fileName: `statement-${name}.pdf`,
  });
  return { open: may('View Billing') || may('View Reports') ? open : undefined, panel };
}
