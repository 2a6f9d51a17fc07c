import type { ReactNode } from 'react'
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

/** A table; on a phone each row becomes a card, with the column's title before each value. */
export function DataTable({ label, columns, rows }: DataTableProps) {
  return (
    <table {...ROLES.table} className={styles.table} aria-label={label}>
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
  )
}
