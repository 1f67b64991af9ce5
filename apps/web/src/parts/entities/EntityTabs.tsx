import { type AttachmentsForm, attachmentsFormOf } from '../attachments/attachmentForm.ts';
import { AttachmentList } from '../attachments/AttachmentList.tsx';
import { AttachmentsPart } from '../attachments/AttachmentTabs.tsx';
import { useBooksSettings } from '../choices/booksSettings.ts';
import { counted } from '../../ui/show/words.ts';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { type Fact, Facts } from '../../ui/show/Facts.tsx';
import { AccountTab } from './AccountTab.tsx';
import { AddressesTab } from './AddressesTab.tsx';
import { ContactsTab } from './ContactsTab.tsx';
import { DetailsTab } from './DetailsTab.tsx';
import { accountFacts, addressFacts, contactFacts, detailFacts, propertyFacts } from './entityFacts.tsx';
import type { EntityTabProps } from './entityForm.ts';
import type { EntityTab } from './entityInput.ts';
import { InfoTab } from './InfoTab.tsx';
import { type AnyEntity, type EntityKind, usePropertyDefinitions, useScenarioOptions } from './kind.ts';

/** The form fields of the open tab. */
export function EntityEdit({ tab, ...props }: EntityTabProps & { tab: EntityTab }) {
  switch (tab) {
    case 'details':
      return <DetailsTab {...props} />;
    case 'addresses':
      return <AddressesTab {...props} />;
    case 'contacts':
      return <ContactsTab {...props} />;
    case 'account':
      return <AccountTab {...props} />;
    case 'info':
      return <InfoTab {...props} />;
    case 'attachments':
      return <AttachmentsPart form={props.form} files={props.files} />;
  }
}

type Terms = Pick<AnyEntity, 'termsDays' | 'discountPercent' | 'discountDays'>;

/**
 * Returns the terms as text, for example "2% 10 days, net 45 days". If the record has none, uses the company's terms.
 */
export function useTermsWords({ termsDays, discountPercent: percent, discountDays: within }: Terms): string {
  const company = useBooksSettings().termsDays;
  const days = (count: number) => counted(count, { one: 'day', many: 'days' });
  const net = typeof termsDays === 'number' ? days(termsDays) : `${days(company)} (company default)`;
  if (typeof percent !== 'number' || typeof within !== 'number') return net;
  return `${percent}% ${days(within)}, net ${net}`;
}

interface EntityViewProps {
  kind: EntityKind;
  tab: EntityTab;
  entity: AnyEntity;
}

/** The labels and values shown on a tab before the user selects Edit. */
export function EntityView({ kind, tab, entity }: EntityViewProps) {
  const scenario = useScenarioOptions().find((each) => each.id === entity.salesTaxScenarioId)?.label;
  const definitions = usePropertyDefinitions(kind.kind);
  const terms = useTermsWords(entity);
  if (tab === 'attachments') return <Attachments links={attachmentsFormOf(entity.documentLinks)} />;
  const facts: Record<Exclude<EntityTab, 'attachments'>, () => Fact[]> = {
    details: () => detailFacts(kind, entity),
    addresses: () => addressFacts(entity),
    contacts: () => contactFacts(entity),
    account: () => accountFacts(kind, entity, { terms, scenario }),
    info: () => propertyFacts(entity, definitions),
  };
  const shown = facts[tab]();
  if (shown.length === 0) {
    const hint = tab === 'info' ? 'You can add custom fields in Settings.' : 'Select Edit to add information.';
    return <EmptyState title="No information yet" hint={hint} />;
  }
  return (
    <div className="en-facts">
      <Facts facts={shown} />
    </div>
  );
}

/** The attachments of a record before the user selects Edit. */
function Attachments({ links }: { links: AttachmentsForm }) {
  if (links.length === 0) return <EmptyState title="No attachments" hint="Select Edit to attach files." />;
  return <AttachmentList links={links} />;
}
