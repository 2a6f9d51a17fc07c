import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

const TIMES = new URL('../../test-output/times/', import.meta.url)
const SHOWN = 10

type FileTime = { project: string; file: string; start: number; end: number; seconds: number; processor: number }

/**
 * Ends a run with how long each project took, and its most expensive files; test-output/times/ has all files. Lists
 * which tests passed only at a second try. What failed is added to the file TEST_FAILURES, if that is set: scripts/test.js
 * ends with it, because whoever keeps only the end of a long log needs it there.
 */
export default class RunSummary implements Reporter {
  readonly #files: FileTime[] = []
  readonly #flaky: TestCase[] = []

  onTestCaseResult(testCase: TestCase): void {
    if (testCase.diagnostic()?.flaky) this.#flaky.push(testCase)
  }

  onTestModuleEnd(module: TestModule): void {
    const { duration, collectDuration, setupDuration } = module.diagnostic()
    const milliseconds = duration + collectDuration + setupDuration
    const end = Date.now()
    this.#files.push({
      project: module.project.name,
      file: module.relativeModuleId,
      start: end - milliseconds,
      end,
      seconds: milliseconds / 1_000,
      processor: module.meta().processorSeconds ?? 0,
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    if (process.env.TEST_FAILURES) appendFileSync(process.env.TEST_FAILURES, failuresOf(modules, unhandled))
    const files = this.#files.sort((a, b) => b.processor - a.processor)
    mkdirSync(TIMES, { recursive: true })
    for (const project of projectsOf(files)) writeTimes(project, files)
    console.log(
      `\nSeconds, and seconds of processor time (without PostgreSQL and the browser). All files: ${TIMES.pathname}`,
    )
    for (const line of [...projectLines(files), '', ...files.slice(0, SHOWN).map(fileLine)]) console.log(line)
    for (const test of this.#flaky) {
      const name = `${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`
      console.log(`Passed only at a second try, find out why: ${name}`)
      for (const { message } of test.result().errors ?? []) console.log(message)
    }
  }
}

function failuresOf(modules: readonly TestModule[], unhandled: readonly SerializedError[]): string {
  const parts = modules.flatMap((module) => [
    module,
    ...[...module.children.allSuites()],
    ...[...module.children.allTests('failed')],
  ])
  const failures = parts.flatMap((part) => {
    const name = part.type === 'module' ? '' : ` > ${part.fullName}`
    const module = part.type === 'module' ? part : part.module
    const errors = part.type === 'test' ? (part.result().errors ?? []) : part.errors()
    return errors.map((error) => `${part.project.name} ${module.relativeModuleId}${name}\n${textOf(error)}`)
  })
  return [...failures, ...unhandled.map(textOf)].map((one) => `\n${one}\n`).join('')
}

/** The stack starts with the message, and most of its lines are vitest's. */
function textOf({ message, diff, stack = message }: SerializedError): string {
  const own = stack.split('\n').filter((line) => !line.includes('/node_modules/'))
  return [...own, ...(diff === undefined ? [] : [diff])].join('\n')
}

function writeTimes(project: string, files: FileTime[]): void {
  const rows = files
    .filter((one) => one.project === project)
    .map(({ file, seconds, processor }) => [processor.toFixed(1), seconds.toFixed(1), file])
  const lines = [['processor', 'seconds', 'file'], ...rows].map((row) => `${row.join('\t')}\n`)
  writeFileSync(new URL(`${project}.tsv`, TIMES), lines.join(''))
}

const projectsOf = (files: FileTime[]) => [...new Set(files.map(({ project }) => project))]

/** A project takes from the start of its first file to the end of its last; projects overlap. */
function projectLines(files: FileTime[]): string[] {
  return projectsOf(files).map((project) => {
    const own = files.filter((one) => one.project === project)
    const seconds = (Math.max(...own.map(({ end }) => end)) - Math.min(...own.map(({ start }) => start))) / 1_000
    const processor = own.reduce((sum, one) => sum + one.processor, 0)
    return fileLine({ project, file: `${own.length} files`, seconds, processor })
  })
}

function fileLine({ project, file, seconds, processor }: Omit<FileTime, 'start' | 'end'>): string {
  return `${seconds.toFixed(0).padStart(6)} ${processor.toFixed(1).padStart(7)}  ${project.padEnd(8)}  ${file}`
}
