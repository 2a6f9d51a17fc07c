import { faultCodes, PaddockError, PaddockFault } from '@paddock/client'
import { useId, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { useLoad } from '../../../web/load.ts'
import type { Payment, PaymentMethod } from '../answers.ts'
import { browserData, pendingChallenge, returnUrl, storeChallenge } from '../challenge.ts'
import { useLive } from '../live.tsx'
import { Form } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { LoadView, ProblemPanel, Skeletons } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { testCard } from '../test-cards.ts'
import { ChallengePanel } from './challenge-panel.tsx'
import { LimitPrompt } from './limit-prompt.tsx'
import styles from './wallet.module.css'

const AMOUNTS = ['5.00', '20.00', '50.00'] as const

export default function Wallet() {
  const { paddock, customer } = useSession()
  const methods = useLoad('methods', () => paddock.getPaymentMethods())
  return (
    <>
      <h1>Deposit</h1>
      <p className="lead">These are test cards: choose one to see what a bank can answer. No money moves.</p>
      <LimitPrompt />
      <LoadView loaded={methods} skeleton={<Skeletons shape="row" count={4} />}>
        {(cards) => <Deposits cards={cards} />}
      </LoadView>
      <OtherCards username={customer.username} />
    </>
  )
}

/** The deposit that waits for its bank is shown in place of the form: there can be no other meanwhile. */
function Deposits({ cards }: { cards: readonly PaymentMethod[] }) {
  const { customer } = useSession()
  const [challenge, setChallenge] = useState(pendingChallenge)
  if (challenge === null || challenge.username !== customer.username) return <DepositForm cards={cards} />
  const forget = () => {
    storeChallenge(null)
    setChallenge(null)
  }
  return <ChallengePanel challenge={challenge} onDone={forget} />
}

type Receipt = { payment: Payment; amount: string; card: PaymentMethod }

function DepositForm({ cards }: { cards: readonly PaymentMethod[] }) {
  const { paddock, customer } = useSession()
  const [id, setId] = useState(cards[0]?.id)
  const [amount, setAmount] = useState<string>(AMOUNTS[1])
  const [cv2, setCv2] = useState('123')
  const [receipt, setReceipt] = useState<Receipt>()
  const card = cards.find((one) => one.id === id)
  const { run, error, isBusy, forget } = useAction(async () => {
    setReceipt(undefined)
    if (card === undefined) return
    const terms = { transactionType: 'deposit', amount, id: card.id, cv2 } as const
    const deposit =
      testCard(card.id)?.asks !== undefined
        ? await paddock.makeDeposit({
            amount,
            id: card.id,
            cv2,
            returnUrl: returnUrl(),
            ...browserData(),
            idempotencyKey: unansweredKey,
          })
        : { ...(await paddock.makeTransaction({ ...terms, idempotencyKey: unansweredKey })), action: undefined }
    if (deposit.action === undefined) return setReceipt({ payment: deposit, amount, card })
    storeChallenge({ paymentId: deposit.paymentId, amount, username: customer.username })
    location.assign(deposit.action.url)
  })
  const unansweredKey = keyOfUnanswered(error)
  // While the bank is asked, card and amount stay as they were sent: an unanswered deposit is repeated with its key.
  const choose = (chosen: number) => {
    if (isBusy) return
    setId(chosen)
    setReceipt(undefined)
    forget()
  }
  const chooseAmount = (chosen: string) => {
    if (isBusy) return
    setAmount(chosen)
    forget()
  }
  return (
    <Form run={run} isChecked={false}>
      <CardChoice cards={cards} id={id} choose={choose} />
      <AmountAndCode {...{ amount, setAmount: chooseAmount, cv2, setCv2, card }} />
      <button type="submit" className="primary wide" aria-disabled={isBusy}>
        {isBusy ? 'Waiting for the bank …' : `Deposit £${amount}`}
      </button>
      {error !== undefined && <ProblemPanel error={error} />}
      {unansweredKey !== undefined && (
        <p className="hint">
          The deposit may have been made. Deposit again to find out: the card is charged only once.
        </p>
      )}
      {receipt !== undefined && <ReceiptPanel receipt={receipt} />}
    </Form>
  )
}

/** Of a deposit that may have been made: repeated with its key, it is made once. */
function keyOfUnanswered(error: unknown): string | undefined {
  if (!(error instanceof PaddockError)) return undefined
  const isDecided = error instanceof PaddockFault && error.status !== 503 && error.code !== faultCodes.stillProcessing
  return isDecided ? undefined : error.idempotencyKey
}

const isVisa = ({ card }: PaymentMethod) => card.scheme === 'VISA'

type CardChoiceProps = { cards: readonly PaymentMethod[]; id: number | undefined; choose(id: number): void }

function CardChoice({ cards, id, choose }: CardChoiceProps) {
  return (
    <fieldset className={styles.cards}>
      <legend>Card</legend>
      {cards.map((method) => (
        <label key={method.id} className={isVisa(method) ? styles.card : `${styles.card} ${styles.mastercard}`}>
          <input type="radio" name="card" checked={method.id === id} onChange={() => choose(method.id)} />
          <span className={styles.cardScheme}>{isVisa(method) ? 'Visa' : 'Mastercard'}</span>
          <span className={styles.cardNumber}>
            <span aria-hidden="true">•••• </span>
            <span className="hidden-text">ending in </span>
            {method.card.number.slice(-4)}
          </span>
          <span className={styles.cardExpiry}>{method.card.expiryDate}</span>
          <span className={styles.cardShows}>{testCard(method.id)?.shows ?? 'Your own card'}</span>
        </label>
      ))}
    </fieldset>
  )
}

type FieldsProps = {
  amount: string
  setAmount(amount: string): void
  cv2: string
  setCv2(cv2: string): void
  card: PaymentMethod | undefined
}

function AmountAndCode({ amount, setAmount, cv2, setCv2, card }: FieldsProps) {
  const id = useId()
  return (
    <div className={styles.depositFields}>
      <div className="field">
        <label htmlFor={`${id}-amount`}>Amount in pounds</label>
        <input
          id={`${id}-amount`}
          inputMode="decimal"
          value={amount}
          aria-describedby={`${id}-limits`}
          onChange={(event) => setAmount(event.target.value)}
        />
        {card !== undefined && (
          <p id={`${id}-limits`} className="hint">
            £{card.limits.minDeposit} to £{card.limits.maxDeposit}
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-cv2`}>Security code</label>
        <input
          id={`${id}-cv2`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={cv2}
          onChange={(event) => setCv2(event.target.value)}
        />
        <p className="hint">Any 3 or 4 digits</p>
      </div>
      <fieldset className={styles.amounts} aria-label="Amounts">
        {AMOUNTS.map((one) => (
          <button key={one} type="button" aria-pressed={one === amount} onClick={() => setAmount(one)}>
            £{Number(one)}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

const STATES: Readonly<Record<string, string>> = {
  'deposit.authorised': 'Authorised: the bank holds the amount.',
  'deposit.captured': 'Captured: the money is on its way.',
  'deposit.review': 'In manual review: the bank refused to pay what it had authorised.',
  'deposit.voided': 'Voided: nothing was taken.',
}

/** What happens after the answer comes by the event stream. */
function ReceiptPanel({ receipt: { payment, amount, card } }: { receipt: Receipt }) {
  const { deposits } = useLive()
  const event = deposits.find(({ paymentId }) => paymentId === payment.paymentId)
  const state = event && STATES[event.type]
  return (
    <section className={styles.receipt} role="status" aria-labelledby="receipt-title">
      <h2 id="receipt-title">
        {event?.type === 'deposit.review' || event?.type === 'deposit.voided' ? (
          `Deposit of £${amount}`
        ) : (
          <>
            <Icon name="check" />£{amount} deposited
          </>
        )}
      </h2>
      <dl>
        <div>
          <dt>Payment</dt>
          <dd>
            <code>{payment.paymentId}</code>
          </dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>{payment.paymentDateTime.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })}</dd>
        </div>
        <div>
          <dt>Card</dt>
          <dd>
            {card.card.scheme} ending in {card.card.number.slice(-4)}
          </dd>
        </div>
        {state !== undefined && (
          <div>
            <dt>Now</dt>
            <dd>{state}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}

const ELSEWHERE: readonly (readonly [string, string])[] = [
  ['alice', 'pays at once, or slowly'],
  ['bob', 'is refused in five ways'],
  ['carol', 'has a bank that forgets, fails or changes its mind'],
]

function OtherCards({ username }: { username: string }) {
  const { sandbox, switchTo } = useSession()
  return (
    <section className={styles.otherCards} aria-labelledby="other-cards-title">
      <h2 id="other-cards-title">Other test cards</h2>
      <ul>
        {sandbox.customers
          .filter((one) => one.username !== username)
          .map((one) => (
            <li key={one.username}>
              <button type="button" onClick={() => switchTo(one)}>
                {one.name.split(' ')[0]} {ELSEWHERE.find(([name]) => name === one.username)?.[1]}
              </button>
            </li>
          ))}
      </ul>
    </section>
  )
}
