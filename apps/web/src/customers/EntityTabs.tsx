import type { Entity } from '@evenkeel/contract/entities';
import { EmptyState } from '../ui/show/EmptyState.tsx';
import { type Fact, Facts } from '../ui/show/Facts.tsx';
import { AccountTab } from './AccountTab.tsx';
import { AddressesTab } from './AddressesTab.tsx';
import { ContactsTab } from './ContactsTab.tsx';
import { DetailsTab } from './DetailsTab.tsx';
import { accountFacts, addressFacts, contactFacts, detailFacts, propertyFacts } from './entityFacts.tsx';
import type { EntityTabProps } from './entityForm.ts';
import type { EntityTab } from './entityInput.ts';
import { InfoTab } from './InfoTab.tsx';
import { usePropertyDefinitions, useScenarioOptions } from './customers.ts';

/** The tab of the form that is open. */
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
  }
}

/** The same tab as labels and values, until Edit is chosen. */
export function EntityView({ tab, entity }: { tab: EntityTab; entity: Entity }) {
  const scenarios = useScenarioOptions();
  const definitions = usePropertyDefinitions();
  const scenario = scenarios.find((each) => each.id === entity.salesTaxScenarioId)?.label;
  const facts: Record<EntityTab, () => Fact[]> = {
    details: () => detailFacts(entity),
    addresses: () => addressFacts(entity),
    contacts: () => contactFacts(entity),
    account: () => accountFacts(entity, scenario),
    info: () => propertyFacts(entity, definitions),
  };
  const shown = facts[tab]();
  if (shown.length === 0) return <EmptyState title="Nothing here yet" hint="Choose Edit to add it." />;
  return (
    <div className="cu-facts">
      <Facts facts={shown} />
    </div>
  );
}
