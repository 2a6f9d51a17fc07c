import { linkTo } from '../../../web/route.ts'
import { outcomeText, PROPOSAL_KINDS } from '../../../web/words/money.ts'
import type { AnswerOf } from '../api/operations.ts'
import { usePagedList } from '../api/resource.ts'
import { customerLink } from '../customers/props.ts'
import { ActionButton } from '../parts/action.tsx'
import { DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { NamedLink } from '../parts/names.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { sentenceCase } from '../parts/sentence-case.ts'
import { usePermission, useSession } from '../sign-in/session.tsx'
import styles from './proposals-screen.module.css'
import { WaitsForBadge } from './waits-for.tsx'

export type MoneyProposal = AnswerOf<'listMoneyProposals'>['items'][number]

/** Approvals of refunds and withdrawals are in their own lists. */
export function ProposalsScreen() {
  const list = usePagedList('listMoneyProposals', { query: {} })
  const pages = usePages(list)
  const { items, loading, refusal } = list
  return (
    <>
      <ScreenHeader title="Second person">
        <button type="button" onClick={list.reload} aria-disabled={loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">
        Decisions about money that one person has made. Nothing has moved: each takes effect when another person decides
        the same, on the page that its name leads to. <a href={linkTo('withdrawals')}>Withdrawals</a> and{' '}
        <a href={linkTo('refunds')}>refunds</a> that wait for approval have lists of their own.
      </p>
      {pages.shown.length > 0 && <ProposalTable items={pages.shown} onChanged={list.reload} />}
      {items.length === 0 && !loading && !refusal && <p className="empty">Nothing waits for a second person.</p>}
      <Pager pages={pages} />
    </>
  )
}

type TableProps = { items: readonly MoneyProposal[]; onChanged: () => void }

function ProposalTable({ items, onChanged }: TableProps) {
  const may = usePermission()
  const columns = ['Time', 'Customer', 'About', 'Decision', 'Note', 'By', 'Waits for']
  const mayWithdraw = may('withdrawMoneyProposal')
  return (
    <DataTable
      label="Decisions that wait"
      columns={mayWithdraw ? [...columns, 'Actions'] : columns}
      rows={items.map((one) => ({
        key: one.id,
        cells: [
          <DateTime key="time" at={one.at} />,
          <NamedLink key="customer" kind="customer" id={one.customerId} />,
          <a key="about" href={pageOf(one)}>
            {sentenceCase(PROPOSAL_KINDS[one.kind])}
          </a>,
          outcomeText(one.outcome),
          one.note,
          one.by,
          <WaitsForBadge key="waits" waitsFor={one.waitsFor} />,
          ...(mayWithdraw ? [<TakeBack key="take-back" proposal={one} onDone={onChanged} />] : []),
        ],
      }))}
    />
  )
}

/** Where it is decided. */
function pageOf({ kind, subject, withdrawalId, customerId }: MoneyProposal): string {
  if (kind === 'deposit') return linkTo('deposits', subject)
  if (withdrawalId !== null) return linkTo('withdrawals', withdrawalId)
  return customerLink(customerId, { tab: 'money' })
}

/** Nobody confirms it. Also by who made it. */
export function TakeBack({ proposal: { id, kind, outcome }, onDone }: { proposal: MoneyProposal; onDone: () => void }) {
  const { api } = useSession()
  const notify = useNotice()

  async function takeBack(): Promise<void> {
    await api('withdrawMoneyProposal', { id })
    notify('The decision is taken back.')
    onDone()
  }

  const about = `the decision about ${PROPOSAL_KINDS[kind]}`
  return (
    <ActionButton
      action={takeBack}
      className={styles.takeBack}
      label={`Take back ${about}`}
      confirmation={{
        title: `Take back ${about}?`,
        action: 'Take back',
        text: `It was: ${outcomeText(outcome)}. Nothing has moved, and nothing moves.`,
      }}
    >
      Take back …
    </ActionButton>
  )
}
