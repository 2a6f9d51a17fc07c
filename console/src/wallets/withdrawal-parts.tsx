// What a withdrawal is made of: each part is the return of a deposit, a payout, or was paid outside.

import type { Withdrawal } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { PART_STATES, partKind } from '../../../web/words/money.ts'
import { Badge } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import type { MoneyActions } from '../parts/money-actions.tsx'
import { useCustomerText } from '../parts/names.tsx'
import { sentenceCase } from '../parts/sentence-case.ts'
import { useSession } from '../sign-in/session.tsx'
import { PART_LOOKS } from './looks.ts'
import { ProposalLine } from './waits-for.tsx'
import { type Choice, Choices } from './withdrawal-decision.tsx'
import styles from './withdrawal-parts.module.css'

type Part = Withdrawal['parts'][number]
type PartsProps = { parts: readonly Part[]; currency: string }

/** "50.00 GBP return of a deposit: paid", with those of one kind and state in one line. */
export function PartSummary({ parts, currency }: PartsProps) {
  const pennies = new Map<string, number>()
  for (const part of parts) {
    const line = `${partKind(part)}: ${PART_STATES[part.state].toLowerCase()}`
    pennies.set(line, (pennies.get(line) ?? 0) + Math.round(Number(part.amount) * 100))
  }
  return (
    <ul className={styles.summary} aria-label="Parts">
      {[...pennies].map(([line, sum]) => (
        <li key={line}>
          {(sum / 100).toFixed(2)} {currency} {line}
        </li>
      ))}
    </ul>
  )
}

export function PartTable({ parts, currency }: PartsProps) {
  return (
    <DataTable
      label="Parts"
      columns={['Part', 'Amount', 'State', 'Paid', 'Credited again', 'Why', 'Our reference']}
      rows={parts.map((part) => ({
        key: part.id,
        cells: [
          <PartName key="name" part={part} />,
          `${part.amount} ${currency}`,
          <Badge key="state" look={PART_LOOKS[part.state]}>
            {PART_STATES[part.state]}
          </Badge>,
          part.paid,
          part.returned,
          part.reason,
          <span key="reference">
            <code>{part.reference}</code> <span className="quiet">{part.gatewayReference}</span>
          </span>,
        ],
      }))}
    />
  )
}

function PartName({ part }: { part: Part }) {
  const words = sentenceCase(partKind(part))
  return part.paymentId === null ? words : <a href={linkTo('deposits', part.paymentId)}>{words}</a>
}

type ReviewProps = { withdrawal: Withdrawal; actions: MoneyActions; onDone: () => void }

/** A person must look up their result. */
export function ReviewedParts({ withdrawal, ...rest }: ReviewProps) {
  return withdrawal.parts
    .filter(({ state }) => state === 'REVIEW')
    .map((part) => <ReviewedPart key={part.id} part={part} withdrawal={withdrawal} {...rest} />)
}

const OUTCOMES = [
  { outcome: 'paid', label: 'Paid', text: 'The customer has the money.' },
  { outcome: 'returned', label: 'Returned', text: 'It is credited to the customer again.' },
] as const

const MAX_NOTE_LENGTH = 1000

function ReviewedPart({ part, withdrawal, actions, onDone }: ReviewProps & { part: Part }) {
  const { api } = useSession()
  const { id, customerId, currency } = withdrawal
  const { proposal, why, amount } = part
  const about = `${amount} ${currency} of ${useCustomerText(customerId)}`
  const choices: Choice[] = OUTCOMES
    // Who has proposed it waits for a second person, and can only propose the other.
    .filter(({ outcome }) => !(proposal?.waitsFor === 'another person' && proposal.outcome === outcome))
    .map(({ outcome, label, text }) => ({
      label: proposal?.outcome === outcome ? `Confirm: ${label.toLowerCase()}` : label,
      text: proposal?.outcome === outcome ? `${proposal.by} has proposed the same: ${text}` : text,
      field: { label: 'Note: what you saw, and where', maxLength: MAX_NOTE_LENGTH },
      send: (note) => api('resolveWithdrawal', { id, body: { outcome, note, partId: part.id } }),
    }))
  return (
    <section className={styles.reviewed} aria-label={`Part ${part.id}`}>
      <p>
        <strong>
          {amount} {currency}, {partKind(part)}.
        </strong>{' '}
        {why} Our reference: <code>{part.reference}</code>
      </p>
      <ProposalLine proposal={proposal} />
      <Choices choices={choices} subject={`part ${part.id}`} about={about} actions={actions} onDone={onDone} />
    </section>
  )
}

/** The bank has returned a payment outside: two persons record it. */
export function OutsideReturn({ withdrawal, actions, onDone }: ReviewProps) {
  const { api } = useSession()
  const { id, customerId, currency, parts, proposal } = withdrawal
  const paid = parts.filter(({ kind, state }) => kind === 'outside' && state === 'PAID')
  const pennies = paid.reduce((sum, part) => sum + Math.round(Number(part.paid) * 100), 0)
  const about = `${(pennies / 100).toFixed(2)} ${currency} of ${useCustomerText(customerId)}`
  if (paid.length === 0) return null
  const choice: Choice = {
    label: proposal === null ? 'Came back' : 'Confirm: came back',
    text: 'The bank has returned the transfer. When two persons have recorded it, the amount is credited to the customer again, a debt first.',
    field: { label: 'Note: what you saw, and where', maxLength: MAX_NOTE_LENGTH },
    send: (note) => api('recordOutsideReturn', { id, body: { note } }),
  }
  return (
    <section className={styles.reviewed} aria-label="Payment outside">
      <ProposalLine proposal={proposal} />
      {proposal?.waitsFor !== 'another person' && (
        <Choices choices={[choice]} subject={`outside ${id}`} about={about} actions={actions} onDone={onDone} />
      )}
    </section>
  )
}
