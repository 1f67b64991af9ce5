/** The size and stroke width of all icons. */
export const ICON = { size: 18, stroke: 1.6, 'aria-hidden': true } as const;
export const ICON_SMALL = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
