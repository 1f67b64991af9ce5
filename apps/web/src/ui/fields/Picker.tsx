import '../theme/overlayStyles.ts';
import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useSame, useStable } from '../hooks/stable.ts';
import { ICON_SMALL } from '../show/icons.ts';
import { type FieldProps, inputProps } from './field.tsx';
import {
  detailsOf,
  firstOptions,
  groupOptions,
  keeping,
  matchingOptions,
  offeredBeside,
  PICKER_MAX,
  type PickerOption,
} from './pickerOptions.ts';
import { isKey } from '../keys/keys.ts';

/** A search that loads the options while the user types, because there are too many to load at once. */
export interface PickerSearch {
  /** Called with the typed text, or with an empty string when the search ends. */
  onType: (text: string) => void;
  /** Whether the options don't match the typed text yet. */
  isBusy: boolean;
  isFailed: boolean;
  /** Whether more options match than are listed. */
  hasMore: boolean;
}

export interface PickerProps<Id extends string | number> extends FieldProps {
  options: readonly PickerOption<Id>[];
  value: Id | null;
  /** The selected option, which may not be among the listed options. */
  chosen?: PickerOption<Id> | undefined;
  /** Omitted if `options` contains all options. */
  search?: PickerSearch | undefined;
  /** Whether the options are still loading, in which case no text can be offered as new. */
  isLoading?: boolean | undefined;
  onChange: (id: Id | null) => void;
  /** Called to add a new option. Offers `+ Add "text"` for text that matches no option. */
  onCreate?: ((text: string) => void) | undefined;
  /** The label of the empty option at the top, for example `None, free line`. */
  noneLabel?: string | undefined;
}

/** Combobox.Target adds aria-expanded and aria-controls. */
const COMBOBOX_ROLE = { role: 'combobox', 'aria-autocomplete': 'list' } as const;

/** Calls `then` as soon as the options match the typed text. */
function useAnswered(isBusy: boolean, then: () => void): void {
  const answered = useEffectEvent(then);
  useEffect(() => (isBusy ? undefined : answered()), [isBusy]);
}

const isAwaited = ({ isLoading, search }: Pick<PickerProps<number>, 'isLoading' | 'search'>): boolean =>
  isLoading === true || search?.isBusy === true;

/**
 * A select that the user can type in. Arrow keys move between options, Enter or Tab selects, and Escape keeps the
 * selection. If the user presses Enter or Tab before the options for the text load, the first option is selected when
 * they arrive.
 */
export function Picker<Id extends string | number>(props: PickerProps<Id>) {
  const { search } = props;
  const onChange = useStable(props.onChange);
  const onCreate = useStable((text: string) => props.onCreate?.(text));
  const onType = useStable((text: string) => search?.onType(text));
  const given = useSame({
    ...props,
    onChange,
    onCreate: props.onCreate === undefined ? undefined : onCreate,
    search: useSame(search && { ...search, onType }),
    options: useSame(props.options),
    chosen: useSame(props.chosen),
  });
  // Options are expensive to render, so a key press in another field of the form doesn't render them again.
  return useMemo(() => <PickerBox {...given} />, [given]);
}

