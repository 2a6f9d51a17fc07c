// `paddock verify-log URL`: verifies the log of tips of any service, with nothing but its address.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withoutTrailingSlashes } from '../platform/runtime/trailing-slashes.ts'
import { points } from '../tip-log/leaf.ts'
import { type SeenLog, type Verification, verifyLog } from '../tip-log/verify.ts'
import { type Command, UsageError } from './command.ts'
import { logAt, notChecked } from './log-source.ts'

const NOT_AS_LOGGED = 1

/** A change reaches the log within a second, or later while many tips are settled. */
const PATIENCE = { times: 10, pause: () => pause(1_000) }

/** The exit code shows a scheduler whether the log is intact. */
export const verifyTipLog: Command = async (_config, [address = ''], { profile, state }) => {
  const url = addressOf(address)
  if (profile !== undefined && !/^\d+$/.test(profile)) throw new UsageError('PROFILE is the id of a profile.')
  const file = state ?? defaultStateFile()
  const known = readSeen(file)
  const seen = known[url] ?? null
  const verified = await verifyLog(logAt(url), { seen, patience: PATIENCE, progress: showProgress })
  const text = [...report(verified, seen), ...(profile === undefined ? [] : [recordLine(verified, profile)])]
  // What was seen before is kept as evidence.
  if (verified.problems.length > 0) return { text: text.join('\n'), exitCode: NOT_AS_LOGGED }
  writeSeen(file, { ...known, [url]: toSeen(verified) })
  return text.join('\n')
}

function addressOf(address: string): string {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
    throw new UsageError(`${address} is no address of a service, such as https://example.com.`)
  }
  return withoutTrailingSlashes(address)
}

// ---- The report

function report({ checkpoint, leaves, problems }: Verification, seen: SeenLog | null): string[] {
  const { origin, size, time, keyId } = checkpoint
  const { tips, profiles } = leaves.counts()
  const head = `${origin}: ${size} entries at ${isoTime(time)}, signed by key ${keyId}.`
  if (problems.length > 0) {
    return [head, ...problems, `${counted(problems.length, 'problem')}: this log does not prove what it should.`]
  }
  return [
    head,
    seen === null
      ? 'First verification of this log here: there is no earlier checkpoint to compare it with.'
      : `It begins with the ${seen.size} entries seen at ${isoTime(seen.time)}.`,
    `${counted(tips, 'tip')} of ${counted(profiles, 'profile')}, numbered without a gap. All are as they were logged.`,
  ]
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

function recordLine({ leaves }: Verification, profile: string): string {
  const { tips, settled, won, staked, profit } = leaves.recordOf(profile)
  const yielded = staked === 0 ? '' : `, yield ${(profit / staked / 1e4).toFixed(2)} %`
  return `Profile ${profile}: ${counted(tips, 'tip')}; before the start ${settled} settled, ${won} won, staked ${staked}, profit ${points(profit)}${yielded}.`
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** Reports progress on a terminal only. */
function showProgress(read: number, size: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${read} of ${size} entries${read < size ? '' : '\n'}`)
}

// ---- What was seen before, by address

function defaultStateFile(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env
  const folder = XDG_STATE_HOME || LOCALAPPDATA || join(homedir(), '.local', 'state')
  return join(folder, 'paddock', 'verified-logs.json')
}

function readSeen(file: string): { [url: string]: SeenLog } {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return {}
    throw notChecked(`${file}, which holds what was seen before, cannot be read`, error)
  }
}

function writeSeen(file: string, seen: { [url: string]: SeenLog }): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(seen, null, 2)}\n`)
    renameSync(`${file}.new`, file)
  } catch (error) {
    throw notChecked(`The log is intact, but ${file} cannot be written for the next verification`, error)
  }
}

function toSeen({ checkpoint: { origin, size, root, time }, keys }: Verification): SeenLog {
  return { origin, size, root, time, keys: Object.fromEntries(keys.map(({ id, publicKey }) => [id, publicKey])) }
}
