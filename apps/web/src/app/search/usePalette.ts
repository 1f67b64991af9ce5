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
  /** Actions of the frame itself. */
  own: readonly Command[];
  /** Opens the help at a topic. */
  onHelp: (topic: string) => void;
  /** Takes what was typed before the palette was there. */
  takeEarly: () => string;
  onClose: () => void;
}

/** Text, rows and the marked row of the palette, and what keys and clicks do with them. */
export function usePalette({ own, onHelp, onClose }: Pick<PaletteProps, 'own' | 'onHelp' | 'onClose'>) {
  const [text, setText] = useState('');
  const [expanded, setExpanded] = useState<readonly number[]>([]);
  /** The row that an arrow or the pointer went to; the first one until then. */
  const [wanted, setWanted] = useState<string>();
  /** Enter was pressed before there was an answer: it opens the first row of it, with Ctrl in a new tab. */
  const [late, setLate] = useState<{ isApart: boolean }>();
  const [recents] = useState(readRecents);
  const user = useSession();
  const settings = useBooksSettings();
  const books = { today: useToday(), fyStartMonth: settings.fyStartMonth, basis: settings.basis };
  const { search } = readText(text);
  const found = useFound(search);
  const { results } = found;
  // Reports open for the company's own year and basis.
  const isReading = search !== '' && !settings.isLoaded && settings.error === undefined;
  const isBusy = found.isBusy || isReading;
  const isAnswered = !isBusy && results !== undefined;
  const commands = [...commandsFor(user, own), ...useCompanyCommands(), ...useHelpCommands(user, onHelp)];
  const shown = groupsOf({ text, results, isAnswered, commands, recents, expanded, user, books });
  const rows = shown.groups.flatMap((group) => group.rows);
  // Without a text, Enter has nothing to open until the arrows or the pointer have chosen a row.
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
  /** The button beside the text asks for an answer at once, and again. */
  const ask = () => (search === '' ? alerts.info('Please enter text to search for.') : found.retry());
  return { text, search, type, books, ...shown, ...found, isBusy, rows, active, setWanted, choose, enter, move, ask };
}
export type PaletteState = ReturnType<typeof usePalette>;
