import { SCROLLED_BY_KEYS } from '../../../web/scrolled.ts'
import styles from './long-text.module.css'
import { countText } from './numbers.ts'

const PREVIEW_LENGTH = 200

/** The first lines of a long text; the whole opens in a box that scrolls. */
export function LongText({ text, className = '' }: { text: string; className?: string | undefined }) {
  if (text.length <= PREVIEW_LENGTH) return <div className={className}>{text}</div>
  return (
    <details className={`${styles.longText} ${className}`}>
      <summary>
        {text.slice(0, PREVIEW_LENGTH)} … <span className="quiet">show all {countText(text.length)} characters</span>
      </summary>
      <pre {...SCROLLED_BY_KEYS}>{text}</pre>
    </details>
  )
}
