// What an answer of the gateway means, once it is recorded.

import type { Input } from './checker.ts'
import type { Customer, Outflow } from './model/customer.ts'
import {
  answerOf,
  approved,
  cancelled,
  captured,
  captureFailed,
  challenged,
  declined,
  saysCaptured,
  toReview,
  voided,
} from './model/deposits.ts'
import { refused } from './model/notifications.ts'
import { cameBack, openOf, paid, statusOf } from './model/outflows.ts'
import { depositIn, outflowOf } from './moves.ts'
import type { Player } from './played.ts'

type Named = { readonly player: Player; readonly name: string }

/** Of authorise and finishChallenge. What the customer is answered then. */
export function decisionInput({ player, name }: Named, outcome: string): Input {
  return {
    what: `the bank's ${outcome} of deposit ${name}`,
    player,
    apply(model) {
      const deposit = depositIn(model, name)
      if (outcome === 'approved') approved(model, deposit)
      else if (outcome === 'refused') declined(deposit, '24005')
      else if (outcome === 'challenge') challenged(model, deposit)
      else voided(model, deposit)
      return answerOf(deposit)
    },
  }
}

export function captureInput({ player, name }: Named, outcome: string): Input {
  const apply = (model: Customer) => {
    const deposit = depositIn(model, name)
    const isLate = model.now >= deposit.jobAt + model.settings.reviewAfterMs
    if (deposit.state !== 'AUTHORISED') return
    if (outcome === 'captured') captured(model, deposit)
    else if (outcome === 'refused') captureFailed(model, deposit)
    else if (isLate) toReview(model, deposit, 'capture-unresolved')
  }
  const isCapture = outcome === 'captured'
  return {
    what: `capture ${outcome} of deposit ${name}`,
    player,
    apply: silent(apply),
    isCapture,
    mayBeIgnored: outcome === 'unknown',
  }
}

/** The cancel of a late approval is another one: what is said of the first does not end it. */
export function cancelInput({ player, name }: Named, outcome: string): Input {
  const apply = (model: Customer) => {
    const deposit = depositIn(model, name)
    const isFailed = ['VOIDING', 'VOIDED', 'DECLINED'].includes(deposit.state)
    const isLate = model.now >= deposit.jobAt + model.settings.reviewAfterMs
    if (outcome === 'captured' && (isFailed || deposit.state === 'REVIEW')) saysCaptured(model, deposit)
    else if (outcome === 'unknown' && isLate && isFailed) toReview(model, deposit, 'cancel-unresolved')
    else if (outcome === 'cancelled' || outcome === 'notFound') cancelled(deposit)
  }
  return {
    what: `cancel ${outcome} of deposit ${name}`,
    player,
    apply: silent(apply),
    mayBeIgnored: outcome !== 'captured',
  }
}

export type Answer = {
  readonly outcome: string
  readonly refusal: string | null
  readonly gatewayReference: string | null
}

/** Of refund, payout and lookUpPayout. */
export function sendInput({ player, name }: Named, { outcome, refusal, gatewayReference }: Answer): Input {
  const apply = (model: Customer) => {
    const outflow = outflowOf(model, name)
    // A notification or a person was faster: that it was paid may contradict what came back.
    if (!isAwaited(outflow)) {
      const isPaid = outcome === 'done' || outcome === 'paid'
      // What is in review and open is for persons.
      if (isPaid && openOf(outflow) < outflow.amount) paid(model, outflow, outflow.amount)
      return
    }
    outflow.theirs = gatewayReference ?? outflow.theirs
    if (outcome === 'done' || outcome === 'paid') paid(model, outflow, openOf(outflow))
    else if (outcome === 'refused') {
      cameBack(model, outflow, openOf(outflow))
      refused(model, outflow, refusal ?? '')
    } else {
      if (outcome === 'received') outflow.isCalling = false
      const isLate = outflow.beganAt !== null && model.now >= outflow.beganAt + model.settings.reviewAfterMs
      const isRefundSent = outflow.kind === 'refund' && outcome === 'received'
      if (isLate && !isRefundSent && outcome !== 'unfunded' && outflow.review === null) {
        outflow.isCalling = false
        outflow.review = 'unresolved'
      }
    }
  }
  const isCertain = ['done', 'paid', 'refused', 'received'].includes(outcome)
  return {
    what: `the gateway's ${outcome} ${refusal ?? ''} of ${name}`,
    player,
    apply: silent(apply),
    mayBeIgnored: !isCertain,
  }
}

function isAwaited(outflow: Outflow): boolean {
  const status = statusOf(outflow)
  return status === 'sending' || outflow.review === 'unresolved'
}

const silent = (apply: (model: Customer) => void) => (model: Customer) => {
  apply(model)
  return undefined
}
