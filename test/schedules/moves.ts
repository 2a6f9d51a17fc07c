// What a sweep may do by itself at any moment, whatever it was answered.

import type { Input } from './checker.ts'
import { type Customer, DAY_MS, depositOf, type Outflow } from './model/customer.ts'
import { bookEarly, isUnbooked, leaseIsOver, voided } from './model/deposits.ts'
import { endDispute } from './model/disputes.ts'
import { tryAgain } from './model/notifications.ts'
import { beginRefund } from './model/refunds.ts'
import { begin } from './model/withdrawals.ts'
import type { Player } from './played.ts'

export function dueMoves(player: Player, now: number): Input[] {
  const { model } = player
  const moves: Input[] = []
  const add = (what: string, apply: (model: Customer) => void) => {
    moves.push({ what, player, apply: (copy) => void apply(copy) })
  }
  for (const { id, kind, withdrawal, beganAt } of model.outflows) {
    if (beganAt !== null || kind === 'office' || kind === 'outside') continue
    add(`the call for ${id}`, (copy) => {
      const outflow = outflowOf(copy, id)
      if (withdrawal === null) beginRefund(copy, outflow)
      else begin(copy, outflow)
    })
  }
  for (const deposit of model.deposits) {
    const { id } = deposit
    if (leaseIsOver({ ...model, now }, deposit)) {
      add(`the end of the lease of deposit ${id}`, (copy) => voided(copy, depositIn(copy, id)))
    }
    if (isUnbooked(model, deposit)) {
      add(`the job book of deposit ${id}`, (copy) => bookEarly(copy, depositIn(copy, id)))
    }
  }
  for (const { key, isDue } of model.notifications) {
    if (isDue) add(`notification ${key}, again`, (copy) => tryAgain(copy, key))
  }
  for (const { id, open, newsAt } of model.disputes) {
    if (!open || newsAt > now - model.settings.disputeDays * DAY_MS) continue
    add(`the silence of dispute ${id}`, (copy) => {
      for (const dispute of copy.disputes) if (dispute.id === id) endDispute(copy, dispute)
    })
  }
  return moves
}

export function outflowOf({ outflows }: Customer, id: string): Outflow {
  const outflow = outflows.find((one) => one.id === id)
  if (outflow === undefined) throw new Error(`the model has no ${id}`)
  return outflow
}

export function depositIn(customer: Customer, id: string) {
  const deposit = depositOf(customer, id)
  if (deposit === undefined) throw new Error(`the model has no deposit ${id}`)
  return deposit
}
