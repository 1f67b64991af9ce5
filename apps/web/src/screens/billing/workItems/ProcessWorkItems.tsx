import { chosenOf } from '@evenkeel/core/documents/workitems';
import { VOID } from '@evenkeel/core/documents/invoice';
import { formatUsd } from '@evenkeel/core/money';
import { useState } from 'react';
import type { WorkItemInvoice } from '@evenkeel/contract/workitems';
import { messageOf, useStale } from '../../../client/api.ts';
import { usePlace } from '../../../records/place.ts';
import { Waiting } from '../../../records/RecordModal.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { useDraft } from '../../../ui/hooks/draft.ts';
import { useOnce } from '../../../ui/hooks/once.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { EmptyState, ErrorState } from '../../../ui/show/EmptyState.tsx';
import { counted } from '../../../ui/show/words.ts';
import { Candidates } from './Candidates.tsx';
import { BLANK, dateFault, jobsOf, ProcessForm, shownAs, withAll, withForAll, withTyped } from './processForm.ts';
import { areSame, type RunOf, startRun, useRun } from './processing.ts';
import { ProcessRun } from './ProcessRun.tsx';
import { useBillingStatuses } from '../queries.ts';
import { CUSTOMER_WORDS, useCandidates, WORK_ITEMS } from './workItems.ts';

export interface ProcessWorkItemsProps {
  onClose: () => void;
}

/** Stores the open dialog in the URL, for example `?process=1`. */
export function useDialogPlace(name: 'process' | 'paste' | 'charges') {
  const { query, go } = usePlace();
  return {
    isOpen: query.get(name) === '1',
    open: () => go({ [name]: 1 }, { step: [name] }),
    close: () => go({ [name]: undefined }),
  };
}

const TITLE = 'Process Work Items';
const RUN: RunOf = { title: TITLE, dialog: 'process', words: WORK_ITEMS.words, head: 'Work Items' };

/** The Process Work Items modal, which lists the work items to bill, bills them, and shows the results. */
export function ProcessWorkItems(props: ProcessWorkItemsProps) {
  const run = useRun();
  return run === undefined ? <Choose onClose={props.onClose} /> : <ProcessRun {...props} run={run} />;
}

const CHANGED = 'Work items changed after you opened this window. Review the remaining work items, and then bill them.';
const LOST = 'Error loading invoice data, please try again.';
const BILLED = { one: 'Customer', many: 'Customers' };

function useProcessForm() {
  const { value, error, retry, readNow } = useCandidates();
  const draft = useDraft<ProcessForm>({
    name: 'process',
    initial: BLANK,
    read: (stored) => {
      const read = ProcessForm.safeParse(stored);
      return read.success ? read.data : undefined;
    },
  });
  const shownOf = (candidates: readonly WorkItemInvoice[]) => candidates.map((one) => shownAs(one, draft.value));
  const shown = value && shownOf(value);
  const shownNow = async () => shownOf(await readNow());
  return { draft, shown, shownNow, isFailed: error !== undefined && value === undefined, retry };
}

/** Bills the displayed work items after loading them again to check that they haven't changed. */
function useBilling({
  draft,
  shown,
  shownNow,
}: Pick<ReturnType<typeof useProcessForm>, 'draft' | 'shown' | 'shownNow'>) {
  const [isTried, setTried] = useState(false);
  const [isLooking, setLooking] = useState(false);
  const [told, setTold] = useState<string>();
  const stale = useStale();
  const once = useOnce();
  const bill = async () => {
    if (shown === undefined) return undefined;
    setTried(true);
    if (shown.some((one) => dateFault(one) !== undefined)) return undefined;
    setLooking(true);
    try {
      const jobs = jobsOf(await shownNow());
      if (!areSame(jobs, jobsOf(shown))) {
        setTold(CHANGED);
        return undefined;
      }
      draft.clear(BLANK);
      void startRun(RUN, jobs, stale);
      return true;
    } catch (error) {
      setTold(messageOf(error));
      return undefined;
    } finally {
      setLooking(false);
    }
  };
  return { bill: () => void once.run(bill), isTried, isLooking, told };
}

function Choose({ onClose }: Pick<ProcessWorkItemsProps, 'onClose'>) {
  const form = useProcessForm();
  const { draft, shown, isFailed, retry } = form;
  const { bill, isTried, isLooking, told } = useBilling(form);
  const chosen = chosenOf(shown ?? []);
  const primary = {
    label: `Bill ${counted(chosen.customers, BILLED)}`,
    disabled: chosen.customers === 0,
    onClick: bill,
    busy: isLooking,
  };
  const hasRows = shown !== undefined && shown.length > 0;
  return (
    <AppModal
      opened
      title={TITLE}
      size="lg"
      grows
      onClose={onClose}
      dirty={draft.dirty && hasRows}
      onDiscard={() => draft.clear(BLANK)}
      footer={
        hasRows
          ? {
              primary,
              actions: [{ label: 'Cancel', quiet: true, onClick: onClose }],
              total: <Sum of={shown.length} {...chosen} />,
            }
          : undefined
      }
    >
      {isFailed ? (
        <ErrorState message={LOST} onRetry={retry} />
      ) : shown === undefined ? (
        <Waiting />
      ) : !hasRows ? (
        <EmptyState
          title="No work items to bill"
          hint="All work items have been billed. To record more work, select Add Work Item."
        />
      ) : (
        <>
          {told !== undefined && <InlineAlert kind={told === CHANGED ? 'Info' : 'Error'}>{told}</InlineAlert>}
          <Head
            form={draft.value}
            items={shown.reduce((all, { workItemCount }) => all + workItemCount, 0)}
            onChange={draft.set}
          />
          <Candidates
            shown={shown}
            isTried={isTried}
            onAll={(included) => draft.set(withAll(draft.value, shown, included))}
            onTyped={(id, typed) => draft.set((before) => withTyped(before, id, typed))}
          />
        </>
      )}
    </AppModal>
  );
}

interface HeadProps {
  form: ProcessForm;
  items: number;
  onChange: (form: ProcessForm) => void;
}

function Head({ form, items, onChange }: HeadProps) {
  const today = useToday();
  const statuses = useBillingStatuses().filter(({ id }) => id !== VOID);
  return (
    <div className="bl-process-head">
      <p>
        Creates one invoice per customer, with one line per work item. {counted(items, WORK_ITEMS.words)}{' '}
        {items === 1 ? 'is' : 'are'} not billed yet.
      </p>
      <Picker
        label="Billing Status for All"
        placeholder="No change"
        options={statuses}
        value={form.status ?? null}
        onChange={(status) => status !== null && onChange(withForAll(form, { status }))}
      />
      <DateField
        label="Invoice Date for All"
        value={form.invoiceDate === undefined ? today : form.invoiceDate}
        onChange={(invoiceDate) => onChange(withForAll(form, { invoiceDate }))}
      />
      <DateField
        label="Due Date for All"
        placeholder="From terms"
        value={form.dueDate ?? null}
        onChange={(dueDate) => onChange(withForAll(form, { dueDate }))}
      />
    </div>
  );
}

function Sum({ of, customers, workItems, amount }: { of: number } & ReturnType<typeof chosenOf>) {
  return (
    <dl className="dc-sums">
      <div>
        <dt>
          {customers.toLocaleString('en-US')} of {counted(of, CUSTOMER_WORDS)}, {counted(workItems, WORK_ITEMS.words)},
          tax included
        </dt>
        <dd>{formatUsd(amount)}</dd>
      </div>
    </dl>
  );
}
