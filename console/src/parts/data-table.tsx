import type { ReactNode } from 'react'
import styles from './data-table.module.css'

type DataTableProps = {
  label: string
  columns: readonly string[]
  /** The first cell names its row. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/**
 * A table; on a phone each row becomes a card, with the column's title before each value. The roles are explicit, because
 * table elements lose their implicit ones when CSS changes their display.
 */
export function DataTable({ label, columns, rows }: DataTableProps) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table role="table" className={styles.table} aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column} scope="col" role="columnheader">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ key, cells: [name, ...others] }) => (
          <tr key={key} role="row">
            <th scope="row" role="rowheader">
              {name}
            </th>
            {others.map((cell, index) => (
              <td key={columns[index + 1]} role="cell" data-label={columns[index + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}
