// What the page runs first: a small script, which begins the first requests and then loads the application.

import { begin } from './early.ts'
import { imported } from './imported.ts'
import type { Sandbox } from './sandbox.ts'
import { STORED_CUSTOMER, STORED_THEME, storedTicket } from './stored.ts'

/** As the feed requests it (screens/feed.tsx). */
const FEED = '/v1/communities/comments/profiles/me/followings?status=A&sortOrder=R&details=Y&blockSize=20&blockNum=1'
const JSON_ACCEPTED = { accept: 'application/json' }

async function beginFirstRequests(): Promise<void> {
  const answered = begin('/sandbox', JSON_ACCEPTED)
  const username = sessionStorage.getItem(STORED_CUSTOMER)
  // Another screen has other requests. A query is what a bank sends the browser back with.
  if (username === null || !/^(#\/?)?$/.test(location.hash) || location.search !== '') return
  const { response } = await answered
  const { apiKey, secret, customers }: Sandbox = await response.clone().json()
  const customer = customers.find((one) => one.username === username)
  if (customer === undefined) return
  const ticket = storedTicket(username) ?? customer.ticket
  begin(FEED, { ...JSON_ACCEPTED, 'who-apiKey': apiKey, 'who-secret': secret, 'who-ticket': ticket })
}

// Before anything is shown: the page must not change its colours then.
const theme = localStorage.getItem(STORED_THEME)
if (theme !== null) document.documentElement.dataset.theme = theme
// The application requests again what has failed here, and shows it.
beginFirstRequests().catch(() => undefined)
imported(() => import('./main.tsx')).catch(() => {
  const place = document.getElementById('app') as HTMLElement
  place.textContent = 'The application could not be loaded. Check your connection, and load this page again.'
})
