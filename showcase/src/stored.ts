// The names under which the browser stores what the first script reads too.

/** Who is logged in, of a tab. */
export const STORED_CUSTOMER = 'paddock-showcase-customer'
/** Light or dark, once somebody has chosen. */
export const STORED_THEME = 'paddock-showcase-theme'
