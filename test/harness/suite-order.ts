import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { BUSY_SUITES, WAITING_SUITES } from '../suites.ts'

/**
 * Suites that mostly wait run while others keep the processors busy: at the end of a run they would leave them idle. At the
 * end run those that are busy all the time.
 */
export class SuiteOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project)
    return [...byProject.values()].flatMap((own) => own.sort((a, b) => turnOf(a) - turnOf(b)))
  }
}

function turnOf({ moduleId }: TestSpecification): number {
  const isIn = (suites: string[]) => suites.some((suite) => moduleId.endsWith(suite))
  if (isIn(WAITING_SUITES)) return 0
  return isIn(BUSY_SUITES) ? 2 : 1
}
