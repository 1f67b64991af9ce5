import { Opener } from '../lazy/Opener.tsx';
import type { AccountBoxProps } from './AccountBox.tsx';

export interface AccountSettingsProps extends AccountBoxProps {
  /** The two initials of the signed-in user. */
  initials: string;
}

const load = async () => (await import('./AccountBox.tsx')).AccountBox;

/** The round button with the user's initials, and its popover with Dark Mode and Logout. */
export function AccountSettings({ initials, ...box }: AccountSettingsProps) {
  const button = (
    <button type="button" className="ek-initials" aria-label={`Account Settings, ${initials}`}>
      {initials}
    </button>
  );
  return <Opener popup="dialog" load={load} box={box} button={button} />;
}
