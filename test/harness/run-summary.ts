import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Prints at the end how long each project took, from its first test to its last and the sum over its files, and which
 * tests passed only at a second try.
 */
export default class RunSummary implements Reporter {
  readonly #projects = new Map<string, { first: number; last: number; sum: number }>()
  readonly #flaky: TestCase[] = []

  onTestCaseResult(testCase: TestCase): void {
    if (testCase.diagnostic()?.flaky) this.#flaky.push(testCase)
  }

  onTestModuleEnd(module: TestModule): void {
    const now = Date.now()
    const { duration } = module.diagnostic()
    const known = this.#projects.get(module.project.name)
    this.#projects.set(module.project.name, {
      first: Math.min(known?.first ?? now, now - duration),
      last: now,
      sum: (known?.sum ?? 0) + duration,
    })
  }

  onTestRunEnd(): void {
    for (const [name, { first, last, sum }] of this.#projects) {
      const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(0)} s`
      console.log(`${name.padStart(10)}  ${seconds(last - first)} (its files one after another: ${seconds(sum)})`)
    }
    for (const test of this.#flaky) {
      const name = `${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`
      console.log(`Passed only at a second try, find out why: ${name}`)
      for (const { message } of test.result().errors ?? []) console.log(message)
    }
  }
}
