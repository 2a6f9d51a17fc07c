// What the bank of the sandbox was let report, and what became of it: every notification ends in exactly one outcome, and a
// contradiction is in the list of unapplied notifications until somebody settles it.

import type { Answer, Ask } from './calls.ts'
import type { Journal } from './journal.ts'

/** The body of POST /sandbox/disputes. */
export type News = {
  readonly event: string
  readonly paymentId?: string
  readonly partId?: string
  readonly refundId?: string
  readonly success?: boolean
  readonly amount?: string
  readonly currency?: string
  readonly gatewayReference?: string
}

type Outcome = {
  readonly about: string
  readonly news: News
  readonly outcome: string
  readonly contradiction: string | null
}

export type Notified = {
  readonly ask: Ask
  readonly journal: Journal
  readonly outcomes: Outcome[]
  readonly violations: string[]
}

const OUTCOMES = ['applied', 'already-applied', 'not-ours', 'contradiction', 'failed']

/** `about`: as violations name it. Repeated until it is answered, it is applied once. */
export async function notify(
  { ask, journal, outcomes, violations }: Notified,
  about: { readonly name: string; readonly customerId: string | number },
  news: News,
): Promise<Answer> {
  const answer = await ask('POST', '/sandbox/disputes', news)
  const { event, amount = '' } = news
  const said = answer.status === 200 ? (answer.body.contradiction ?? answer.body.outcome) : answer.body.detail
  journal.note(`notified ${event}`, about.customerId, `${about.name} ${event} ${amount}: ${answer.status} ${said}`)
  if (answer.status !== 200) violations.push(`${about.name}: ${event} was answered ${answer.status} ${said}`)
  else {
    const { outcome, contradiction } = answer.body
    outcomes.push({ about: about.name, news, outcome, contradiction })
    if (!OUTCOMES.includes(outcome)) violations.push(`${about.name}: ${event} ended as ${outcome}`)
  }
  return answer
}

/** As operators list it. */
export type Unapplied = { readonly id: string; readonly event: string; readonly contradiction: string | null }

/** These close by themselves, when later steps of their dispute agree. */
const CLOSE_THEMSELVES = ['reversed-beyond-charge', 'charged-beyond-deposit']

/**
 * `settled`: how many were settled, by the name of their contradiction. Each that was answered waits in the list, or was settled; nothing
 * waits because of an error of ours.
 */
export function notificationViolations(
  outcomes: readonly Outcome[],
  unapplied: readonly Unapplied[],
  settled: ReadonlyMap<string, number>,
): string[] {
  const found = unapplied
    .filter(({ contradiction }) => contradiction === null)
    .map(({ id, event }) => `notification ${id}: ${event} failed`)
  // Sent twice, it is answered twice and stored once. The bank's key of a notification has no currency.
  const keyOf = ({ about, news: { currency: _, ...news } }: Outcome) => `${about} ${JSON.stringify(news)}`
  const once = new Map(outcomes.map((one) => [keyOf(one), one]))
  const answered = countOf([...once.values()].map(({ contradiction }) => contradiction))
  const waiting = countOf(unapplied.map(({ contradiction }) => contradiction))
  for (const name of new Set([...answered.keys(), ...waiting.keys()])) {
    if (CLOSE_THEMSELVES.includes(name)) continue
    const listed = (waiting.get(name) ?? 0) + (settled.get(name) ?? 0)
    if (listed !== (answered.get(name) ?? 0)) {
      found.push(
        `notifications: ${answered.get(name) ?? 0} were answered as ${name}, ${listed} are listed or were settled`,
      )
    }
  }
  return found
}

function countOf(names: readonly (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
