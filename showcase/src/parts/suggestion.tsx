import { PaddockFault } from '@paddock/client'
import { ForSupport, ProblemPanel } from './states.tsx'
import styles from './suggestion.module.css'

/** States what was refused. Where words were, the service suggests the text with them masked, which one click takes. */
export function RefusedText({ error, take }: { error: unknown; take(text: string, field: string): void }) {
  if (error === undefined) return null
  const fault = error instanceof PaddockFault ? error : undefined
  const { solution } = fault ?? {}
  if (fault === undefined || solution === undefined) return <ProblemPanel error={error} />
  return (
    <div className={styles.suggestion} role="alert">
      <p>
        <strong>Some words are not allowed.</strong> This would be:
      </p>
      <blockquote>{solution}</blockquote>
      <button type="button" onClick={() => take(solution, fault.faultName ?? '')}>
        Use this wording
      </button>
      <ForSupport code={fault.code} requestId={fault.requestId} />
    </div>
  )
}
