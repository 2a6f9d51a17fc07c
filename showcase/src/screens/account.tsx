import { useState } from 'react'
import { useLoad } from '../../../web/load.ts'
import { linkTo } from '../../../web/route.ts'
import { useLive } from '../live.tsx'
import { LoadView, Skeletons } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { BalanceLine } from './balance.tsx'
import { StatementSection } from './statement.tsx'
import { WithdrawSection } from './withdrawal-form.tsx'
import { WithdrawalList } from './withdrawal-list.tsx'

export default function Account() {
  const { paddock } = useSession()
  const { moneyEvents } = useLive()
  const [made, setMade] = useState(0)
  // Loaded together, so that no part shows something that another does not have yet.
  const load = async () => ({
    balance: await paddock.getMyBalance(),
    options: await paddock.getWithdrawalOptions(),
    withdrawals: await paddock.getMyWithdrawals({ blockSize: 50 }),
    cards: await paddock.getPaymentMethods(),
  })
  const account = useLoad('account', load, moneyEvents + made)
  return (
    <>
      <h1>Account</h1>
      <LoadView loaded={account} skeleton={<Skeletons shape="row" count={3} />}>
        {({ balance, options, withdrawals, cards }) => (
          <>
            <BalanceLine balance={balance} />
            <p>
              <a href={linkTo('wallet')}>Deposit, and your deposits</a>
            </p>
            <WithdrawSection
              given={options}
              balance={balance.balance}
              cards={cards}
              onMade={() => setMade((before) => before + 1)}
            />
            <WithdrawalList withdrawals={withdrawals} cards={cards} />
          </>
        )}
      </LoadView>
      <StatementSection version={moneyEvents + made} />
    </>
  )
}
