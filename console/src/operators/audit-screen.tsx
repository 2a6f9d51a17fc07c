import { Fragment, useState } from 'react'
import type { AuditCheckResult, AuditEntry } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { SCROLLED_BY_KEYS } from '../../../web/scrolled.ts'
import { roleText } from '../../../web/words/roles.ts'
import { auditSentence, namedCustomers } from '../../../web/words/sentences.ts'
import { SUBJECT_KINDS } from '../../../web/words/subjects.ts'
import { usePagedList } from '../api/resource.ts'
import { ActionButton } from '../parts/action.tsx'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { withDates } from '../parts/dates.ts'
import { Details } from '../parts/details.tsx'
import { FilterBar, type FilterField } from '../parts/filter-bar.tsx'
import longText from '../parts/long-text.module.css'
import { Name } from '../parts/names.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { saveAsFile } from '../parts/save-as-file.ts'
import { SavedViews } from '../parts/saved-views.tsx'
import { SubjectLink } from '../parts/subject-link.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import styles from './audit-screen.module.css'

export function AuditScreen({ query }: { query: URLSearchParams }) {
  const { api } = useSession()
  const may = usePermission()
  const { page: _, ...given } = Object.fromEntries(query)
  const filters = filtersOf(query)
  const trail = usePagedList('listAudit', { query: filters })
  const pages = usePages(trail)
  const [check, setCheck] = useState<AuditCheckResult | null>(null)
  const verify = async () => setCheck(await api('checkAudit'))
  const download = async () => saveAsFile('audit.csv', await api('exportAudit', { query: filters }))
  return (
    <>
      <ScreenHeader title="Audit trail">
        {may('checkAudit') && <ActionButton action={verify}>Verify the chain</ActionButton>}
        {may('exportAudit') && <ActionButton action={download}>Download CSV</ActionButton>}
        <button type="button" onClick={trail.reload} aria-disabled={trail.loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">
        Changes, reads of personal data and refusals, newest first. It never contains secrets, passwords or user names.
      </p>
      {check && <ChainResult check={check} />}
      <Filters query={query} />
      {pages.shown.length > 0 && <Entries items={pages.shown} />}
      {trail.items.length === 0 && !trail.loading && !trail.refusal && <p className="empty">No matching entries</p>}
      <Pager pages={pages} day={query.get('to') ?? ''} onDate={(to) => (location.hash = linkWith({ ...given, to }))} />
    </>
  )
}

function ChainResult({ check: { checkedAt, entries, unchained, last, problems } }: { check: AuditCheckResult }) {
  const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`
  return (
    <section className={problems.length === 0 ? 'panel' : 'problem'} role="status" aria-label="Result of the check">
      <p>
        <Badge look={problems.length === 0 ? 'good' : 'bad'}>
          {problems.length === 0 ? 'The chain is whole' : 'The chain is broken'}
        </Badge>{' '}
        {count} checked <DateTime at={checkedAt} />
        {unchained > 0 && `, ${unchained} of them from before the chain began`}.
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {last && (
        <p className="quiet">
          Last entry {last.id}, hash <code className="code">{last.hash}</code>. Stored elsewhere, it shows later whether
          the trail was rewritten.
        </p>
      )}
    </section>
  )
}

const KIND_OPTIONS = [
  { value: '', label: 'Any' },
  ...Object.entries(SUBJECT_KINDS).map(([value, label]) => ({ value, label })),
]

const DAY_MS = 86_400_000

/** What the address asks for, as the call takes it. Its days are UTC, the last one included. */
function filtersOf(query: URLSearchParams) {
  const of = (name: string) => query.get(name) ?? ''
  const timeOf = (name: string, plus: number) => {
    const time = Date.parse(of(name))
    return Number.isNaN(time) ? '' : new Date(time + plus).toISOString()
  }
  return {
    actor: of('actor'),
    operation: of('operation'),
    changesOnly: of('changesOnly'),
    subjectKind: of('subjectKind'),
    subjectId: of('subjectId'),
    from: timeOf('from', 0),
    to: timeOf('to', DAY_MS),
  }
}

const FIELDS = [
  { name: 'actor', label: 'Actor' },
  { name: 'operation', label: 'Operation' },
  { name: 'subjectKind', label: 'Subject', options: KIND_OPTIONS },
  { name: 'subjectId', label: 'Subject ID' },
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
] as const satisfies FilterField<string>[]

function linkWith(values: Record<string, string>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]]))
  return given.length === 0 ? linkTo('audit') : `${linkTo('audit')}?${new URLSearchParams(given)}`
}

/** Whether what was only read or refused is left out is a switch of its own. */
function Filters({ query }: { query: URLSearchParams }) {
  const of = (name: string) => query.get(name) ?? ''
  const values = Object.fromEntries([...FIELDS.map(({ name }) => name), 'changesOnly'].map((name) => [name, of(name)]))
  const isOn = of('changesOnly') === 'true'
  return (
    <div className={styles.filters}>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={() => (location.hash = linkWith({ ...values, changesOnly: isOn ? '' : 'true' }))}
        />
        Changes only
      </label>
      <FilterBar fields={FIELDS} values={values} linkOf={linkWith}>
        <SavedViews page="audit" />
      </FilterBar>
    </div>
  )
}

function Entries({ items }: { items: readonly AuditEntry[] }) {
  return (
    <DataTable
      label="Audit trail"
      columns={['Time', 'What', 'Role', 'Address', 'Details']}
      rows={items.map((entry) => ({
        key: entry.id,
        cells: [
          <DateTime key="time" at={entry.at} />,
          <Sentence key="what" entry={entry} />,
          roleText(entry.role),
          entry.address,
          <EntryDetails key="details" entry={entry} />,
        ],
      }))}
    />
  )
}

function Sentence({ entry }: { entry: AuditEntry }) {
  const { subjectKind: kind, subject, actor } = entry
  const id = subject.split('/')[0] ?? ''
  const sentence = withDates(auditSentence(entry))
  const named = namedCustomers(entry)
  if (named.length > 0 && sentence.startsWith(`${actor} read`)) return <NamesRead actor={actor} ids={named} />
  return (
    <span className={styles.sentence}>
      <SubjectLink kind={kind} id={id}>
        {sentence}
      </SubjectLink>
      {(kind === 'customer' || kind === 'profile') && <Name kind={kind} id={id} />}
    </span>
  )
}

const MAX_NAMED = 10

/** All of them are in the details. */
function NamesRead({ actor, ids }: { actor: string; ids: readonly string[] }) {
  const shown = ids.slice(0, MAX_NAMED)
  const left = ids.length - shown.length
  return (
    <span className={styles.sentence}>
      {actor} read the {ids.length === 1 ? 'name of customer' : 'names of customers'}{' '}
      {shown.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && (index === ids.length - 1 ? ' and ' : ', ')}
          <SubjectLink kind="customer" id={id}>
            {id}
          </SubjectLink>
        </Fragment>
      ))}
      {left > 0 && ` and ${left} ${left === 1 ? 'other' : 'others'}`}
    </span>
  )
}

function EntryDetails({ entry: { action, detail } }: { entry: AuditEntry }) {
  const { body, changes, ...rest } = detail as { body?: object; changes?: Record<string, unknown> }
  const changed = Object.entries(changes ?? {})
  const sent = { ...body, ...rest }
  return (
    <details className={styles.auditDetail}>
      <summary>
        {changed.length > 0 ? `${changed.length} ${changed.length === 1 ? 'change' : 'changes'}` : 'Details'}
      </summary>
      <div>
        {changed.length > 0 && (
          <ul className="plain-list" aria-label="Changes">
            {changed.map(([name, change]) => (
              <li key={name}>
                <strong>{name}</strong> <Change change={change} />
              </li>
            ))}
          </ul>
        )}
        <p className="quiet">{action}</p>
        {JSON.stringify(sent).length > LONG ? (
          <div className={longText.longText}>
            <pre {...SCROLLED_BY_KEYS}>{JSON.stringify(sent)}</pre>
          </div>
        ) : (
          <Details value={sent} />
        )}
      </div>
    </details>
  )
}

const LONG = 1000

/** A value that is not shown only says that it changed. */
function Change({ change }: { change: unknown }) {
  if (typeof change !== 'object' || change === null || !('to' in change)) return null
  const { from, to } = change as { from?: unknown; to?: unknown }
  return (
    <>
      <del>{inWords(from)}</del> to <ins>{inWords(to)}</ins>
    </>
  )
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
