/** One size and one stroke for every icon of the face. */
export const ICON = { size: 18, stroke: 1.6, 'aria-hidden': true } as const;
export const ICON_SMALL = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
