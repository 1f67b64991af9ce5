import { type ReactNode, useId } from 'react';
import { TabPane } from './TabPane.tsx';
import { neighbourTab, type Tab, TabsIn, type TabsInProps } from './Tabs.tsx';

export interface TabbedPaneProps<Value extends string> extends Omit<TabsInProps<Value>, 'idBase'> {
  tabs: readonly Tab<Value>[];
  /** The content of the selected tab. */
  children: ReactNode;
}

/** Tabs with their content in a panel or modal. Swiping moves between tabs. A single tab is hidden. */
export function TabbedPane<Value extends string>({ place, children, ...props }: TabbedPaneProps<Value>) {
  const { tabs, value, onChange } = props;
  const idBase = useId();
  if (tabs.length < 2) return children;
  return (
    <div>
      <TabsIn {...props} place={place} idBase={idBase} />
      <TabPane idBase={idBase} value={value} onSwipe={(step) => onChange(neighbourTab(tabs, value, step))}>
        {children}
      </TabPane>
    </div>
  );
}
