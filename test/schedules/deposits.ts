// Deposits of a customer: how they are made and finished.

import { finishChallenge, makeChallengedDeposit } from '../../src/wallets/deposits/challenge.ts'
import { makeDeposit, paymentResult } from '../../src/wallets/deposits/deposit.ts'
import { type Cv2, parseCv2 } from '../../src/wallets/gateways/cv2.ts'
import { inWords } from './ask.ts'
import type { Input, Run } from './checker.ts'
import { answerOf, askDeposit } from './model/deposits.ts'
import { depositIn } from './moves.ts'
import { type Played, type Player, referenceOf } from './played.ts'
import type { Process } from './process.ts'
import { API_KEY, type CardName, cardId, RETURN_ADDRESS } from './world.ts'

export type DepositPlan = {
  readonly card: CardName
  readonly key: string
  readonly amount: number
  readonly isChallenged: boolean
  /** What the customer's browser brings back from the issuer; null: it does not come back. */
  readonly finish: 'approve' | 'refuse' | null
}

const CV2 = parseCv2('123') as Cv2
const BROWSER = {
  userAgent: 'x',
  acceptHeader: '*/*',
  language: 'en',
  colorDepth: 24,
  screenWidth: 1,
  screenHeight: 1,
  timeZoneOffset: 0,
  javaEnabled: false,
  ip: null,
}

export async function playDeposit(
  process: () => Process,
  played: Played,
  player: Player,
  plan: DepositPlan,
): Promise<void> {
  const { card, key, amount, isChallenged, finish } = plan
  const terms = { customerId: player.id, apiKey: API_KEY, idempotencyKey: key, amount: BigInt(amount) }
  const order = { ...terms, methodId: cardId(player.id, card) }
  let isRefused = false
  const begins: Input = {
    what: `deposit ${key} of ${amount} with card ${card}`,
    player,
    apply(model) {
      const answer = askDeposit(model, { id: key, card, amount, isChallenged })
      isRefused = answer !== null
      return answer ?? ''
    },
  }
  const challenge = { returnUrl: new URL(RETURN_ADDRESS), browser: BROWSER, serviceUrl: 'https://paddock.example' }
  await compare(begins.what, (note) =>
    process().run(begins, async (context, run) => {
      const answer = await inWords(
        (async () => {
          if (isChallenged) return (await makeChallengedDeposit(context, { ...order, challenge }, CV2)).result.status
          paymentResult((await makeDeposit(context, order, CV2)).deposit)
          return 'authorised'
        })(),
      )
      note(run)
      return answer
    }),
  )
  const isWaiting = player.model.deposits.some(({ id, state }) => id === key && state === 'CHALLENGE')
  if (isRefused || !isWaiting || finish === null || played.found.length > 0) return
  const payment = { customerId: player.id, paymentId: referenceOf(player, key) }
  await compare(`the end of the challenge of deposit ${key}`, (note) =>
    process().run(null, async (context, run) => {
      run.read = () => answerOf(depositIn(player.model, key)).replace('challenge', '24011')
      const answer = await inWords(finishChallenge(context, payment, finish).then(({ status }) => status))
      note(run)
      return answer
    }),
  )

  async function compare(what: string, work: (note: (run: Run) => void) => Promise<string>): Promise<void> {
    let predicted: string | null = null
    const answer = await work((run) => {
      predicted = run.predicted
    })
    played.history.push(`customer ${player.id}: ${what}: ${answer}`)
    if (answer === 'none' || played.found.length > 0) return
    const said = answer === 'authorised' ? 'paid' : answer
    if (said !== predicted) {
      played.found.push(`${what} of customer ${player.id} was answered ${answer}, the model says ${predicted}`)
    }
  }
}
