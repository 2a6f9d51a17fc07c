// The guide to the TypeScript client. A test compiles all of its samples, and runs those that end.

import type { Operation } from '../http/operation.ts'
import { type Html, html, nothing } from './html.ts'
import { SAMPLE_CREDENTIALS, SAMPLE_ORIGIN } from './operation-section.ts'
import { sample } from './parts.ts'

const { key, secret, ticket } = SAMPLE_CREDENTIALS

const INSTALL = `npm pack --workspace @paddock/client         # in a clone of Paddock
npm install ../paddock/paddock-client-*.tgz  # in your project`

const SETUP = `import { Paddock } from '@paddock/client'

const paddock = new Paddock({
  baseUrl: '${SAMPLE_ORIGIN}',
  apiKey: '${key}',
  secret: '${secret}',
  ticket: '${ticket}',
})
const profile = await paddock.getProfile({ id: 3, communities: true })
console.log(profile.name, profile.numFollowers, profile.createdDateTimeZoned.getFullYear())`

const CUSTOMERS = `const { ticket } = await paddock.createTicket({ username: 'bob', password: 'sandbox' })
const bob = paddock.withTicket(ticket)
console.log((await bob.getMyProfile()).name)`

const FAULTS = `import { faultCodes, PaddockFault } from '@paddock/client'

try {
  await paddock.updateMyProfile({ biography: 'What a shit race' })
} catch (error) {
  if (!(error instanceof PaddockFault)) throw error
  if (error.code === faultCodes.inappropriate) console.log(error.solution) // What a **** race
  else console.log(error.code, error.message, error.status, error.requestId)
}`

const LISTS = `for await (const tip of paddock.feed()) console.log(tip.text)

for await (const follower of paddock.each.getFollowers({ id: 3 })) {
  console.log(follower.name)
}
const fans = await paddock.each.getFollowers({ id: 3 }).toArray({ limit: 50 })`

const STREAM = `for await (const event of paddock.events({ signal })) {
  if (event.type === 'like.created') console.log('liked by', event.data.byProfileId)
  if (event.type === 'reset') console.log('some events are lost: load everything anew')
}`

const WEBHOOKS = `import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@paddock/client'

createServer(async (request, response) => {
  const body = await buffer(request)
  try {
    const event = await verifyWebhook(body, request.headers, 'whsec_…')
    console.log(event.type, event.timestamp)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
}).listen(3000)`

const MONEY = `import { money } from '@paddock/client'

const [card] = await paddock.getPaymentMethods()
if (card !== undefined) {
  const amount = money.add(card.limits.minDeposit, '20.00')
  const payment = await paddock.makeTransaction({
    transactionType: 'deposit',
    amount,
    id: card.id,
    cv2: '123',
  })
  console.log(money.format(amount, 'GBP'), payment.paymentId)
}`

/** With the ids of the samples. */
export const CLIENT_SAMPLES: { readonly [id: string]: string } = {
  'client-setup': SETUP,
  'client-customers': CUSTOMERS,
  'client-faults': FAULTS,
  'client-lists': LISTS,
  'client-money': MONEY,
  'client-stream': STREAM,
  'client-webhooks': WEBHOOKS,
}

export function clientGuide(operations: readonly Operation[]): Html {
  const offers = (name: string) => operations.some((operation) => operation.name === name)
  return html`<section id="client" aria-labelledby="client-title">
<h2 id="client-title">TypeScript client</h2>
<p>The package <code>@paddock/client</code> has a method for each operation, for browsers and Node 20 or later, without
dependencies. Below, every operation shows a call of it beside curl.</p>
${sample('client-install', 'Install', INSTALL)}
${shown('client-setup', 'Set up, and call')}
<p>Numbers are numbers, times are dates, <code>Y</code> and <code>N</code> are booleans, lists are always arrays. What must stay
exact, money and odds, is text. A call is repeated after <code>429</code>, <code>503</code> and lost connections where that is
safe, with the same idempotency key for a deposit; every call takes options such as <code>signal</code>, <code>timeoutMs</code>,
<code>retries</code>, <code>ticket</code> and <code>headers</code>. With <code>.answer()</code> a call gives its status, its request id, and
whether a deposit was an earlier one. The README of the package has an example of everything.</p>
${offers('createTicket') ? html`<h3>Customers</h3>${shown('client-customers', 'Log in, and act for a customer')}` : nothing}
<h3>Faults</h3>
<p>A refusal is a <code>PaddockFault</code>, whichever HTTP status it came with. A lost connection, a time-out or an answer that
is none of Paddock’s is a <code>PaddockError</code>.</p>
${shown('client-faults', 'Catch a fault')}
<h3>Whole lists</h3>
<p>An iterator reads block after block, as far as you go.</p>
${shown('client-lists', 'Read the home feed, and all followers')}
<h3>Money</h3>
${shown('client-money', 'Add amounts, and deposit')}
${offers('openStream') ? streamGuide() : nothing}
<h3>Webhooks</h3>
<p>An operator registers the address that is called, and gives you its secret. Verify each delivery before you parse it.</p>
${shown('client-webhooks', 'Receive a webhook')}
</section>`
}

function streamGuide(): Html {
  return html`<h3>Live events</h3>
<p>The iterator reconnects, and goes on after the last event that it has read. It ends with the signal.</p>
${shown('client-stream', 'Follow what happens')}`
}

function shown(id: string, title: string): Html {
  return sample(id, title, CLIENT_SAMPLES[id] ?? '', 'typescript')
}
