// Reads the log of tips of a service over HTTP.

import { setTimeout as pause } from 'node:timers/promises'
import type { Checkpoint } from '../tip-log/checkpoint.ts'
import type { LogSource, PublishedKey } from '../tip-log/verify.ts'
import type { VerifiedEntry } from '../tip-log/verify-leaves.ts'
import { CommandError } from './command.ts'

const NOT_CHECKED = 2

export function notChecked(why: string, cause: unknown): CommandError {
  return new CommandError(`${why}: ${(cause as Error).message}`, { exitCode: NOT_CHECKED, cause })
}

const ATTEMPTS = 20

type Answer = { readonly [name: string]: unknown }

export function logAt(url: string): LogSource {
  const get = async (path: string): Promise<Answer> => (await fetchLog(`${url}/v1/communities/log${path}`)) ?? {}
  return {
    checkpoint: async () => toCheckpoint((await get('')).checkpoint as Answer),
    keys: async () => listOf((await get('/keys')).key).map(toKey),
    async consistency(first, second) {
      const { path } = (await get(`/consistency?first=${first}&second=${second}`)).consistency as Answer
      return `${path}` === '' ? [] : `${path}`.split(' ').map((hash) => Buffer.from(hash, 'base64'))
    },
    entries: async (start, count) => listOf((await get(`/entries?start=${start}&count=${count}`)).entry).map(toEntry),
  }
}

/** null: an empty list. Waits for the Retry-After of a busy service. */
async function fetchLog(address: string): Promise<Answer | null> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(address, { headers: { accept: 'application/json' } }).catch((error) => {
      throw notChecked(`${address} cannot be reached`, error.cause ?? error)
    })
    const text = await response.text()
    if (response.status === 204) return null
    if (response.status === 200) return rootOf(address, text)
    if (![429, 503].includes(response.status) || attempt === ATTEMPTS) {
      const advice = response.status === 404 ? ' There is no log of tips at this address.' : ''
      throw notChecked(`${address} answered ${response.status}`, new Error(`${text}${advice}`))
    }
    await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
  }
}

function rootOf(address: string, text: string): Answer {
  try {
    return JSON.parse(text).whoLog
  } catch (error) {
    throw notChecked(`${address} did not answer with JSON`, error)
  }
}

/** A list of one is written as the one itself. */
function listOf(value: unknown): Answer[] {
  return value === undefined ? [] : ([value].flat() as Answer[])
}

function toCheckpoint(given: Answer): Checkpoint {
  const { origin, root, keyId, signature } = given as Record<string, string>
  const [size, time] = [Number(given.size), Date.parse(`${given.time}`)]
  if (!Number.isSafeInteger(size) || size < 0 || Number.isNaN(time)) {
    throw notChecked('The checkpoint is malformed', new Error(JSON.stringify(given)))
  }
  return {
    origin: `${origin}`,
    size,
    root: `${root}`,
    time,
    keyId: `${keyId}`,
    signature: `${signature}`,
  }
}

function toKey({ id, publicKey, retired }: Answer): PublishedKey {
  return {
    id: `${id}`,
    publicKey: `${publicKey}`,
    retired: retired === undefined ? null : Date.parse(`${retired}`),
  }
}

function toEntry(given: Answer): VerifiedEntry {
  return { ...(given as Record<string, string>), index: Number(given.index), leaf: `${given.leaf}` }
}