function PickerBox<Id extends string | number>(props: PickerProps<Id>) {
  const { value, onChange, onCreate, noneLabel, search } = props;
  const [typed, setTyped] = useState<string>();
  // A ref instead of a state, because the same key press causes a blur event that reads the value immediately.
  const isTakenLate = useRef(false);
  const isBusy = isAwaited(props);
  const combobox = useCombobox({
    onDropdownClose: () => combobox.resetSelectedOption(),
  });
  const options = useMemo(
    () => keeping(offeredBeside(props.options, value), props.chosen),
    [props.options, props.chosen, value],
  );
  const chosen = options.find((option) => option.id === value);
  const details = useMemo(() => detailsOf(options), [options]);
  const hint = props.hint ?? (chosen === undefined ? undefined : details.get(chosen.id));
  const type = (text: string | undefined) => {
    setTyped(text);
    search?.onType(text ?? '');
  };
  const close = () => {
    isTakenLate.current = false;
    type(undefined);
    combobox.closeDropdown();
  };
  const create = () => onCreate?.((typed ?? '').trim());
  const submit = (key: string) => {
    if (key === 'create') create();
    else if (key === 'none') onChange(null);
    else onChange(options.find((option) => String(option.id) === key.slice(3))?.id ?? null);
    close();
  };
  useAnswered(isBusy, () => {
    if (typed === undefined) return;
    if (!isTakenLate.current) return queueMicrotask(() => combobox.selectFirstOption());
    const [first] = search === undefined ? matchingOptions(props.options, typed) : props.options;
    if (first !== undefined) onChange(first.id);
    else if (search?.isFailed !== true && typed.trim() !== '') create();
    close();
  });
  const optionsCame = useEffectEvent(() => {
    if (typed === undefined || search !== undefined || combobox.getSelectedOptionIndex() >= 0) return;
    combobox.selectFirstOption();
  });
  useEffect(() => optionsCame(), [options]);
  const isEarly = () => typed !== undefined && isBusy && combobox.getSelectedOptionIndex() < 0;
  const takeByTab = () => {
    const index = combobox.getSelectedOptionIndex();
    if (isEarly()) isTakenLate.current = true;
    else if (typed !== undefined && index >= 0) combobox.clickSelectedOption();
    else close();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={submit} withinPortal width="max-content" position="bottom-start">
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...inputProps({ ...props, hint })}
          {...COMBOBOX_ROLE}
          placeholder={props.placeholder ?? noneLabel ?? 'Select'}
          spellCheck={false}
          title={typed === undefined ? chosen?.label : undefined}
          value={typed ?? chosen?.label ?? ''}
          readOnly={props.readOnly ?? false}
          rightSectionWidth={34}
          rightSection={<IconChevronDown {...ICON_SMALL} />}
          onClick={() => (props.readOnly === true ? undefined : combobox.openDropdown())}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => (isTakenLate.current ? combobox.closeDropdown() : close())}
          onChange={(event) => {
            type(event.currentTarget.value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
            isTakenLate.current = false;
            if (search === undefined && !isBusy) queueMicrotask(() => combobox.selectFirstOption());
            else combobox.resetSelectedOption();
          }}
          onKeyDown={(event) => {
            if (isKey(event, 'nextField')) takeByTab();
            if (isKey(event, 'open') && isEarly()) {
              event.preventDefault();
              isTakenLate.current = true;
            }
            if (isKey(event, 'close') && combobox.dropdownOpened) {
              event.stopPropagation();
              close();
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown className="ek-picker-drop">
        <Options {...props} options={options} typed={typed} details={details} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface OptionsProps<Id extends string | number> extends PickerProps<Id> {
  typed: string | undefined;
  details: ReadonlyMap<Id, string>;
}

function Options<Id extends string | number>(props: OptionsProps<Id>) {
  const { options, value, onCreate, noneLabel, typed = '', label, details, search, chosen } = props;
  const isBusy = isAwaited(props);
  // The options that the server returned for this text all match it. Until they arrive, the options that are already
  // listed are filtered locally.
  const isAnswered = search?.isBusy === false && typed !== '';
  const matching = isAnswered ? options.filter((option) => option !== chosen) : matchingOptions(options, typed);
  const groups = groupOptions(firstOptions(matching));
  const text = typed.trim();
  const known = options.some((option) => option.label.toLowerCase() === text.toLowerCase());
  const offerNew = onCreate !== undefined && text !== '' && !known && !isBusy && search?.isFailed !== true;
  return (
    <Combobox.Options className="ek-picker-options" aria-label={label}>
      {noneLabel !== undefined && typed === '' && <Combobox.Option value="none">{noneLabel}</Combobox.Option>}
      {groups.map((group) => {
        const items = group.options.map((option) => (
          <OptionLine key={option.id} option={option} value={value} detail={details.get(option.id)} />
        ));
        if (group.label === undefined) return items;
        return (
          <Combobox.Group key={group.label} label={group.label}>
            {items}
          </Combobox.Group>
        );
      })}
      {matching.length > PICKER_MAX && (
        <Combobox.Empty className="ek-picker-more">{matching.length - PICKER_MAX} more. Keep typing.</Combobox.Empty>
      )}
      {search?.hasMore === true && matching.length > 0 && (
        <Combobox.Empty className="ek-picker-more">More results. Keep typing.</Combobox.Empty>
      )}
      {matching.length === 0 && !offerNew && <Combobox.Empty>{nothing(props)}</Combobox.Empty>}
      {offerNew && <Combobox.Option value="create">{`+ Add "${text}"`}</Combobox.Option>}
    </Combobox.Options>
  );
}

function nothing(props: Pick<PickerProps<number>, 'isLoading' | 'search'>): string {
  if (isAwaited(props)) return 'Searching …';
  return props.search?.isFailed === true ? 'Search failed' : 'No results';
}

interface OptionLineProps<Id extends string | number> {
  option: PickerOption<Id>;
  value: Id | null;
  detail: string | undefined;
}

function OptionLine<Id extends string | number>({ option, value, detail }: OptionLineProps<Id>) {
  return (
    <Combobox.Option value={`id ${option.id}`} active={option.id === value}>
      <span className="ek-picker-option">
        <span className="ek-ellipsis" title={option.label}>
          {option.label}
        </span>
        {option.aside !== undefined && <span className="ek-picker-aside">{option.aside}</span>}
      </span>
      {detail !== undefined && <span className="ek-picker-detail">{detail}</span>}
    </Combobox.Option>
  );
}
