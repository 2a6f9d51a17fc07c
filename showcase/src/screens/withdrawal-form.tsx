import { useId, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import type { PaymentMethod, WithdrawalOption, WithdrawalOptions } from '../answers.ts'
import { Form } from '../parts/form.tsx'
import { ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { testCard } from '../test-cards.ts'
import { madeOf } from '../withdrawal-words.ts'
import { cardText } from '../words.ts'
import { keyOfUnanswered } from './deposit-form.tsx'
import styles from './wallet.module.css'

type Props = { given: WithdrawalOptions; cards: readonly PaymentMethod[]; onMade(): void }

const canTake = ({ max }: WithdrawalOption) => Number(max) > 0

/** What can go out, what cannot and why, and the form. */
export function WithdrawSection({ given, cards, onMade }: Props) {
  const id = useId()
  const { available, keptBack, options } = given
  const takesAny = options.some(canTake)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>Withdraw</h2>
      {takesAny && (
        <p>
          You can withdraw <strong>£{available}</strong>. What a card paid in goes back to it first. You cannot take a
          withdrawal back.
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
        <WithdrawalForm options={options} cards={cards} onMade={onMade} />
      ) : (
        <NothingToWithdraw given={given} cards={cards} />
      )}
    </section>
  )
}

/** Where there is money that no card can take, each card says why. */
function NothingToWithdraw({ given: { available, options }, cards }: Omit<Props, 'onMade'>) {
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

/** Also of a card that was removed or closed: what it paid in still goes back to it. */
function cardName(cards: readonly PaymentMethod[], { id, number }: WithdrawalOption): string {
  return cards.some((one) => one.id === id) ? cardText(cards, id) : `Card ending in ${number.slice(-4)}`
}

type FormProps = { options: readonly WithdrawalOption[]; cards: readonly PaymentMethod[]; onMade(): void }

function WithdrawalForm({ options, cards, onMade }: FormProps) {
  const { paddock } = useSession()
  const id = useId()
  const [chosen, setChosen] = useState<number>()
  const [amount, setAmount] = useState('')
  const option = options.find((one) => one.id === chosen) ?? (options.find(canTake) as WithdrawalOption)
  const { run, error, isBusy, forget } = useAction(async () => {
    // Its own key again where the answer was lost, so that it is made once.
    await paddock.makeWithdrawal({ amount, id: option.id, idempotencyKey: unansweredKey })
    setAmount('')
    onMade()
  })
  const unansweredKey = keyOfUnanswered(error)
  const change = (set: () => void) => {
    if (isBusy) return
    set()
    forget()
  }
  return (
    <Form run={run} isChecked={false}>
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
              {testCard(one.id)?.takes === 'withdrawals' && ` (${testCard(one.id)?.shows})`}
            </option>
          ))}
        </select>
        <Most id={`${id}-most`} option={option} />
      </div>
      <div className="field">
        <label htmlFor={`${id}-amount`}>Amount to withdraw, in pounds</label>
        <input
          id={`${id}-amount`}
          inputMode="decimal"
          value={amount}
          onChange={(event) => change(() => setAmount(event.target.value))}
        />
      </div>
      <button
        type="submit"
        className="primary wide"
        disabled={amount === '' || !canTake(option)}
        aria-disabled={isBusy}
      >
        {amount === '' ? 'Withdraw' : `Withdraw £${amount}`}
      </button>
      {error !== undefined && <ProblemPanel error={error} about="withdrawal" />}
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
