// Signing in with the organisation's account (OpenID Connect). The server does it all with redirects and a cookie that
// no script can read; this page only leaves for the provider and learns, when it is back, what became of it.

import { pendingCallsSettled, Refusal } from './api.ts'

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

/** Back on the page that was asked for before leaving. */
export function returnToPage(): void {
  const hash = sessionStorage.getItem(RETURN_TO)
  sessionStorage.removeItem(RETURN_TO)
  if (hash) location.replace(hash)
}

/** Decisions that are being sent need the session. */
export async function endSession(): Promise<void> {
  await pendingCallsSettled()
  await fetch(PATH, { method: 'DELETE', headers: { 'x-requested-by': 'console' }, keepalive: true }).catch(() => {})
}

const REFUSAL_TEXTS: Record<string, string> = {
  unavailable: 'Your organisation’s sign-in cannot be reached. Try again later, or use an operator token.',
  denied: 'You were not signed in there. Try again.',
  expired: 'It took too long, or was begun in another window. Try again.',
  'not-valid': 'The answer of your organisation’s sign-in was not valid. Try again, then ask who runs this server.',
  'no-role': 'Your account has no role in this console. Ask an admin for one.',
  'no-name': 'Your account has no verified name or address to show in the audit trail. Ask who manages your account.',
}

/** Why the server sent the browser back without a session; removed from the address, so that a reload forgets it. */
export function readSignInRefusal(): Refusal | null {
  const reason = new URLSearchParams(location.search).get('refused')
  if (reason === null) return null
  history.replaceState(null, '', location.pathname + location.hash)
  return new Refusal(401, 'Not signed in', REFUSAL_TEXTS[reason] ?? 'Try again.')
}
