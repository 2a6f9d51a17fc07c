import type { ListedDeposit } from '../../../src/operator/api-types.ts'
import styles from './why.module.css'

type WhyProps = { why: NonNullable<ListedDeposit['why']>; code?: string | null }

/** Why a deposit failed, in a line that opens. */
export function WhyLine({ why, code = null }: WhyProps) {
  return (
    <details className={styles.why}>
      <summary>{why.title}</summary>
      <WhyFacts why={why} code={code} />
    </details>
  )
}

/** What the bank meant, what the customer saw, what to do next. */
export function WhyFacts({ why: { meaning, customerMessage, nextStep }, code = null }: WhyProps) {
  return (
    <dl className={styles.facts}>
      <dt>What it means</dt>
      <dd>{meaning}</dd>
      <dt>What the customer saw</dt>
      <dd>
        {customerMessage} {code !== null && <span className="quiet">Code {code}.</span>}
      </dd>
      <dt>What to do next</dt>
      <dd>{nextStep}</dd>
    </dl>
  )
}
