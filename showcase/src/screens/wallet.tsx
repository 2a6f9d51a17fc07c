import { useEffect, useState } from 'react'
import { useLoad } from '../../../web/load.ts'
import type { ListedDeposit, PaymentMethod } from '../answers.ts'
import { forgetReturn, isBackFromBank } from '../challenge.ts'
import { useLive } from '../live.tsx'
import { LoadView, Skeletons } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { BalanceLine } from './balance.tsx'
import { ChallengePanel } from './challenge-panel.tsx'
import { DepositForm } from './deposit-form.tsx'
import { LimitPrompt } from './limit-prompt.tsx'
import { OwnDeposits } from './own-deposits.tsx'
import styles from './wallet.module.css'

/** How many deposits the list has at first. */
const FEW = 10
/** The most that one request answers. */
const MOST = 100

export default function Wallet() {
  const { paddock, customer } = useSession()
  const { moneyEvents } = useLive()
  const methods = useLoad('methods', () => paddock.getPaymentMethods())
  const [blockSize, setBlockSize] = useState(FEW)
  // Loaded together, so that neither shows something that the other does not have yet.
  const load = async () => ({
    deposits: await paddock.getMyDeposits({ blockSize }),
    balance: await paddock.getMyBalance(),
  })
  const money = useLoad('money', load, moneyEvents + blockSize)
  const deposits = money.answer?.deposits
  const hasMore = deposits?.length === blockSize && blockSize < MOST
  return (
    <>
      <h1>Deposit</h1>
      <p className="lead">These are test cards: choose one to see what a bank can answer. No money moves.</p>
      {money.answer !== undefined && <BalanceLine balance={money.answer.balance} />}
      <LimitPrompt hasDeposited={deposits && deposits.length > 0} />
      <LoadView loaded={methods} skeleton={<Skeletons shape="row" count={4} />}>
        {(cards) => <NextDeposit cards={cards} deposits={deposits} reload={money.reload} />}
      </LoadView>
      <OwnDeposits money={money} cards={methods.answer} more={hasMore ? () => setBlockSize(MOST) : undefined} />
      <OtherCards username={customer.username} />
    </>
  )
}

type NextProps = {
  cards: readonly PaymentMethod[]
  deposits: readonly ListedDeposit[] | undefined
  reload(): void
}

/** A deposit that waits for its bank is shown in place of the form: there can be no other meanwhile. */
function NextDeposit({ cards, deposits, reload }: NextProps) {
  const [isBack, setBack] = useState(isBackFromBank)
  useEffect(() => forgetReturn, [])
  const [watchedId, setWatchedId] = useState<string>()
  const waiting = deposits?.find(({ status }) => status === 'challenge') ?? (isBack ? deposits?.[0] : undefined)
  if (waiting !== undefined && waiting.paymentId !== watchedId) setWatchedId(waiting.paymentId)
  const watched = deposits?.find(({ paymentId }) => paymentId === watchedId)
  const forget = () => {
    setBack(false)
    setWatchedId(undefined)
  }
  if (watched !== undefined) return <ChallengePanel deposit={watched} reload={reload} onDone={forget} />
  return <DepositForm cards={cards} deposits={deposits} reload={reload} />
}

const ELSEWHERE: readonly (readonly [string, string])[] = [
  ['alice', 'pays at once, or slowly'],
  ['bob', 'is refused in five ways, and has cards for each end of a withdrawal'],
  ['carol', 'has a bank that forgets, fails or changes its mind, and cards for refunds'],
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
