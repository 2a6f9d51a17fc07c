// What a screen shows instead of its content: loading, nothing there, something went wrong.

import { faultCodes } from '@paddock/client'
import type { ReactNode } from 'react'
import { useAction } from '../../../web/action.ts'
import { useRetryOnReturn } from '../../../web/connection.ts'
import type { Loaded } from '../../../web/load.ts'
import { linkTo } from '../../../web/route.ts'
import { problemOf, type Subject } from '../problems.ts'
import { useSession } from '../session.tsx'
import styles from './states.module.css'

const SHAPES = { tip: '', row: styles.row, block: styles.block } as const

export function Skeletons({ count = 3, shape = 'tip' }: { count?: number; shape?: keyof typeof SHAPES }) {
  return (
    <div className={styles.skeletons} role="status">
      <span className="hidden-text">Loading</span>
      {Array.from({ length: count }, (_, index) => `skeleton ${index}`).map((key) => (
        <div key={key} className={`surface ${styles.skeleton} ${SHAPES[shape]}`} aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={`surface ${styles.empty}`}>
      <svg viewBox="0 0 120 60" aria-hidden="true">
        <path d="M4 50h112M16 50V26M104 50V26M8 32h104M60 50V26" />
      </svg>
      <p className={styles.emptyTitle}>{title}</p>
      {children}
    </div>
  )
}

type ProblemProps = {
  error: unknown
  retry?: (() => void) | undefined
  about?: Subject
  /** What the page is about could not be read. */
  isOfPage?: boolean
}

const NOT_FOUND: readonly unknown[] = [faultCodes.noProfile, faultCodes.noComment, faultCodes.noEvent]

/** States what happened and what to do. What failed for want of a connection is tried again when there is one. */
export function ProblemPanel({ error, retry, about, isOfPage = false }: ProblemProps) {
  const { title, advice, code, requestId, isLoggedOut } = problemOf(error, about)
  const isGone = isOfPage && NOT_FOUND.includes(code)
  useRetryOnReturn(code === undefined ? retry : undefined)
  return (
    <div className={`surface ${styles.problem}`} role="alert">
      <p className={styles.problemTitle}>{title}</p>
      <p>{advice}</p>
      {isLoggedOut === true && <LogInAgain />}
      {isGone && <BackToFeed />}
      {retry !== undefined && isLoggedOut !== true && !isGone && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
      {code !== undefined && <ForSupport code={code} requestId={requestId} />}
    </div>
  )
}

type SupportProps = { code: string; requestId?: string | undefined }

export function ForSupport({ code, requestId }: SupportProps) {
  return (
    <details className={styles.support}>
      <summary>For support</summary>
      <p>
        Fault {code}
        {requestId !== undefined && <> · request {requestId}</>}
      </p>
    </details>
  )
}

/** Another try finds nothing either. */
function BackToFeed() {
  return (
    <a className="button" href={linkTo()}>
      Back to the feed
    </a>
  )
}

/** The page stays, and loads again with the new session. */
function LogInAgain() {
  const { customer, logInAgain } = useSession()
  const { run, error, isBusy } = useAction(logInAgain)
  const problem = error === undefined ? undefined : problemOf(error)
  return (
    <>
      <button type="button" className="primary" aria-disabled={isBusy} onClick={run}>
        Log in again as {customer.name}
      </button>
      {problem !== undefined && (
        <p>
          <strong>{problem.title}.</strong> {problem.advice}
        </p>
      )}
    </>
  )
}

type LoadViewProps<Answer> = {
  loaded: Loaded<Answer>
  skeleton?: ReactNode
  /** The heading of a page that has none without its answer. */
  heading?: string
  children: (answer: Answer) => ReactNode
}

/** The answer, or what there is instead of it. An error of a second load stands above the first answer. */
export function LoadView<Answer>({ loaded, skeleton = <Skeletons />, heading, children }: LoadViewProps<Answer>) {
  const hasFailed = loaded.error !== undefined && !loaded.isLoading
  return (
    <>
      {heading !== undefined && loaded.answer === undefined && <h1>{heading}</h1>}
      {hasFailed && <ProblemPanel error={loaded.error} retry={loaded.reload} isOfPage />}
      {loaded.answer !== undefined ? children(loaded.answer) : !hasFailed && skeleton}
    </>
  )
}
