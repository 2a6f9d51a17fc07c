import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useMedia } from '../../../web/media.ts'
import styles from './data-table.module.css'

type DataTableProps = {
  label: string
  columns: readonly string[]
  /** The first cell names its row. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** Explicit, because table elements lose their implicit roles when CSS changes their display. */
const ROLES = {
  table: { role: 'table' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  columnTitle: { role: 'columnheader' },
  rowTitle: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/**
 * A table; on a phone, and where its columns do not fit, each row becomes a card, with the column's title before each value.
 */
export function DataTable({ label, columns, rows }: DataTableProps) {
  const box = useRef<HTMLDivElement>(null)
  const isPhone = useMedia('(max-width: 52rem)')
  const fits = useFits(box)
  return (
    <div ref={box} className={styles.box}>
      <table
        {...ROLES.table}
        className={isPhone || !fits ? `${styles.table} ${styles.cards}` : styles.table}
        aria-label={label}
      >
        <thead {...ROLES.rows}>
          <tr {...ROLES.row}>
            {columns.map((column) => (
              <th key={column} scope="col" {...ROLES.columnTitle}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.rows}>
          {rows.map(({ key, cells: [name, ...others] }) => (
            <tr key={key} {...ROLES.row}>
              <th scope="row" {...ROLES.rowTitle}>
                {name}
              </th>
              {others.map((cell, index) => (
                <td key={columns[index + 1]} {...ROLES.cell} data-label={columns[index + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whether the columns have room. What they need is known since they last did not fit: cards do not show it. */
function useFits(box: RefObject<HTMLDivElement | null>): boolean {
  const [{ width, needed }, setSize] = useState({ width: 0, needed: 0 })
  useLayoutEffect(() => {
    const outer = box.current
    const table = outer?.firstElementChild
    if (!outer || !table) return
    const measure = () =>
      setSize((before) => {
        const now = {
          width: outer.clientWidth,
          needed: table.scrollWidth > outer.clientWidth + 1 ? table.scrollWidth : before.needed,
        }
        return now.width === before.width && now.needed === before.needed ? before : now
      })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(outer)
    observer.observe(table)
    return () => observer.disconnect()
  }, [box])
  return width >= needed
}
