import type { ReactNode } from 'react'
import type { Resource } from '../api/resource.ts'
import { useForgetMissing } from '../search/recent.ts'
import { Progress } from './basics.tsx'
import { Problem } from './problem.tsx'

type ResourceViewProps<Answer> = {
  resource: Pick<Resource<Answer>, 'answer' | 'refusal' | 'loading' | 'reload'>
  children: (answer: Answer) => ReactNode
}

const NOT_FOUND = 404

/** Shows progress, then the answer; a refusal comes with a button to try again, but where that finds nothing again. */
export function ResourceView<Answer>({ resource, children }: ResourceViewProps<Answer>) {
  const { answer, refusal, loading, reload } = resource
  useForgetMissing(refusal?.status === NOT_FOUND)
  return (
    <>
      {refusal && <Problem refusal={refusal} {...(refusal.status === NOT_FOUND ? {} : { onRetry: reload })} />}
      {answer === undefined && loading && <Progress />}
      {answer !== undefined && children(answer)}
    </>
  )
}
