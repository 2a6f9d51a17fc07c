// A deposit whose bank asks the customer to confirm (3-D Secure): the browser leaves for the bank's page and comes back to
// this one. The payment is stored meanwhile, so that a closed tab finds it again.

const STORED = 'paddock-challenge'

export type PendingChallenge = { readonly paymentId: string; readonly amount: string; readonly username: string }

/** What the bank sent back in the address, from where it is removed. */
let returned: string | null = null

/** Before the first screen: the bank sends the browser to the page without its route. */
export function readReturn(): void {
  const address = new URL(location.href)
  returned = address.searchParams.get('redirectResult')
  if (returned === null && pendingChallenge() === null) return
  address.searchParams.delete('redirectResult')
  if (address.hash === '' || returned !== null) address.hash = '#/wallet'
  history.replaceState(null, '', address)
}

export const returnedResult = () => returned

export function pendingChallenge(): PendingChallenge | null {
  const text = localStorage.getItem(STORED)
  return text === null ? null : (JSON.parse(text) as PendingChallenge)
}

export function storeChallenge(challenge: PendingChallenge | null): void {
  if (challenge === null) localStorage.removeItem(STORED)
  else localStorage.setItem(STORED, JSON.stringify(challenge))
}

/** Without a fragment, which an address to return to may not have. */
export const returnUrl = () => location.origin + location.pathname

export function browserData() {
  return {
    userAgent: navigator.userAgent,
    language: navigator.language,
    screenWidth: screen.width,
    screenHeight: screen.height,
    timeZoneOffset: new Date().getTimezoneOffset(),
  }
}
