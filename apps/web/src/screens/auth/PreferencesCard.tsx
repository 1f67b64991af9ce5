import '../../ui/theme/fieldStyles.ts';
import { Switch, useMantineColorScheme } from '@mantine/core';
import { START_PAGE } from '../../client/startPage.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import { Card } from '../../ui/show/Card.tsx';

/** A start screen: its path and its name in the menu. */
export interface StartPage {
  id: string;
  label: string;
}

/** The preferences for this device: the color scheme and the start screen. */
export function PreferencesCard({ starts }: { starts: readonly StartPage[] }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [first] = starts;
  const ids = starts.map(({ id }) => id);
  const [start, setStart] = useLocalChoice<string>(START_PAGE, ids, first?.id ?? '/');
  return (
    <Card title="On this device">
      <div className="ac-two">
        <Picker
          label="Start Page"
          hint="The page that opens in a new tab"
          options={starts}
          value={start}
          onChange={(id) => id !== null && setStart(id)}
        />
      </div>
      <Switch
        className="ac-acts"
        label="Dark Mode"
        checked={colorScheme === 'dark'}
        onChange={(event) => setColorScheme(event.currentTarget.checked ? 'dark' : 'light')}
      />
    </Card>
  );
}
