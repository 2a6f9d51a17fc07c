// Signing in with the organisation's account (OpenID Connect). The server does it with redirects and a cookie that no
// script can read; this page only redirects to the provider and reads the result when the browser returns.

import { pendingCallsSettled, Refusal } from '../api/api.ts'

export type SignInOptions = { openId: boolean; signedIn: boolean }

const PATH = 'sign-in'
const RETURN_TO = 'paddock-return-to'

export async function readSignInOptions(): Promise<SignInOptions> {
  try {
    const response = await fetch(PATH, { cache: 'no-store' })
    return response.ok ? await response.json() : { openId: false, signedIn: false }
  } catch {
    return { openId: false, signedIn: false }
  }
}

export function redirectToProvider(): void {
  sessionStorage.setItem(RETURN_TO, location.hash)
  location.assign(`${PATH}/openid`)
}

/** Opens the page that was shown before the redirect. */
export function returnToPage(): void {
  const hash = sessionStorage.getItem(RETURN_TO)
  sessionStorage.removeItem(RETURN_TO)
  if (hash) location.replace(hash)
}

/** After pending calls: decisions that are being sent need the session. */
export async function endSession(): Promise<void> {
  await pendingCallsSettled()
  await fetch(PATH, { method: 'DELETE', headers: { 'x-requested-by': 'console' }, keepalive: true }).catch(() => {})
}

const REFUSAL_TEXTS: Record<string, string> = {
  'link-used':
    'The link from the start of Paddock signs in once, within 30 minutes. Start Paddock again for a new one, or use the operator token: it is in data/operator-token.',
  'link-elsewhere':
    'The link from the start of Paddock works only on the machine that Paddock runs on, at the address that was printed. Use an operator token here.',
  unavailable: 'Your organisation’s sign-in cannot be reached. Try again later, or use an operator token.',
  denied: 'Your organisation’s sign-in was cancelled or refused. Try again.',
  expired: 'The sign-in took too long or was started in another window. Try again.',
  'not-valid':
    'The response of your organisation’s sign-in was not valid. Try again, or contact whoever runs this server.',
  'no-role': 'Your account has no role in this console. Ask an admin for one.',
  'no-name':
    'Your account has no verified name or address to show in the audit trail. Contact whoever manages your account.',
}

/** Why the server returned without a session. Removed from the address, so that a reload does not show it again. */
export function readSignInRefusal(): Refusal | null {
  const reason = new URLSearchParams(location.search).get('refused')
  if (reason === null) return null
  history.replaceState(null, '', location.pathname + location.hash)
  return new Refusal(401, 'Not signed in', REFUSAL_TEXTS[reason] ?? 'Try again.')
}
