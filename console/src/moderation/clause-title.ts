import { sentenceCase } from '../parts/sentence-case.ts'
import { useModerationTexts } from './action-bar.tsx'

/** Decisions store the key of a clause. One that was removed since has no title but its key. */
export function useClauseTitle(): (key: string) => string {
  const texts = useModerationTexts()
  return (key) => texts?.clauses.find((one) => one.key === key)?.title ?? sentenceCase(key.replaceAll('-', ' '))
}
