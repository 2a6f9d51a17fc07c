import type { Reporter, TestModule } from 'vitest/node'

/** Prints at the end how long each project took: from its first test to its last, and the sum over its files. */
export default class ProjectTimes implements Reporter {
  readonly #projects = new Map<string, { first: number; last: number; sum: number }>()

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
  }
}
