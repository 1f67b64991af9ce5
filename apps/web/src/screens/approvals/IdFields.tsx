import { bankingCalls } from '@evenkeel/contract/banking';
import { catalogueCalls, type ProductOrPackage } from '@evenkeel/contract/catalogue';
import { billingStatuses } from '@evenkeel/core/documents/invoice';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { useBanks } from '../../parts/banking/moves.ts';
import { useAccountChoices } from '../../parts/choices/accounts.ts';
import { useDimensions } from '../../parts/choices/dimensions.ts';
import { CUSTOMERS, useEitherOptions, useEntityOptions, VENDORS } from '../../parts/choices/entities.ts';
import { usePickable } from '../../parts/choices/products.ts';
import { useScenarioOptions } from '../../parts/entities/kind.ts';
import { wholeList } from '../../records/reads.ts';
import type { FieldProps } from '../../ui/fields/field.tsx';
import { Picker, type PickerProps } from '../../ui/fields/Picker.tsx';

/** The options of a picker for an ID. */
type IdOptions = Pick<PickerProps<number>, 'options' | 'chosen' | 'search' | 'isLoading'>;
type UseIdOptions = (id: number | null) => IdOptions;

interface IdFieldProps {
  shared: FieldProps;
  value: number | null;
  set: (id: number) => void;
}

/** Returns the picker for another record. An empty picker sends 0, which stands for no record. */
const idField = (useOptions: UseIdOptions) =>
  function IdField({ shared, value, set }: IdFieldProps) {
    const id = value === 0 ? null : value;
    const choices = useOptions(id);
    const isKnown = id === null || choices.isLoading === true || choices.options.some((option) => option.id === id);
    // Inactive and deleted records are not among the options, so their names are unknown here.
    const chosen = choices.chosen ?? (isKnown ? undefined : { id, label: `#${id}` });
    return <Picker {...shared} {...choices} chosen={chosen} value={id} onChange={(next) => set(next ?? 0)} />;
  };

const useAccounts: UseIdOptions = () => {
  const { accounts } = useAccountChoices();
  return { options: accounts, isLoading: accounts.length === 0 };
};

const useBankAccounts: UseIdOptions = () => {
  const { value = [], isLoading } = useBanks();
  return { options: value.map(({ bankingAccountID: id, name }) => ({ id, label: name })), isLoading };
};

const usePaymentTypes: UseIdOptions = () => {
  const { value = [], isLoading } = useRead(
    ask(bankingCalls.listPaymentTypes, { query: { inactive: 'true' } }),
    inAlert('Error Loading PaymentTypes'),
  );
  const options = value.map(({ id, displayName, active }) => ({ id, label: displayName, isRetired: !active }));
  return { options, isLoading };
};

const useCategories: UseIdOptions = () => {
  const { value, isLoading } = useRead(
    ask(catalogueCalls.listCategories, { query: {} }),
    inAlert('Error Loading Items'),
  );
  const options = (wholeList(value) ?? []).map(({ productCategoryID: id, categoryName: label }) => ({ id, label }));
  return { options, isLoading };
};

const useTaxScenarios: UseIdOptions = () => ({ options: useScenarioOptions() });

const STATUSES = billingStatuses.map(({ id, displayName }) => ({ id, label: displayName }));
const useBillingStatuses: UseIdOptions = () => ({ options: STATUSES });

const itemsOf =
  (is: (item: ProductOrPackage) => boolean): UseIdOptions =>
  () => {
    const { items, isLoadingItems } = usePickable();
    return { options: items.filter(is).map(({ id, name }) => ({ id, label: name })), isLoading: isLoadingItems };
  };

const dimensionOf =
  (name: 'locations' | 'profitCenters'): UseIdOptions =>
  () => {
    const dimensions = useDimensions();
    return { options: dimensions[name] ?? [], isLoading: !dimensions.isAnswered };
  };

/** The pickers for IDs, by the names of their fields in lowercase. */
const PICKERS: readonly [RegExp, ReturnType<typeof idField>][] = [
  [/^customerid$/, idField((id) => useEntityOptions(CUSTOMERS, id))],
  [/^vendorid$/, idField((id) => useEntityOptions(VENDORS, id))],
  [/^entityid$/, idField((id) => useEitherOptions(id, id))],
  [/^(from|to)?bank(ing)?accountid$/, idField(useBankAccounts)],
  [/^(gl|payment|bankcharge|interest)?accountid$/, idField(useAccounts)],
  [/^arbillingstatus$/, idField(useBillingStatuses)],
  [/^paymenttypeid$/, idField(usePaymentTypes)],
  [/^productid$/, idField(itemsOf(({ isProduct }) => isProduct))],
  [/^packageid$/, idField(itemsOf(({ isPackage }) => isPackage))],
  [/^discountid$/, idField(itemsOf(({ isDiscount }) => isDiscount))],
  [/^productcategoryid$/, idField(useCategories)],
  [/^locationid$/, idField(dimensionOf('locations'))],
  [/^profitcenterid$/, idField(dimensionOf('profitCenters'))],
  [/^salestaxscenario(id)?$/, idField(useTaxScenarios)],
];

/** Returns the picker for an ID. Undefined if there is none, because no one should have to type a number. */
export const pickerFor = (name: string) => PICKERS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
