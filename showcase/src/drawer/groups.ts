// Requests that repeat are one line: the same method and path, whatever the query.

import type { Exchange } from '../recorder.ts'

export type Group = { readonly key: string; readonly exchanges: readonly [Exchange, ...Exchange[]] }

export const pathOf = ({ address }: Exchange): string => address.split('?', 1)[0] ?? ''

/** In the order of the newest exchange of each, as they are given: newest first. */
export function groupsOf(exchanges: readonly Exchange[]): Group[] {
  const groups = Map.groupBy(exchanges, (one) => `${one.method} ${pathOf(one)}`)
  return [...groups].map(([key, members]) => ({ key, exchanges: members as [Exchange, ...Exchange[]] }))
}
