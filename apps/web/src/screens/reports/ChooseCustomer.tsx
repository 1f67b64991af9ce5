import { CUSTOMERS, useEntityOptions } from '../../parts/choices/entities.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { reportKind } from '@evenkeel/core/reports/kinds';
import type { ReportAsk } from './openReports.ts';
import { PANE_ID, tabId } from './ReportTabs.tsx';

/** Returns whether a report needs a customer that isn't selected yet. */
export function needsCustomer({ reportId, customerId }: ReportAsk): boolean {
  return reportKind(reportId)?.of === 'customer' && customerId === undefined;
}

/** Asks the user to select a customer. Shown in place of a report that needs a customer. */
export function ChooseCustomer({ index, onChoose }: { index: number; onChoose: (customerId: number) => void }) {
  const customers = useEntityOptions(CUSTOMERS, null);
  const picker = (
    <div className="rp-pick">
      <Picker
        label="Customer"
        placeholder="Please Select a Customer"
        {...customers}
        value={null}
        onChange={(id) => (id === null ? undefined : onChoose(id))}
      />
    </div>
  );
  return (
    <div className="rp-scroll" id={PANE_ID} role="tabpanel" aria-labelledby={tabId(index)} tabIndex={0}>
      <EmptyState title="Choose a customer" hint="This report shows one customer." action={picker} />
    </div>
  );
}
