import { useId, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { useLoad } from '../../../web/load.ts'
import { openRoute } from '../../../web/route.ts'
import { Form } from '../parts/form.tsx'
import { PriceChip } from '../parts/price.tsx'
import { Empty, LoadView, Skeletons } from '../parts/states.tsx'
import { RefusedText } from '../parts/suggestion.tsx'
import { type Bet, readBets } from '../sandbox.ts'
import { useSession } from '../session.tsx'
import { useToast } from '../toasts.tsx'
import { startText } from '../words.ts'
import styles from './write.module.css'

const MAX_TEXT_LENGTH = 300

export default function Write() {
  const { customer } = useSession()
  const bets = useLoad('bets', () => readBets(customer.ticket))
  return (
    <>
      <h1>Write a tip</h1>
      <p className="lead">A tip needs one of your bets, and gets its price. Nobody can change it afterwards.</p>
      <LoadView loaded={bets} skeleton={<Skeletons shape="row" count={3} />}>
        {(all) => <WriteForm bets={all.filter(({ tipped }) => !tipped)} />}
      </LoadView>
    </>
  )
}

function WriteForm({ bets }: { bets: readonly Bet[] }) {
  const { paddock } = useSession()
  const toast = useToast()
  const [betId, setBetId] = useState(bets[0]?.id)
  const [text, setText] = useState('')
  const bet = bets.find(({ id }) => id === betId)
  const { run, error, isBusy, forget } = useAction(async () => {
    if (bet === undefined) return
    const tip = await paddock.createCommentOnOutcomeId({ id: bet.outcome.id, betId: bet.id, text, ...priceOf(bet) })
    toast({ icon: 'check', text: 'Your tip is published' })
    openRoute('tips', tip.id)
  })
  if (bets.length === 0) return <NoBets />
  return (
    <Form run={run}>
      <BetChoice bets={bets} betId={betId} choose={setBetId} />
      <TextField text={text} change={setText} />
      <RefusedText
        error={error}
        take={(suggestion) => {
          setText(suggestion)
          forget()
        }}
      />
      <button type="submit" className="primary wide" aria-disabled={isBusy}>
        {isBusy ? 'Publishing …' : 'Publish tip'}
      </button>
    </Form>
  )
}

function priceOf({ outcome: { price, startingPrice } }: Bet) {
  if (price !== null) return { priceNum: price.num, priceDen: price.den }
  return startingPrice ? { startingPrice: true } : {}
}

type BetChoiceProps = { bets: readonly Bet[]; betId: number | undefined; choose(id: number): void }

function BetChoice({ bets, betId, choose }: BetChoiceProps) {
  return (
    <fieldset className={styles.bets}>
      <legend>Your bet</legend>
      {bets.map(({ id, outcome }) => (
        <label key={id} className={styles.bet}>
          <input type="radio" name="bet" checked={id === betId} onChange={() => choose(id)} />
          <span className={styles.betName}>
            <strong>{outcome.name}</strong>
            <span className="quiet">
              {outcome.market} · {outcome.event} · {startText(new Date(outcome.startTime))}
            </span>
          </span>
          <PriceChip
            price={outcome.price === null ? undefined : { priceFrac: `${outcome.price.num}/${outcome.price.den}` }}
          />
        </label>
      ))}
    </fieldset>
  )
}

function TextField({ text, change }: { text: string; change(text: string): void }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Why it wins</label>
      <textarea
        id={id}
        rows={4}
        required
        maxLength={MAX_TEXT_LENGTH}
        value={text}
        placeholder="Travels well, likes the ground …"
        aria-describedby={`${id}-count`}
        onChange={(event) => change(event.target.value)}
      />
      <p id={`${id}-count`} className="hint">
        {MAX_TEXT_LENGTH - text.length} characters left
      </p>
    </div>
  )
}

function NoBets() {
  return (
    <Empty title="No open bet without a tip">
      <p>Play the afternoon: it brings new matches, and bets on them.</p>
    </Empty>
  )
}
