export interface PickerOption<Id extends string | number> {
  id: Id;
  label: string;
  /** Options are gathered under heads in the order of their first option. */
  group?: string | undefined;
  /** Quiet, at the right, e.g. a price. */
  aside?: string | undefined;
  /** Details that tell it from a namesake: e-mail, city, number; its id where there are none. */
  detail?: string | undefined;
  /** There is another of the same name, though it may not be among the options. */
  isNamesake?: boolean | undefined;
  /** Deactivated: it keeps its words where it is chosen, and is offered nowhere else. */
  isRetired?: boolean | undefined;
}

export interface PickerGroup<Id extends string | number> {
  label: string | undefined;
  options: PickerOption<Id>[];
}

/** More options than this are not drawn; the list then asks for more letters. */
export const PICKER_MAX = 60;

const nameOf = ({ label }: PickerOption<string | number>): string => label.trim().toLowerCase();

/** Number of options with the same text. */
function countsOf<Option>(options: readonly Option[], textOf: (option: Option) => string): (option: Option) => number {
  const counts = new Map<string, number>();
  for (const option of options) counts.set(textOf(option), (counts.get(textOf(option)) ?? 0) + 1);
  return (option) => counts.get(textOf(option)) ?? 0;
}

/** The second line of those that share their name with another, with the id where that is the same too. */
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

/** The options, and first the one that is chosen though it is offered no more: what was saved keeps its words. */
export function keeping<Option extends { id: string | number }>(
  options: readonly Option[],
  current: Option | undefined,
): Option[] {
  const isMissing = current !== undefined && !options.some((option) => option.id === current.id);
  return isMissing ? [current, ...options] : [...options];
}

/** The options to offer beside the chosen one. */
export function offeredBeside<Id extends string | number>(
  options: readonly PickerOption<Id>[],
  value: Id | null,
): PickerOption<Id>[] {
  return options.filter(({ id, isRetired }) => isRetired !== true || id === value);
}

/** Options of which label and detail have every typed word, those that begin with the text first. */
export function matchingOptions<Id extends string | number>(
  options: readonly PickerOption<Id>[],
  text: string,
): readonly PickerOption<Id>[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return options;
  const words = wanted.split(/\s+/);
  const hits = options.filter((option) => {
    const searched = `${option.label}\n${option.detail ?? ''}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  const begins = (option: PickerOption<Id>) => option.label.toLowerCase().startsWith(wanted);
  return [...hits.filter(begins), ...hits.filter((option) => !begins(option))];
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
