import { useId, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import type { PaymentMethod, WithdrawalOption } from '../answers.ts'
import { Form } from '../parts/form.tsx'
import { ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { testCard } from '../test-cards.ts'
import { cardText } from '../words.ts'
import { keyOfUnanswered } from './deposit-form.tsx'

type Props = { options: readonly WithdrawalOption[]; cards: readonly PaymentMethod[]; onMade(): void }

export function WithdrawalForm({ options, cards, onMade }: Props) {
  const { paddock } = useSession()
  const id = useId()
  const [chosen, setChosen] = useState<number>()
  const [amount, setAmount] = useState('')
  const option = options.find((one) => one.id === chosen) ?? options[0]
  const { run, error, isBusy, forget } = useAction(async () => {
    if (option === undefined) return
    // Its own key again where the answer was lost, so that it is made once.
    await paddock.makeWithdrawal({ amount, id: option.id, idempotencyKey: unansweredKey })
    setAmount('')
    onMade()
  })
  const unansweredKey = keyOfUnanswered(error)
  if (option === undefined) {
    return <p>There is nothing to withdraw. A deposit can be withdrawn once your bank has paid it.</p>
  }
  const change = (set: () => void) => {
    if (isBusy) return
    set()
    forget()
  }
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Withdraw</h2>
      <p>Money goes back to the cards that it came from. You cannot take a withdrawal back.</p>
      <Form run={run} isChecked={false}>
        <div className="field">
          <label htmlFor={`${id}-card`}>To</label>
          <select
            id={`${id}-card`}
            value={option.id}
            onChange={(event) => change(() => setChosen(Number(event.target.value)))}
          >
            {options.map((one) => (
              <option key={one.id} value={one.id}>
                {cardText(cards, one.id)}
                {testCard(one.id)?.takes === 'withdrawals' && ` (${testCard(one.id)?.shows})`}
              </option>
            ))}
          </select>
          <p className="hint">Up to £{option.max}</p>
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
        <button type="submit" className="primary wide" disabled={amount === ''} aria-disabled={isBusy}>
          {amount === '' ? 'Withdraw' : `Withdraw £${amount}`}
        </button>
        {error !== undefined && <ProblemPanel error={error} about="withdrawal" />}
      </Form>
    </section>
  )
}
