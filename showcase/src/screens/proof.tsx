import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../../web/icons.tsx'
import { useLoad } from '../../../web/load.ts'
import { utcDayText } from '../../../web/relative-time.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Interval, scaleOf } from '../parts/interval.tsx'
import { Skeletons } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { badgeOf } from '../settlement-words.ts'
import { leadsToRoot } from '../verify-proof.ts'
import { counted, signed } from '../words.ts'
import styles from './proof.module.css'

/** Below the doors: a record and a proof as they are now, a deposit that was killed, and what an operator gets. */
export default function Proof({ consoleUrl }: { consoleUrl: string }) {
  return (
    <div className={styles.proof}>
      <Card icon="trophy" title="A record that anybody can check">
        <LiveRecord />
      </Card>
      <Card icon="card" title="A deposit that survives a kill">
        <Killed />
      </Card>
      <Card icon="scales" title="What an operator gets">
        <ForOperators consoleUrl={consoleUrl} />
      </Card>
    </div>
  )
}

function Card({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  const id = `proof-${icon}`
  return (
    <section className={`surface ${styles.card}`} aria-labelledby={id}>
      <h2 id={id}>
        <Icon name={icon} />
        {title}
      </h2>
      {children}
    </section>
  )
}

// ---- The record

function LiveRecord() {
  const { paddock } = useSession()
  const loaded = useLoad('proof', async () => {
    const [first] = await paddock.getRecordRanking({ numDays: 0 })
    if (first === undefined) return undefined
    const [tip] = await paddock.getRecordTips({ id: first.id, blockSize: 1 })
    if (tip === undefined) return { first }
    const { checkpoint, entry } = await paddock.getLogProofs({ commentId: tip.id })
    const [line] = entry
    return { first, tip, checkpoint, line, holds: line && (await leadsToRoot(line, checkpoint)) }
  })
  if (loaded.answer === undefined) {
    if (loaded.isLoading) return <Skeletons shape="row" count={2} />
    return <p>The first record is there with the first settled tips.</p>
  }
  const { first, tip, checkpoint, line, holds } = loaded.answer
  const { record } = first
  return (
    <>
      <p className={styles.tipster}>
        <Avatar person={first} />
        <span>
          <strong>{first.name}</strong>
          <span>
            {signed(record.profit)} points from {counted(record.numSettled, 'tip')}, losers included
          </span>
        </span>
      </p>
      <Interval record={record} scale={scaleOf([record])} />
      <p className="quiet">
        Yield {signed(record.yield ?? 0, 1)} %, likely {signed(record.yieldLow ?? 0, 1)} to{' '}
        {signed(record.yieldHigh ?? 0, 1)} %. The line at the left is 0: neither won nor lost.
      </p>
      {tip !== undefined && line !== undefined && checkpoint !== undefined && (
        <div className={styles.line}>
          <p>
            The newest result, {tip.event.market.outcome.name}, {badgeOf(tip.result, tip)[1].toLowerCase()} on{' '}
            {utcDayText(tip.settled)}: line {(line.index + 1).toLocaleString('en-GB')} of{' '}
            {checkpoint.size.toLocaleString('en-GB')} in the signed log.
          </p>
          <Verdict holds={holds} steps={line.path.split(' ').length} root={checkpoint.root} />
          <p>
            <a href="/docs/getLogProofs">How the proof works</a>
          </p>
        </div>
      )}
    </>
  )
}

type VerdictProps = { holds: boolean | undefined; steps: number; root: string }

function Verdict({ holds, steps, root }: VerdictProps) {
  if (holds === undefined) return <p>Check it with paddock verify-log, which needs nothing but the address.</p>
  if (!holds) return <p className="bad">The line does not lead to the root of the log.</p>
  return (
    <p className={styles.verdict}>
      <Icon name="check" />
      <span>
        Checked in your browser just now: {counted(steps, 'hash', 'hashes')} lead from the line to the root{' '}
        <code>{root.slice(0, 12)}…</code>
      </span>
    </p>
  )
}

// ---- The deposit

/** As it was recorded: the seconds after the deposit was sent, with the answers of the service. */
const RECORDED: readonly (readonly [seconds: string, text: string])[] = [
  ['0.00', 'A deposit of £20.00 is sent, with an Idempotency-Key.'],
  ['0.12', 'Answered: paid.'],
  ['0.14', 'kill -9, before the bank was asked to capture it.'],
  ['4.83', 'The service is started again. The balance is £20.00.'],
  ['5.00', 'The same deposit with the same key: the same payment, no second charge.'],
  ['5.44', 'Captured, once. The ledger is balanced, with no problem.'],
]

function Killed() {
  return (
    <>
      <ol className={styles.recorded}>
        {RECORDED.map(([seconds, text]) => (
          <li key={seconds} className={text.startsWith('kill') ? styles.kill : ''}>
            <span>{seconds} s</span>
            {text}
          </li>
        ))}
      </ol>
      <p className="quiet">
        Recorded on 19 Nov 2026 with the sandbox’s bank. Killed while the bank is still asked, the deposit is void and
        nothing is taken. <code>npm run torture</code> does it a hundred times, while all that moves money happens at
        once.
      </p>
    </>
  )
}

// ---- The operator

const GETS: readonly (readonly [what: string, how: string])[] = [
  ['Moderation', 'a queue by urgency, rules that hold tips, reasons, appeals'],
  ['Money', 'deposits, withdrawals, refunds and disputes, each with the reason of its state'],
  ['Two persons', 'for large sums, and a cashier’s roles for all else'],
  ['An audit trail', 'of every change, chained by hashes'],
  ['Books', 'a ledger in double entry, statements, reconciliation with the bank’s report'],
  ['To run it', 'one process on SQLite or many on PostgreSQL, metrics, webhooks, OpenID'],
]

function ForOperators({ consoleUrl }: { consoleUrl: string }) {
  return (
    <>
      <ul className={styles.gets}>
        {GETS.map(([what, how]) => (
          <li key={what}>
            <strong>{what}</strong> {how}
          </li>
        ))}
      </ul>
      <p>
        <a href={consoleUrl}>Look at the console</a>
      </p>
    </>
  )
}
