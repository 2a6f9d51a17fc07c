import styles from './sport-mark.module.css'

type Mark = { readonly hue: number; readonly path: string }

const OTHER: Mark = { hue: 250, path: 'M12 4l2.4 5 5.6.8-4 3.9.9 5.5-4.9-2.6-4.9 2.6.9-5.5-4-3.9 5.6-.8z' }
const SPORTS: Readonly<Record<number, Mark>> = {
  10: {
    hue: 152,
    path: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 8l4 3-1.5 4.5h-5L8 11zM12 8V3.5M16 11l4.5-1.4M14.5 15.5l2.7 3.8M9.5 15.5l-2.7 3.8M8 11 3.5 9.6',
  },
  21: {
    hue: 28,
    path: 'M6 4c-2 5-2 11 1 14.5 1 1.2 2.8 1.5 5 1.5s4-.3 5-1.5C20 15 20 9 18 4M9 4c-1.3 4-1.3 8.5.4 11.2.5.9 1.4 1.3 2.6 1.3s2.1-.4 2.6-1.3C16.3 12.5 16.3 8 15 4M6 4h3M15 4h3',
  },
  30: {
    hue: 72,
    path: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.5 6c3.5 3 3.5 9 0 12M18.5 6c-3.5 3-3.5 9 0 12',
  },
}

export function SportMark({ sportId }: { sportId: number }) {
  const { hue, path } = SPORTS[sportId] ?? OTHER
  return (
    <span className={styles.sport} style={{ '--hue': hue } as React.CSSProperties} aria-hidden="true">
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </span>
  )
}
