// A page that plays the issuer of a card: it requests the customer's confirmation of a payment (3-D Secure), and sends the browser
// back. It has only links, because the addresses of applications are on other hosts, where a form may not be sent.

import { readFileSync } from 'node:fs'
import type { Database } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { openChallenge } from '../../wallets/deposits/challenge-store.ts'
import { sandboxResult } from '../../wallets/gateways/sandbox/challenges.ts'

export const issuerStyle = () => readFileSync(new URL('issuer.css', import.meta.url), 'utf8')

/** Shows that it is over when the deposit waits no longer. */
export async function issuerPage(database: Database, paymentId: string): Promise<{ status: number; body: string }> {
  const challenge = await database.one(openChallenge, { id: paymentId })
  if (challenge === undefined) {
    const text = '<h1>This request is over</h1><p>Go back to the shop to see what became of the payment.</p>'
    return { status: 404, body: page(text) }
  }
  const { return_url, amount, currency, card_number } = challenge
  const back = (decision: 'approve' | 'refuse') => {
    const url = new URL(return_url)
    url.searchParams.set('redirectResult', sandboxResult(paymentId, decision))
    return escaped(url.href)
  }
  const body = `<h1>Confirm your payment</h1>
<dl>
<dt>Amount</dt><dd>${formatMoney(BigInt(amount))} ${escaped(currency)}</dd>
<dt>To</dt><dd>${escaped(new URL(return_url).host)}</dd>
<dt>Card</dt><dd>•••• ${escaped(card_number.slice(-4))}</dd>
</dl>
<nav aria-label="Your answer">
<a class="approve" href="${back('approve')}">Approve</a>
<a href="${back('refuse')}">Refuse</a>
<a href="${escaped(return_url)}">Close without an answer</a>
</nav>`
  return { status: 200, body: page(body) }
}

function page(main: string): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox bank</title>
<link rel="stylesheet" href="../issuer.css">
</head>
<body>
<header>Sandbox bank</header>
<main>
${main}
</main>
<footer>This page plays the bank that issued the card. No money moves.</footer>
</body>
</html>
`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}
