import type { ReactNode } from 'react'
import type { Resource } from '../api/resource.ts'
import { Progress } from './basics.tsx'
import { Problem } from './problem.tsx'

type ResourceViewProps<Answer> = {
  resource: Pick<Resource<Answer>, 'answer' | 'refusal' | 'loading' | 'reload'>
  children: (answer: Answer) => ReactNode
}

/** Shows progress, then the answer; a refusal comes with a button to try again. */
export function ResourceView<Answer>({ resource, children }: ResourceViewProps<Answer>) {
  const { answer, refusal, loading, reload } = resource
  return (
    <>
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress />}
      {answer !== undefined && children(answer)}
    </>
  )
}
