// Whose decision something waits for: of the reader, or of another person because the reader has decided already or may not.

import type { Withdrawal } from '../../../src/operator/api-types.ts'
import { outcomeText } from '../../../web/words/money.ts'
import { Badge, DateTime } from '../parts/basics.tsx'
import styles from './waits-for.module.css'

type WaitsFor = Withdrawal['waitsFor']
type Proposal = Pick<
  NonNullable<Withdrawal['parts'][number]['proposal']>,
  'by' | 'outcome' | 'note' | 'at' | 'waitsFor'
> | null

type BadgeProps = { waitsFor: WaitsFor; isDecidedByOne?: boolean }

export function WaitsForBadge({ waitsFor, isDecidedByOne = true }: BadgeProps) {
  if (waitsFor === null) return null
  if (waitsFor === 'me') return <Badge look="warn">waits for you</Badge>
  return <Badge look="wait">{isDecidedByOne ? 'waits for a second person' : 'waits for approval'}</Badge>
}

/** What the first person has decided; `words`: in place of those of the outcome. */
export function ProposalLine({ proposal, words }: { proposal: Proposal; words?: string }) {
  if (proposal === null) return null
  const { by, outcome, note, at, waitsFor } = proposal
  return (
    <p className={styles.proposal}>
      <strong>
        {by} proposes: {words ?? outcomeText(outcome)}.
      </strong>{' '}
      {note} (<DateTime at={at} />
      ). {waitsFor === 'me' ? 'It takes effect when you decide the same.' : 'It waits for a second person.'}
    </p>
  )
}

export type Inbox = { readonly show: string; readonly title: string; readonly empty: string; readonly query: object }

type InboxTabsProps = { label: string; inboxes: readonly Inbox[]; shown: Inbox; linkOf: (inbox: Inbox) => string }

export function InboxTabs({ label, inboxes, shown, linkOf }: InboxTabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {inboxes.map((one) => (
        <a key={one.show} href={linkOf(one)} aria-current={one === shown ? 'page' : undefined}>
          {one.title}
        </a>
      ))}
    </nav>
  )
}

/** In place of buttons, for who looks only. */
export function NoDecision() {
  return (
    <p className="quiet">You can look at this, but not decide: that takes another role, or a person who signed in.</p>
  )
}
