// The names under which the browser stores what the first script reads too.

/** Who is logged in, of a tab. */
export const STORED_CUSTOMER = 'paddock-showcase-customer'
const ticketName = (username: string) => `paddock-showcase-ticket-${username}`

/** The ticket of a customer who had to log in again in this tab; null: the ticket of the sandbox. */
export const storedTicket = (username: string) => sessionStorage.getItem(ticketName(username))

export const storeTicket = (username: string, ticket: string) => sessionStorage.setItem(ticketName(username), ticket)

/** Light or dark, once somebody has chosen. */
export const STORED_THEME = 'paddock-showcase-theme'
