import { type ReactNode, useCallback } from 'react'
import type { Tip } from '../answers.ts'
import type { Grown } from '../grow.ts'
import { GrownList } from './grown-list.tsx'
import { TipCard } from './tip-card.tsx'

type TipListProps = {
  label: string
  list: Grown<Tip>
  empty: ReactNode
}

export function TipList({ label, list, empty }: TipListProps) {
  const { replace } = list
  const change = useCallback(
    (changed: Tip) => replace((items) => items.map((one) => (one.id === changed.id ? changed : one))),
    [replace],
  )
  return (
    <GrownList label={label} list={list} empty={empty} keyOf={(tip) => tip.id}>
      {(tip) => <TipCard tip={tip} change={change} />}
    </GrownList>
  )
}
