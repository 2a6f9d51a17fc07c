import { useResource } from '../api/resource.ts'
import { usePermission } from '../sign-in/session.tsx'
import styles from './proposals-of.module.css'
import { type MoneyProposal, TakeBack } from './proposals-screen.tsx'
import { ProposalLine } from './waits-for.tsx'

type ProposalsOfProps = { customerId: string; kind: MoneyProposal['kind'] }

/** The oldest; more than so many wait on the page of all. */
const SEARCHED = 100

/** What the first of two persons has recorded about a customer. */
export function ProposalsOf(props: ProposalsOfProps) {
  const may = usePermission()
  return may('listMoneyProposals') ? <Shown {...props} /> : null
}

function Shown({ customerId, kind }: ProposalsOfProps) {
  const may = usePermission()
  const { answer, reload } = useResource('listMoneyProposals', { query: { limit: SEARCHED } })
  const found = answer?.items.filter((one) => one.customerId === customerId && one.kind === kind) ?? []
  return found.map((one) => (
    <div key={one.id} className={styles.proposed}>
      <ProposalLine proposal={one} />
      {may('withdrawMoneyProposal') && <TakeBack proposal={one} onDone={reload} />}
    </div>
  ))
}
