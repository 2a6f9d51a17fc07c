// Where a process waits before each step until the scheduler lets it through. It reports to the scheduler when everything that can run
// without another step has run, so that the same decisions always meet the same steps.

import type { Answer, Report, Step } from './messages.ts'

/** Turns of the event loop in which nothing new happens. The queue of writes takes one (write-queue.ts). */
const QUIET_TURNS = 3

type Wanted = Omit<Step, 'id'>
type Waiting = { readonly step: Step; readonly pass: (answer: unknown) => void }

export type Passed = { readonly id: number; readonly answer: unknown }

export class Gate {
  readonly #report: (report: Report) => void
  #waiting: Waiting[] = []
  #ended: number[] = []
  #conflicts: string[] = []
  #answer: Answer | null = null
  #steps = 0
  #busy = 0
  #quiet = 0
  #isSettling = false

  constructor(report: (report: Report) => void) {
    this.#report = report
  }

  /** Resolves when the scheduler lets the step through. */
  enter(wanted: Wanted): Promise<Passed> {
    const step = { ...wanted, id: ++this.#steps }
    return new Promise((resolve) => {
      this.#waiting.push({ step, pass: (answer) => resolve({ id: step.id, answer }) })
      this.settle()
    })
  }

  leave({ id }: Passed): void {
    this.#ended.push(id)
    this.settle()
  }

  async step<Result>(wanted: Wanted, work: (answer: unknown) => Result | Promise<Result>): Promise<Result> {
    const passed = await this.enter(wanted)
    try {
      return await work(passed.answer)
    } finally {
      this.leave(passed)
    }
  }

  letThrough(id: number, answer: unknown): void {
    const found = this.#waiting.find(({ step }) => step.id === id)
    if (found === undefined) throw new Error(`step ${id} does not wait`)
    this.#waiting = this.#waiting.filter((one) => one !== found)
    found.pass(answer)
  }

  /** A step that is no longer wanted: a timer that was cleared. */
  forget(isGone: (step: Step) => boolean): void {
    this.#waiting = this.#waiting.filter(({ step }) => !isGone(step))
  }

  /** No report until the function that it returns is called: something happens that is no step. */
  hold(): () => void {
    this.#busy++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#busy--
      this.settle()
    }
  }

  conflict(code: string): void {
    this.#conflicts.push(code)
  }

  answer(answer: Answer): void {
    this.#answer = answer
    this.settle()
  }

  settle(): void {
    this.#quiet = 0
    if (this.#isSettling) return
    this.#isSettling = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    if (this.#busy === 0 && ++this.#quiet < QUIET_TURNS) return void setImmediate(() => this.#turn())
    this.#isSettling = false
    if (this.#busy > 0) return
    const [ended, conflicts] = [this.#ended, this.#conflicts]
    this.#ended = []
    this.#conflicts = []
    this.#report({ pending: this.#waiting.map(({ step }) => step), ended, answer: this.#answer, conflicts })
    this.#answer = null
  }
}
