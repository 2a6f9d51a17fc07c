import styles from './mark.module.css'

/** A paddock's fence, seen from above: the mark of all pages. icon.svg is the same as a file. */
export function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <path d="M7 12h18M7 20h18M11 7v18M21 7v18" />
    </svg>
  )
}
