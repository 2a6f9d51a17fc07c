import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { WAITING_SUITES } from '../suites.ts'

/** Suites that mostly wait run while others keep the processors busy: at the end of a run they would leave them idle. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project)
    return [...byProject.values()].flatMap((own) => [...own.filter(waits), ...own.filter((one) => !waits(one))])
  }
}

const waits = ({ moduleId }: TestSpecification) => WAITING_SUITES.some((suite) => moduleId.endsWith(suite))
