/** Attributes of a box that scrolls: with the focus, arrow keys scroll it. Not every browser does that by itself. */
export const SCROLLED_BY_KEYS = { tabIndex: 0 } as const
