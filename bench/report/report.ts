import type { EngineRun } from '../run.ts'

export type Report = {
  at: string
  size: string
  seconds: number
  rounds: number
  engines: EngineRun[]
}
