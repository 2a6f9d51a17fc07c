// The addresses of the sandbox that play the sportsbook and the moderator, which a real application has elsewhere.

import { recordedFetch } from './recorder.ts'

export type Customer = {
  readonly username: string
  readonly ticket: string
  readonly profileId: number
  readonly name: string
  readonly picture: string
}
export type Sandbox = {
  readonly apiKey: string
  readonly secret: string
  readonly consoleUrl: string
  readonly customers: readonly Customer[]
}
export type Price = { readonly num: number; readonly den: number }
export type Bet = {
  readonly id: number
  readonly outcome: {
    readonly id: number
    readonly name: string
    readonly market: string
    readonly event: string
    readonly sport: string
    readonly startTime: string
    readonly status: string
    readonly price: Price | null
    readonly startingPrice: boolean
  }
  readonly tipped: boolean
}
/** What the customer has on the afternoon. */
export type OwnBet = {
  readonly id: number
  readonly selection: string
  readonly eventId: number
  readonly event: string
  readonly eachWay: boolean
  /** null: the balance could not pay it. */
  readonly stake: string | null
  readonly tipId: number | null
  readonly state: 'open' | 'won' | 'placed' | 'lost' | 'void'
  readonly returned: string | null
}
export type MatchDay = {
  readonly state: 'idle' | 'playing' | 'finished'
  readonly secondsLeft: number
  /** The outcomes of the racecard that is played, or of the next one. The stream reports their changes. */
  readonly outcomeIds: readonly number[]
  readonly events: readonly {
    readonly id: number
    readonly name: string
    readonly state: 'waiting' | 'running' | 'settled'
    readonly line: string
  }[]
  readonly bets?: readonly OwnBet[]
}

export class SandboxError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Call = { method?: string; ticket?: string; body?: unknown }

async function call<Answer>(path: string, { method = 'GET', ticket, body }: Call = {}) {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (ticket !== undefined) headers['who-ticket'] = ticket
  if (body !== undefined) headers['content-type'] = 'application/json'
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await recordedFetch(path, init)
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new SandboxError(response.status, answer.title ?? `The sandbox answered ${response.status}.`)
  return answer as Answer
}

export const readSandbox = () => call<Sandbox>('/sandbox')
export const readBets = async (ticket: string) => (await call<{ bets: Bet[] }>('/sandbox/bets', { ticket })).bets
export const playMatchDay = (ticket: string) => call<MatchDay>('/sandbox/match-day', { method: 'POST', ticket })
export const readMatchDay = (ticket: string) => call<MatchDay>('/sandbox/match-day', { ticket })

export const decide = (commentId: number, action: 'remove' | 'dismiss') =>
  call<{ decisionId: number }>('/sandbox/decisions', { method: 'POST', body: { commentId, action } })
