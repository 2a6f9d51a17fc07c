import { type ReactNode, useId } from 'react'
import type { RecentRequests } from '../../../src/operator/api-types.ts'
import { prettyBody } from '../../../web/reference/request.js'
import { linkTo } from '../../../web/route.ts'
import { SCROLLED_BY_KEYS } from '../../../web/scrolled.ts'
import styles from './exchange.module.css'

type Request = RecentRequests['items'][number]

/** The page of one request. */
export function requestLink(apiKey: string, id: string): string {
  return `${linkTo('applications', apiKey)}?${new URLSearchParams({ request: id })}`
}

type DetailsProps = { id: string; items: readonly Request[]; closeLink: string }

export function RequestDetails({ id, items, closeLink }: DetailsProps) {
  const found = items.find((one) => one.id === id)
  return (
    <section className="card" aria-labelledby="request">
      <header>
        <h2 id="request">Request {id}</h2>
        <a className="button" href={closeLink}>
          Close
        </a>
      </header>
      {found === undefined ? (
        <p className="quiet">
          It is not among those shown. Refused for its key or secret it is not stored; one of another process appears
          within a second.
        </p>
      ) : (
        <>
          <TextBlock title="Request">
            {found.method} {found.path}
            {found.body !== null && `\n\n${found.body}`}
          </TextBlock>
          {found.answer !== null && (
            <TextBlock title="Body of the answer">{prettyBody(found.answer, found.representation)}</TextBlock>
          )}
        </>
      )}
    </section>
  )
}

export function TextBlock({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.block} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <pre className={styles.text} {...SCROLLED_BY_KEYS}>
        {children}
      </pre>
    </section>
  )
}
