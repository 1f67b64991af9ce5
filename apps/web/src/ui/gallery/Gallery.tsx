import './gallery.css';
import { Switch, useMantineColorScheme } from '@mantine/core';
import { Link } from 'react-router';
import { Mark } from '../show/Mark.tsx';
import { Amounts, Badges, Buttons, Messages, TabsAndChoice } from './Basics.tsx';
import { Choices, Fields } from './Fields.tsx';
import { Import } from './Import.tsx';
import { Lines } from './Lines.tsx';
import { Lists } from './Lists.tsx';
import { Overlays } from './Overlays.tsx';
import { Selecting } from './Selecting.tsx';

/** Every shared part in its states. */
export function Gallery() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <main className="ekg">
      <div className="ekg-head">
        <Mark />
        <h1>Shared parts</h1>
        <Link to="/ui/billing">Frame</Link>
        <Link to="/ui/many">50,000 rows</Link>
        <Switch
          label="Dark"
          checked={colorScheme === 'dark'}
          onChange={(event) => setColorScheme(event.currentTarget.checked ? 'dark' : 'light')}
        />
      </div>
      <Lines />
      <Selecting />
      <Import />
      <div className="ekg-cols">
        <Buttons />
        <Fields />
        <Choices />
        <Badges />
        <Amounts />
        <TabsAndChoice />
        <Messages />
        <Overlays />
        <Lists />
      </div>
    </main>
  );
}
