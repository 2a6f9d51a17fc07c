const PREVIEW_LENGTH = 200

const number = new Intl.NumberFormat('en-GB')

/** The first lines of a long text; the whole opens in a box that scrolls. */
export function LongText({ text, className = '' }: { text: string; className?: string }) {
  if (text.length <= PREVIEW_LENGTH) return <div className={className}>{text}</div>
  return (
    <details className={`long-text ${className}`}>
      <summary>
        {text.slice(0, PREVIEW_LENGTH)} …{' '}
        <span className="quiet">show all {number.format(text.length)} characters</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </details>
  )
}
