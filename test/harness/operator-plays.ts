// The plays of operators (writing-plays.ts).

import { expect } from 'vitest'
import { reweighFlagsOfReporters } from '../../src/flags/weights.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { newMatch, type TestOutcome } from './sportsbook.ts'
import { addCard } from './wallets.ts'
import { operate, operateAll, PASSWORD, type Play, restoreSession, send, tip } from './writing-world.ts'

const RESULTS = [
  ['win', 'lose'],
  ['lose', 'win'],
] as const

let movements = 0

export const operatorPlays: Record<string, Play> = {
  settlements: {
    operations: ['settleMarket'],
    async run(side) {
      const [one, other] = side.world.outcomes as [TestOutcome, TestOutcome]
      for (const [first, second] of RESULTS) {
        const results = { [one.id]: first, [other.id]: second }
        await operate(side, 'POST', `/markets/${one.marketId}/settlement`, { results })
      }
      // Tips need an outcome that is open.
      side.world.outcomes = await newMatch(side.service)
      await tip(side)
    },
  },
  sportsbook: {
    operations: ['putSport', 'putEvent', 'changeEvent', 'changeMarket', 'changeOutcome', 'putBet', 'importFeed'],
    async run(side) {
      const [one, other] = side.world.outcomes as [TestOutcome, TestOutcome]
      const { eventId, marketId, sportId } = one
      const sport = { name: 'Sport', communities: true }
      const event = { sportId: `${sportId}`, name: 'Event', startTime: '2030-01-01T15:00:00Z', markets: [] }
      const bet = { customerId: `${side.me.id}`, outcomeIds: [`${other.id}`, `${one.id}`] }
      await operate(side, 'PUT', `/sports/${sportId}`, sport)
      await operate(side, 'PUT', `/events/${eventId}`, event)
      await operate(side, 'PATCH', `/events/${eventId}`, { startTime: `2030-01-01T15:${10 + (side.me.id % 40)}:00Z` })
      await operate(side, 'PATCH', `/markets/${marketId}`, { name: 'Result' })
      await operate(side, 'PATCH', `/outcomes/${other.id}`, { price: { num: 7, den: 4 } })
      await operate(side, 'PUT', `/bets/${side.me.id}`, bet)
      const outcome = { marketId: `${marketId}`, name: 'Home', price: { num: 2, den: 1 } }
      const lines = [
        { put: 'bet', id: `${side.me.id}`, data: bet },
        { put: 'outcome', id: `${other.id}`, data: outcome },
        { put: 'outcome', id: `${one.id}`, data: outcome },
        { put: 'event', id: `${eventId}`, data: event },
        ...[side.you, side.me].map(({ id }) => ({
          put: 'movement',
          id: `play-${++movements}`,
          data: { customerId: `${id}`, kind: 'winnings', amount: '1.00' },
        })),
        { put: 'customer', id: `${side.you.id}`, data: { verified: true } },
        { put: 'sport', id: `${sportId}`, data: sport },
      ]
      await operate(side, 'POST', '/feed', Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
    },
  },
  movements: {
    operations: ['makeMovement'],
    async run(side) {
      for (const { id } of [side.me, side.you]) {
        const movement = { customerId: `${id}`, kind: 'winnings', amount: '1.00' }
        await operate(side, 'POST', '/movements', { ...movement, reference: `play-${++movements}` })
      }
    },
  },
  profileDecisions: {
    operations: ['moderateProfile'],
    async run(side) {
      const actions = ['deactivate', 'reactivate', 'reset-name', 'reset-biography', 'reset-picture', 'keep']
      const bodies = actions.map((action) => ({ action }))
      await operateAll(side, 'POST', `/moderation/profiles/${side.me.profileId}`, bodies)
    },
  },
  commentDecisions: {
    operations: ['moderateComment'],
    async run(side) {
      const actions = ['remove', 'restore', 'feature', 'unfeature', 'keep']
      const bodies = actions.map((action) => ({ action }))
      await operateAll(side, 'POST', `/moderation/comments/${side.me.tip}`, bodies)
    },
  },
  labels: {
    operations: ['labelProfile', 'labelComment', 'assignProfile', 'assignComment', 'premoderateProfile'],
    async run(side) {
      const { name } = (await operate(side, 'GET', '/me')).body
      for (const subject of [`comments/${side.me.tip}`, `profiles/${side.me.profileId}`]) {
        for (const labels of [['watch', 'spam'], ['spam', 'watch'], []])
          await operate(side, 'PUT', `/moderation/${subject}/labels`, { labels })
        for (const assignee of [`person:${name}`, null])
          await operate(side, 'PUT', `/moderation/${subject}/assignment`, { assignee })
      }
      for (const on of [true, false])
        await operate(side, 'PUT', `/moderation/profiles/${side.me.profileId}/premoderation`, { on, reason: 'Played' })
    },
  },
  appeals: {
    operations: ['appealDecision', 'decideAppeal'],
    async run(side) {
      for (const subject of [`comments/${side.me.tip}`, `profiles/${side.me.profileId}`]) {
        const action = subject.startsWith('comments') ? 'remove' : 'deactivate'
        const { body } = await operate(side, 'POST', `/moderation/${subject}`, { action })
        const decisionId = body.decisions?.at(-1)?.id
        await send(side, 'POST', `/v1/moderation/me/${decisionId}/appeal?text=Read+it+again`)
        const open = await operate(side, 'GET', '/moderation/queue?kind=appeal')
        const appeal = open.body.items?.find((one: { decision?: { id: string } }) => one.decision?.id === decisionId)
        if (!side.world.refusals) expect([decisionId, appeal]).toEqual([expect.any(String), expect.anything()])
        const decision = { outcome: 'overturned', reply: 'It was an error.', note: '' }
        if (appeal !== undefined) await operate(side, 'POST', `/moderation/appeals/${appeal.id}`, decision)
        // If somebody else has changed the subject, the appeal has not put it back.
        if (side.world.refusals)
          await operate(side, 'POST', `/moderation/${subject}`, {
            action: action === 'remove' ? 'restore' : 'reactivate',
          })
      }
    },
  },
  reporters: {
    operations: ['markReporter'],
    async run(side) {
      const marks = [{ muted: true }, { muted: false, trusted: true }, { trusted: false }]
      await operateAll(side, 'PUT', `/reporters/${side.me.profileId}`, marks)
      await reweighFlagsOfReporters(side.service.context.database)
    },
  },
  customers: {
    operations: ['putCustomer', 'setCustomerStatus', 'reinstateCustomer', 'recordReturn'],
    async run(side) {
      const path = `/customers/${side.me.id}`
      await operate(side, 'PUT', path, { verified: true })
      await operate(side, 'PUT', `${path}/status`, { status: 'suspended', reason: 'two accounts' })
      await operate(side, 'PUT', `${path}/status`, { status: 'closed', reason: 'two accounts' })
      await operate(side, 'POST', `${path}/reinstatement`, { reason: 'one account' })
      const { id } = await side.service.customer()
      await excludeCustomer({ ...side.service.context, now: () => 0 }, id, 'self-exclusion', () => 1)
      await operate(side, 'POST', `/customers/${id}/return`, { reason: 'asked by phone' })
      await restoreSession(side)
    },
  },
  sessions: {
    operations: ['createTicket', 'endTicket', 'issueTicket', 'endSession', 'endSessions'],
    async run(side) {
      const path = `/customers/${side.me.id}`
      const logIn = `/v1/sessions/tickets?username=player-${side.me.id}&password=${encodeURIComponent(PASSWORD)}`
      const opened = await send(side, 'POST', logIn)
      if (opened.status === 201) await send(side, 'DELETE', `/v1/sessions/tickets/${opened.json().whoSessions?.ticket}`)
      await operate(side, 'POST', `${path}/tickets`, { ttlSeconds: 60 })
      const { body } = await operate(side, 'GET', `${path}/sessions`)
      if (body.items?.length > 0) await operate(side, 'DELETE', `${path}/sessions/${body.items[0].id}`)
      await operate(side, 'DELETE', `${path}/sessions`)
      await restoreSession(side)
    },
  },
  cards: {
    operations: ['putPaymentMethod', 'removePaymentMethod', 'closePaymentMethod', 'reopenPaymentMethod'],
    async run(side) {
      const path = `/customers/${side.me.id}/payment-methods/${side.me.card}`
      await operate(side, 'POST', `${path}/closure`, { reason: 'reported stolen' })
      await operate(side, 'DELETE', `${path}/closure`)
      await operate(side, 'DELETE', path)
      await addCard(side.service, side.me, { id: side.me.card }).catch(() => {})
    },
  },
  erasure: {
    operations: ['erasePersonalData'],
    async run(side) {
      // The players have money, which nobody vanishes with.
      const other = { ...side, me: { ...side.me, ...(await side.service.member()) } }
      await tip(other)
      await send(other, 'POST', `/v1/profiles/me/followings/${side.you.profileId}`)
      await operate(side, 'DELETE', `/customers/${other.me.id}/personal-data`)
    },
  },
}
