import { Opener, type OpenerButton } from '../lazy/Opener.tsx';
import type { MenuBoxProps } from './MenuBox.tsx';

const load = async () => (await import('./MenuBox.tsx')).MenuBox;

/** A button with a menu of actions. The menu loads when it first opens. */
export function ActionMenu({ button, ...box }: MenuBoxProps & { button: OpenerButton }) {
  return <Opener button={button} popup="menu" load={load} box={box} />;
}
