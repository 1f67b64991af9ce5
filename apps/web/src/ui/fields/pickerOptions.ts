export interface PickerOption<Id extends string | number> {
  id: Id;
  label: string;
  /** The heading of the option's group. Groups are in the order of their first options. */
  group?: string | undefined;
  /** Muted text on the right, for example a price. */
  aside?: string | undefined;
  /** Details that distinguish options with the same name: email, city, or number. If there are none, the ID is used. */
  detail?: string | undefined;
  /** Whether another option has the same name, even if it isn't listed. */
  isNamesake?: boolean | undefined;
  /** Whether the option is always listed last, whatever the user types. Used for an option that creates a record. */
  isAlways?: boolean | undefined;
  /**
   * Whether the option is inactive. An inactive option keeps its label where it is already selected, but can't be
   * selected again.
   */
  isRetired?: boolean | undefined;
}

export interface PickerGroup<Id extends string | number> {
  label: string | undefined;
  options: PickerOption<Id>[];
}

/** The maximum number of options rendered. If there are more, the list asks the user to type more letters. */
export const PICKER_MAX = 60;

const nameOf = ({ label }: PickerOption<string | number>): string => label.trim().toLowerCase();

/** Counts the options that have the same text. */
function countsOf<Option>(options: readonly Option[], textOf: (option: Option) => string): (option: Option) => number {
  const counts = new Map<string, number>();
  for (const option of options) counts.set(textOf(option), (counts.get(textOf(option)) ?? 0) + 1);
  return (option) => counts.get(textOf(option)) ?? 0;
}

/** Returns the second lines for options with duplicate names. Includes the ID if the details are the same too. */
export function detailsOf<Id extends string | number>(options: readonly PickerOption<Id>[]): Map<Id, string> {
  const ofName = countsOf(options, nameOf);
  const namesakes = options.filter((option) => option.isNamesake === true || ofName(option) > 1);
  const ofBoth = countsOf(namesakes, (option) => `${nameOf(option)}\n${option.detail ?? ''}`);
  return new Map(
    namesakes.map((option) => {
      const { id, detail = '' } = option;
      if (detail === '') return [id, `#${id}`];
      return [id, ofBoth(option) > 1 ? `${detail} #${id}` : detail];
    }),
  );
}

/**
 * Returns the options, preceded by the selected option if it is no longer offered, so that saved values keep their
 * label.
 */
export function keeping<Option extends { id: string | number }>(
  options: readonly Option[],
  current: Option | undefined,
): Option[] {
  const isMissing = current !== undefined && !options.some((option) => option.id === current.id);
  return isMissing ? [current, ...options] : [...options];
}

/** Returns the options that can be selected in addition to the current one. */
export function offeredBeside<Id extends string | number>(
  options: readonly PickerOption<Id>[],
  value: Id | null,
): PickerOption<Id>[] {
  return options.filter(({ id, isRetired }) => isRetired !== true || id === value);
}

/**
 * Returns the options whose label and detail contain all typed words. Options that start with the text come first, and
 * options that are always listed come last.
 */
export function matchingOptions<Id extends string | number>(
  options: readonly PickerOption<Id>[],
  text: string,
): readonly PickerOption<Id>[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return options;
  const words = wanted.split(/\s+/);
  const always = options.filter(({ isAlways }) => isAlways === true);
  const hits = options.filter((option) => {
    if (option.isAlways === true) return false;
    const searched = `${option.label}\n${option.detail ?? ''}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  const begins = (option: PickerOption<Id>) => option.label.toLowerCase().startsWith(wanted);
  return [...hits.filter(begins), ...hits.filter((option) => !begins(option)), ...always];
}

/** Returns the options to render: the first options, and the options that are always listed. */
export function firstOptions<Id extends string | number>(options: readonly PickerOption<Id>[]): PickerOption<Id>[] {
  const isAlways = (option: PickerOption<Id>) => option.isAlways === true;
  return [...options.filter((option) => !isAlways(option)).slice(0, PICKER_MAX), ...options.filter(isAlways)];
}

export function groupOptions<Id extends string | number>(options: readonly PickerOption<Id>[]): PickerGroup<Id>[] {
  const groups: PickerGroup<Id>[] = [];
  for (const option of options) {
    const group = groups.find((one) => one.label === option.group);
    if (group === undefined) groups.push({ label: option.group, options: [option] });
    else group.options.push(option);
  }
  return groups;
}
