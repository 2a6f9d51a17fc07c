import { examine } from '../operator/doctor/doctor.ts'
import type { Check } from '../operator/health/checks.ts'
import { STATES, worstOf } from '../operator/health/judgement.ts'
import type { ReadSettings } from '../platform/config/config.ts'
import type { CommandResult, Options } from './command.ts'

/** `paddock doctor`: prints each check when it is done. Unlike other commands, it takes settings that no start would accept. */
export async function diagnose({ config, problems }: ReadSettings, options: Options): Promise<CommandResult> {
  const checks: Check[] = []
  for await (const check of examine({ config, settingProblems: problems, now: Date.now })) {
    checks.push(check)
    if (options.json === undefined) process.stdout.write(`${lineOf(check)}\n`)
  }
  const state = worstOf(checks)
  const exitCode = STATES.indexOf(state)
  if (options.json !== undefined) return { text: JSON.stringify({ state, checks }, null, 2), exitCode }
  return { text: `\n${summaryOf(checks)}`, exitCode }
}

const STATE_WIDTH = 9
const INDENT = ' '.repeat(STATE_WIDTH)

function lineOf({ state, title, detail, advice }: Check): string {
  const line = `${state.padEnd(STATE_WIDTH)}${title}: ${detail}`
  return advice === null ? line : `${line}\n${INDENT}→ ${advice}`
}

function summaryOf(checks: readonly Check[]): string {
  const counts = STATES.map((state) => `${checks.filter((one) => one.state === state).length} ${state}`)
  return `${checks.length} checks: ${counts.join(', ')}.`
}
