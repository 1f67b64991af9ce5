import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useBooksSettings } from '../../parts/choices/booksSettings.ts';
import { useSession } from '../../client/session.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { type Command, commandsFor } from './commands.ts';
import { readText } from './entityActions.ts';
import { goInto } from './goInto.ts';
import { groupsOf, type Row } from './groups.ts';
import { readRecents, remember } from './recents.ts';
import { useFound } from './useFound.ts';
import { useCompanyCommands } from './useCompanyCommands.ts';
import { useHelpCommands } from './useHelpCommands.ts';

export interface PaletteProps {
  /** Actions in the app frame. */
  own: readonly Command[];
  /** Opens help at a topic. */
  onHelp: (topic: string) => void;
  /** Returns the text that was typed before the palette was loaded. */
  takeEarly: () => string;
  onClose: () => void;
}

/** Manages the palette: its text, its rows, the selected row, and the effects of keys and clicks. */
export function usePalette({ own, onHelp, onClose }: Pick<PaletteProps, 'own' | 'onHelp' | 'onClose'>) {
  const [text, setText] = useState('');
  const [expanded, setExpanded] = useState<readonly number[]>([]);
  /** The row that was selected with the arrow keys or the pointer. Defaults to the first row. */
  const [wanted, setWanted] = useState<string>();
  /**
   * Set if Enter was pressed before the response arrived. When the response arrives, its first row is opened (in a new
   * tab if Ctrl was held down).
   */
  const [late, setLate] = useState<{ isApart: boolean }>();
  const [recents] = useState(readRecents);
  const user = useSession();
  const settings = useBooksSettings();
  const books = { today: useToday(), fyStartMonth: settings.fyStartMonth, basis: settings.basis };
  const { search } = readText(text);
  const found = useFound(search);
  const { results } = found;
  // Reports need the company's fiscal year and basis.
  const isReading = search !== '' && !settings.isLoaded && settings.error === undefined;
  const isBusy = found.isBusy || isReading;
  const isAnswered = !isBusy && results !== undefined;
  const commands = [...commandsFor(user, own), ...useCompanyCommands(), ...useHelpCommands(user, onHelp)];
  const shown = groupsOf({ text, results, isAnswered, commands, recents, expanded, user, books });
  const rows = shown.groups.flatMap((group) => group.rows);
  // Without search text, Enter opens nothing until a row is selected with the arrow keys or the pointer.
  const first = text.trim() === '' || isReading || (isBusy && !shown.isFirstKnown) ? undefined : rows[0];
  const active = wanted === undefined ? first : rows.find(({ id }) => id === wanted);
  const navigate = useNavigate();
  const alerts = useAlerts();
  const type = (next: string) => {
    setText(next);
    setWanted(undefined);
    setLate(undefined);
    setExpanded([]);
  };
  const choose = (row: Row, isApart: boolean) => {
    const { expands } = row;
    if (expands !== undefined) return setExpanded([...expanded, expands]);
    if (row.recent !== undefined) remember(row.recent);
    onClose();
    if (row.to === undefined) return row.run?.();
    if (isApart) return void window.open(row.to, '_blank', 'noopener');
    goInto();
    void navigate(row.to, { state: row.state ?? null });
  };
  const answered = useEffectEvent(() => {
    if (late !== undefined && active !== undefined) choose(active, late.isApart);
    setLate(undefined);
  });
  useEffect(() => (isBusy ? undefined : answered()), [isBusy]);
  const enter = (isApart: boolean) => {
    if (active !== undefined) choose(active, isApart);
    else if (isBusy) setLate({ isApart });
    else if (search === '') alerts.info('Please enter text to search for.');
  };
  const move = (step: 1 | -1) => {
    const at = active === undefined ? -1 : rows.indexOf(active);
    const next = at < 0 && step < 0 ? rows.length - 1 : (at + step + rows.length) % rows.length;
    setWanted(rows[next]?.id);
  };
  /** The button next to the text field searches immediately, even for the same text again. */
  const ask = () => (search === '' ? alerts.info('Please enter text to search for.') : found.retry());
  return { text, search, type, books, ...shown, ...found, isBusy, rows, active, setWanted, choose, enter, move, ask };
}
export type PaletteState = ReturnType<typeof usePalette>;
