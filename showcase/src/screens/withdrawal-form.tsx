import { useId, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { madeOf, withdrawalWords } from '../../../web/words/own-withdrawals.ts'
import { penceOf, poundsOf, useAmount } from '../amounts.ts'
import type { PaymentMethod, WithdrawalOption, WithdrawalOptions } from '../answers.ts'
import { AmountField } from '../parts/amount-field.tsx'
import { Form } from '../parts/form.tsx'
import { useSession } from '../session.tsx'
import { testCardName } from '../test-cards.ts'
import { useToast } from '../toasts.tsx'
import { cardText } from '../words.ts'
import { keyOfUnanswered } from './deposit-form.tsx'
import styles from './wallet.module.css'
import { WithdrawalConfirm } from './withdrawal-confirm.tsx'

type Props = { given: WithdrawalOptions; balance: string; cards: readonly PaymentMethod[]; onMade(): void }

const canTake = ({ max }: WithdrawalOption) => Number(max) > 0

/** What can go out, what cannot and why, and the form. */
export function WithdrawSection({ given, balance, cards, onMade }: Props) {
  const id = useId()
  const { available, keptBack, options } = given
  const takesAny = options.some(canTake)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>Withdraw</h2>
      {takesAny && (
        <p>
          You can withdraw <strong>£{available}</strong>. What a card paid in goes back to it first.
        </p>
      )}
      {keptBack.length > 0 && (
        <ul className={styles.parts} aria-label="Kept back">
          {keptBack.map(({ amount, reason }) => (
            <li key={reason}>
              £{amount} stays for now. {reason}
            </li>
          ))}
        </ul>
      )}
      {takesAny ? (
        <WithdrawalForm options={options} balance={balance} cards={cards} onMade={onMade} />
      ) : (
        <NothingToWithdraw given={given} cards={cards} />
      )}
    </section>
  )
}

/** Where there is money that no card can take, each card shows why. */
function NothingToWithdraw({ given: { available, options }, cards }: Pick<Props, 'given' | 'cards'>) {
  if (Number(available) === 0) return <p>There is nothing to withdraw now.</p>
  const reasons = options.filter(({ reason }) => reason !== undefined)
  return (
    <>
      <p>None of your cards can take the £{available} that you have. Ask customer service.</p>
      <ul className={styles.parts} aria-label="Your cards">
        {reasons.map((one) => (
          <li key={one.id}>
            {cardName(cards, one)}: {one.reason}
          </li>
        ))}
      </ul>
    </>
  )
}

/**
 * What distinguishes it from the others, first what a narrow field would cut off. Also of a card that was removed or closed: what it
 * paid in still goes back to it.
 */
function cardName(cards: readonly PaymentMethod[], { id, number }: WithdrawalOption): string {
  const found = cards.find((one) => one.id === id)
  if (found === undefined) return `Card ending in ${number.slice(-4)}`
  const card = `${cardText(cards, id)}, expires ${found.card.expiryDate}`
  const name = testCardName(id)
  return name === undefined ? card : `${name} · ${card}`
}

type FormProps = Omit<Props, 'given'> & { options: readonly WithdrawalOption[] }

function WithdrawalForm({ options, balance, cards, onMade }: FormProps) {
  const { paddock } = useSession()
  const toast = useToast()
  const id = useId()
  const [chosen, setChosen] = useState<number>()
  const [isConfirming, setConfirming] = useState(false)
  const option = options.find((one) => one.id === chosen) ?? (options.find(canTake) as WithdrawalOption)
  const amount = useAmount('', { min: '0.01', max: option.max })
  const sum = poundsOf(penceOf(amount.text) ?? 0)
  const { run, error, isBusy, forget } = useAction(async () => {
    // Its own key again where the answer was lost, so that it is made once.
    const made = await paddock.makeWithdrawal({ amount: sum, id: option.id, idempotencyKey: unansweredKey })
    toast({ icon: 'check', text: `Withdrawal of £${sum}: ${withdrawalWords(made).title.toLowerCase()}` })
    setConfirming(false)
    amount.clear()
    onMade()
  })
  const unansweredKey = keyOfUnanswered(error)
  const change = (set: () => void) => {
    if (isBusy) return
    set()
    forget()
  }
  return (
    <Form run={() => amount.check() && setConfirming(true)} isChecked={false}>
      <div className="field">
        <label htmlFor={`${id}-card`}>To</label>
        <select
          id={`${id}-card`}
          value={option.id}
          aria-describedby={`${id}-most`}
          onChange={(event) => change(() => setChosen(Number(event.target.value)))}
        >
          {options.map((one) => (
            <option key={one.id} value={one.id}>
              {cardName(cards, one)}
            </option>
          ))}
        </select>
        <Most id={`${id}-most`} option={option} />
      </div>
      <AmountField
        label="Amount to withdraw, in pounds"
        amount={amount}
        change={(text) => change(() => amount.set(text))}
      />
      <button type="submit" className="primary wide">
        {amount.isValid ? `Withdraw £${sum}` : 'Withdraw'}
      </button>
      {isConfirming && (
        <WithdrawalConfirm
          {...{ card: cardName(cards, option), amount: sum, balance, isBusy, error, withdraw: run }}
          close={() => setConfirming(false)}
        />
      )}
    </Form>
  )
}

/** The most that may go to a card, what it is made of, and why it is not more. */
function Most({ id, option }: { id: string; option: WithdrawalOption }) {
  const parts = madeOf(option)
  return (
    <p className="hint" id={id}>
      <strong>{canTake(option) ? `Up to £${option.max}` : 'Nothing can go to this card now'}</strong>
      {canTake(option) && parts !== undefined && <>: {parts}</>}
      {option.reason !== undefined && (
        <>
          {parts === undefined && '.'} {option.reason}
        </>
      )}
    </p>
  )
}
