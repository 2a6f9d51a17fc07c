// The port to the bank of the schedules (bank.ts). What was answered to a living process is for the checker to be recorded.

import type {
  Capture,
  Decision,
  Gateway,
  PayoutLookup,
  PayoutResult,
  RefundResult,
} from '../../src/wallets/gateways/gateway.ts'
import { cancelInput, captureInput, decisionInput, sendInput } from './answers.ts'
import { REFUSALS, type Refusal, type SendFate } from './bank.ts'
import type { Input, Run } from './checker.ts'
import { nameOf, type Played } from './played.ts'

/** Carries a call out and answers it; `late`: the answer is lost. */
export type GatewayCall = <T>(name: string, work: () => T, late: T) => Promise<T>

type Lost = {
  readonly outcome: 'unknown'
  readonly reason: string
  readonly refusal: null
  readonly gatewayReference: null
}
const LOST: Lost = { outcome: 'unknown', reason: 'the answer was lost', refusal: null, gatewayReference: null }

export function gatewayOf(played: Played, run: Run, call: GatewayCall): Gateway {
  const { bank, fates } = played
  /** Of a schedule before, whose jobs may be left after a violation: nobody waits for it. */
  const record = (reference: string, inputOf: (named: Exclude<ReturnType<typeof nameOf>, undefined>) => Input) => {
    const named = nameOf(played, reference)
    if (named !== undefined) run.answers.add(inputOf(named))
  }
  const decide = (reference: string, outcome: string) => {
    const named = nameOf(played, reference)
    if (named !== undefined) run.expected = decisionInput(named, outcome)
  }
  const send = async (
    name: 'refund' | 'payout' | 'lookUpPayout',
    terms: { reference: string; payment: string | null; amount: number },
  ) => {
    const work = () => {
      const fate = name === 'lookUpPayout' ? bank.lookUp(terms.reference) : bank.send(terms, () => fates.nextSend(name))
      fates.sent(terms.reference)
      return toResult(terms.reference, fate)
    }
    const answer = await call<ReturnType<typeof toResult>>(name, work, LOST)
    const outcome = name !== 'refund' && answer.outcome === 'done' ? 'paid' : answer.outcome
    const result = { ...answer, outcome }
    record(terms.reference, (named) => sendInput(named, result))
    return result
  }
  return {
    name: 'sandbox',
    authorise: async ({ reference, amount, token, challenge }) => {
      const work = (): Decision => {
        if (token === 'sandbox:decline') return { outcome: 'refused', fault: 'authorisationFailed', reason: token }
        if (token === 'sandbox:challenge' && challenge !== undefined) {
          bank.challenge(reference, Number(amount))
          return { outcome: 'challenge', action: { url: 'https://issuer.example/', method: 'GET', data: [] } }
        }
        return holdFor(reference, Number(amount))
      }
      const decision = await call<Decision>('authorise', work, LOST)
      decide(reference, decision.outcome)
      return decision
    },
    finishChallenge: async ({ reference, amount }, result) => {
      const work = () => {
        if (!bank.isChallenged(reference)) return refusedDecision('the challenge is over')
        return result === 'approve' ? holdFor(reference, Number(amount)) : refusedDecision(result)
      }
      const decision = await call<Exclude<Decision, { outcome: 'challenge' }>>('finishChallenge', work, LOST)
      if (decision.outcome !== 'unknown') decide(reference, decision.outcome)
      return decision
    },
    capture: async ({ reference }) => {
      const work = () => {
        const outcome = bank.capture(reference, fates.nextCapture)
        fates.captured(reference)
        return { outcome: outcome === 'captured' || outcome === 'refused' ? outcome : 'unknown', reason: '' } as const
      }
      const answer = await call<Capture>('capture', work, LOST)
      record(reference, (named) => captureInput(named, answer.outcome))
      return answer
    },
    cancel: async ({ reference }) => {
      const work = () => {
        const outcome = bank.cancel(reference)
        fates.cancelled(reference, outcome)
        return { outcome, reason: '' }
      }
      const answer = await call<{ outcome: ReturnType<typeof bank.cancel> | 'unknown'; reason: string }>(
        'cancel',
        work,
        LOST,
      )
      record(reference, (named) => cancelInput(named, answer.outcome))
      return answer
    },
    refund: async (payment, { reference, amount }) =>
      (await send('refund', { reference, payment: payment.reference, amount: Number(amount) })) as RefundResult,
    get paysOut() {
      return played.settings.payouts
    },
    payout: async ({ reference, amount }) =>
      (await send('payout', { reference, payment: null, amount: Number(amount) })) as PayoutResult,
    lookUpPayout: async ({ reference, amount }) =>
      (await send('lookUpPayout', { reference, payment: null, amount: Number(amount) })) as PayoutLookup,
    lookUp: async () => ({ outcome: 'notFound' }),
    tryKeys: async () => [],
    backOfficeLink: () => null,
    readNotifications: () => null,
    close: async () => {},
  }

  function holdFor(reference: string, amount: number): Exclude<Decision, { outcome: 'challenge' }> {
    if (bank.hold(reference, amount) === 'not held') return refusedDecision('it was cancelled')
    fates.approved(reference)
    return { outcome: 'approved', gatewayReference: `bank ${reference}` }
  }
}

function refusedDecision(reason: string) {
  return { outcome: 'refused', fault: 'authorisationFailed', reason } as const
}

type Result = {
  readonly outcome: 'done' | 'received' | 'refused' | 'unknown' | 'unfunded'
  readonly reason: string
  readonly refusal: Refusal | null
  readonly gatewayReference: string | null
}

function toResult(reference: string, fate: SendFate): Result {
  const gatewayReference = `bank ${reference}`
  const isRefused = (REFUSALS as readonly string[]).includes(fate)
  if (isRefused) return { outcome: 'refused', reason: fate, refusal: fate as Refusal, gatewayReference }
  if (fate === 'silent') return LOST
  if (fate === 'unfunded') return { ...LOST, outcome: 'unfunded' }
  return { outcome: fate as 'done' | 'received', reason: fate, refusal: null, gatewayReference }
}
