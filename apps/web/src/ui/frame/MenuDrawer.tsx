import '../theme/overlayStyles.ts';
import { Drawer } from '@mantine/core';
import { type MenuSection, SideMenu } from './SideMenu.tsx';

export interface MenuDrawerProps {
  opened: boolean;
  onClose: () => void;
  sections: readonly MenuSection[];
}

/** The side menu as a drawer below 768 px, loaded as a separate chunk. */
export function MenuDrawer({ opened, onClose, sections }: MenuDrawerProps) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} className="ek-drawer" size={292}>
      <Drawer.Overlay backgroundOpacity={1} color="var(--scrim)" blur={0} />
      <Drawer.Content aria-label="Menu">
        <Drawer.Body>
          <SideMenu sections={sections} onNavigate={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
