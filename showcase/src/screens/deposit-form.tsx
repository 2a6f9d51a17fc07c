import { faultCodes, type Paddock, PaddockError, PaddockFault } from '@paddock/client'
import { useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { penceOf, poundsOf, useAmount } from '../amounts.ts'
import type { Deposit, ListedDeposit, PaymentMethod } from '../answers.ts'
import { browserData, returnUrl } from '../challenge.ts'
import { Form } from '../parts/form.tsx'
import { ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { testCard } from '../test-cards.ts'
import { AMOUNTS, AmountAndCode, CardChoice } from './deposit-fields.tsx'
import { type Receipt, ReceiptPanel } from './receipt.tsx'

type Props = {
  cards: readonly PaymentMethod[]
  deposits: readonly ListedDeposit[] | undefined
  /** Loads them again. */
  reload(): void
}

export function DepositForm({ cards, deposits, reload }: Props) {
  const { paddock } = useSession()
  const [id, setId] = useState(cards[0]?.id)
  const [cv2, setCv2] = useState('123')
  const [receipt, setReceipt] = useState<Receipt>()
  const card = cards.find((one) => one.id === id)
  const amount = useAmount(AMOUNTS[1], { min: card?.limits.minDeposit ?? '0.01', max: card?.limits.maxDeposit })
  const sum = poundsOf(penceOf(amount.text) ?? 0)
  const { run, error, isBusy, forget } = useAction(async () => {
    setReceipt(undefined)
    if (card === undefined) return
    try {
      const made = await send(paddock, { amount: sum, id: card.id, cv2, idempotencyKey: unansweredKey })
      if (made.action === undefined) setReceipt({ payment: made, amount: sum, card })
      else location.assign(made.action.url)
    } finally {
      reload()
    }
  })
  const unansweredKey = keyOfUnanswered(error)
  // While the bank decides, card and amount stay as they were sent: an unanswered deposit is repeated with its key.
  const choose = (chosen: number) => {
    if (isBusy) return
    setId(chosen)
    setReceipt(undefined)
    forget()
  }
  const chooseAmount = (chosen: string) => {
    if (isBusy) return
    amount.set(chosen)
    forget()
  }
  return (
    <Form run={() => amount.check() && run()} isChecked={false}>
      <CardChoice cards={cards} id={id} choose={choose} />
      <AmountAndCode {...{ amount, setAmount: chooseAmount, cv2, setCv2, card }} />
      <button type="submit" className="primary wide" aria-disabled={isBusy}>
        {isBusy ? 'Waiting for the bank …' : amount.isValid ? `Deposit £${sum}` : 'Deposit'}
      </button>
      {error !== undefined && <ProblemPanel error={error} />}
      {unansweredKey !== undefined && (
        <p className="hint">
          The deposit may have been made. Deposit again to find out: the card is charged only once.
        </p>
      )}
      {receipt !== undefined && (
        <ReceiptPanel
          receipt={receipt}
          deposit={deposits?.find(({ paymentId }) => paymentId === receipt.payment.paymentId)}
        />
      )}
    </Form>
  )
}

type Terms = { amount: string; id: number; cv2: string; idempotencyKey: string | undefined }

/** A card whose bank may challenge the customer has an operation of its own. */
async function send(paddock: Paddock, terms: Terms): Promise<Deposit> {
  if (testCard(terms.id)?.challenges !== undefined) {
    return paddock.makeDeposit({ ...terms, returnUrl: returnUrl(), ...browserData() })
  }
  return { ...(await paddock.makeTransaction({ transactionType: 'deposit', ...terms })), status: 'authorised' }
}

/** The key of a deposit that may have been made: repeated with it, the deposit is made once. */
export function keyOfUnanswered(error: unknown): string | undefined {
  if (!(error instanceof PaddockError)) return undefined
  const isDecided = error instanceof PaddockFault && error.status !== 503 && error.code !== faultCodes.stillProcessing
  return isDecided ? undefined : error.idempotencyKey
}
