// A deposit whose bank requests the customer's confirmation (3-D Secure): the browser leaves for the bank's page and comes back to
// this one. Nothing is stored here meanwhile: the list of deposits has the one that waits.

const FROM_BANK = 'from-bank'

/** What the bank sent back in the address, from where it is removed. */
let result: string | null = null
let isBack = false

/** Before the first screen: the bank sends the browser to the page without its route. */
export function readReturn(): void {
  const address = new URL(location.href)
  isBack = address.searchParams.has(FROM_BANK)
  if (!isBack) return
  result = address.searchParams.get('redirectResult')
  address.search = ''
  address.hash = '#/wallet'
  history.replaceState(null, '', address)
}

/** null: the bank sent nothing. */
export const returnedResult = () => result

/** Whether the bank has just sent the browser back. */
export const isBackFromBank = () => isBack

/** What is opened next has nothing to do with the bank. */
export function forgetReturn(): void {
  isBack = false
}

/** Without a fragment, which an address to return to may not have. */
export const returnUrl = () => `${location.origin}${location.pathname}?${FROM_BANK}`

export function browserData() {
  return {
    userAgent: navigator.userAgent,
    language: navigator.language,
    screenWidth: screen.width,
    screenHeight: screen.height,
    timeZoneOffset: new Date().getTimezoneOffset(),
  }
}
