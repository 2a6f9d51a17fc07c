import { reading, type Statement } from './database.ts'

/** One statement for all `conditions`, which are SQL and may refer to `:now`. */
export function workCheck<Name extends string>(
  name: string,
  conditions: { readonly [Task in Name]: string },
): Statement<{ now: number }, { [Task in Name]: number }> {
  const columns = Object.entries(conditions).map(([task, sql]) => `case when ${sql} then 1 else 0 end as ${task}`)
  return reading(name, `select ${columns.join(',\n     ')}`)
}
